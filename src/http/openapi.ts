import type { FailureCode } from '../domain/failure.ts'
import { present } from '../domain/present.ts'
import { CountryCode } from '../wire/formats.ts'
import { isOptionalSchema, type TSchema } from '../wire/schema.ts'
import { FailureReason } from '../wire/v2/errors.ts'
import { scopesOf } from './authenticate.ts'
import type { Endpoint } from './endpoint.ts'
import {
  isSignedAnswer,
  SIGNATURE_PARAMETERS,
  SIGNED_ANSWER_HEADERS,
  SIGNED_ANSWER_REFERENCES,
} from './openapi-signatures.ts'
import { TAGS } from './openapi-tags.ts'
import { failureCodesOf, failureCodesOfCallback } from './v2/failure-codes.ts'
import { failureBody } from './v2/faults.ts'
import { WEBHOOKS } from './v2/webhooks.ts'

/** The reference as data (OpenAPI 3.1), made from the very descriptions that serve the calls. */
type DocumentOptions = {
  readonly version: string
  readonly baseUrl: string
  readonly introduction: string
}

type Json = { [key: string]: unknown }

export function openApiDocument(endpoints: readonly Endpoint[], options: DocumentOptions): Json {
  const schemas: Json = {}
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints.filter(({ isHidden }) => isHidden !== true)) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(endpoint, schemas) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Malipo',
      version: options.version,
      summary: 'Mobile-money payments for merchants',
      description: options.introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: options.baseUrl }],
    tags: TAGS,
    security: [{ bearer: [] }],
    paths,
    webhooks: webhooks(schemas),
    components: {
      schemas,
      headers: SIGNED_ANSWER_HEADERS,
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'an API token of the merchant' },
      },
    },
  }
}

/** What each HTTP status beside 200 means, with an example. */
const REFUSALS: Readonly<
  Record<number, { description: string; code: FailureCode; message: string }>
> = {
  400: {
    description: 'The request does not fit this description; the message names the field.',
    code: 'MISSING_PARAMETER',
    message: "The parameter 'amount' is required but was not given.",
  },
  401: {
    description: 'The token, or a signature that the account requires, is missing or not valid.',
    code: 'AUTHENTICATION_ERROR',
    message: 'The API token is not valid here: it is unknown, has expired or was revoked.',
  },
  403: {
    description: 'The token or the account may not do this.',
    code: 'AUTHORISATION_ERROR',
    message: "The API token may not use this endpoint: it lacks the scope 'deposits'.",
  },
  404: {
    description: 'There is no such payment.',
    code: 'NOT_FOUND',
    message: "No payment with the id 'f4401bd2-1568-4140-bf2d-eb77d2b2b639' was found.",
  },
  413: {
    description: 'The body is larger than 1 MiB.',
    code: 'INVALID_INPUT',
    message: 'The request body is larger than 1 MiB.',
  },
  500: {
    description: 'The outcome is not known; check before you try again.',
    code: 'UNKNOWN_ERROR',
    message: 'Something went wrong on our side. Check the status before you try again.',
  },
  503: {
    description: 'The service is at its limit; nothing was stored. Try again after Retry-After.',
    code: 'UNKNOWN_ERROR',
    message: 'The service is at its limit right now. Nothing was stored; try again shortly.',
  },
}

function operation(endpoint: Endpoint, schemas: Json): Json {
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    ...(endpoint.replacement === undefined ? {} : { deprecated: true }),
    description: endpoint.description,
    security: securityOf(endpoint),
    parameters: parameters(endpoint, schemas),
    ...present({
      requestBody: endpoint.body && { required: true, content: content(endpoint.body, schemas) },
    }),
    responses: responses(endpoint, schemas),
  }
}

function responses(endpoint: Endpoint, schemas: Json): Json {
  const { answer, created, examples, failureShape } = endpoint
  const done =
    answer === undefined
      ? { 204: { description: 'Done.' } }
      : {
          200: {
            description: 'The answer.',
            ...codesIn(failureCodesOf(endpoint, 200)),
            ...signedHeaders(endpoint, 200),
            content: content(answer, schemas, examples),
          },
        }
  const made = present({
    201: created && { description: 'Created.', content: content(created, schemas) },
  })
  const statuses = [...endpoint.refusals, ...(endpoint.body === undefined ? [] : [413]), 500, 503]
  const schema = failureSchema(endpoint, schemas)
  const refused = statuses.map((status) => {
    const { description = '', code = 'UNKNOWN_ERROR', message = '' } = REFUSALS[status] ?? {}
    const id = 'f4401bd2-1568-4140-bf2d-eb77d2b2b639'
    const example =
      failureShape.kind === 'legacy'
        ? { errorId: id, errorCode: LEGACY_CODES[status] ?? 1, errorMessage: message }
        : failureBody(failureShape, status, code, message, id)
    const media = { 'application/json': { schema, example } }
    const codes = codesIn(failureCodesOf(endpoint, status))
    return [status, { description, ...codes, ...signedHeaders(endpoint, status), content: media }]
  })
  return { ...done, ...made, ...Object.fromEntries(refused) }
}

/** Not a list of all values that the field may have, lest a new code break generated programs. */
const codesIn = (codes: readonly FailureCode[]): Json =>
  codes.length === 0 ? {} : { 'x-failure-codes': codes }

const signedHeaders = ({ signable }: Endpoint, status: number): Json =>
  signable && isSignedAnswer(status) ? { headers: SIGNED_ANSWER_REFERENCES } : {}

const LEGACY_CODES: Readonly<Record<number, number>> = { 401: 2, 403: 3, 500: 0, 503: 0 }

/** An empty requirement beside the other: a token may be left out. */
function securityOf({ access, isTokenOptional }: Endpoint): readonly Json[] {
  if (access === undefined) return []
  const tokens = scopesOf(access).map((scope) => ({ bearer: [scope] }))
  return isTokenOptional ? [{}, ...tokens] : tokens
}

function failureSchema({ failureShape }: Endpoint, schemas: Json): Json {
  const failureReason = convert(FailureReason, schemas)
  const status = { const: 'REJECTED', description: 'absent with HTTP 500' }
  const text = { type: 'string' }
  switch (failureShape.kind) {
    case 'initiation':
      return {
        type: 'object',
        properties: { [failureShape.idField]: text, status, failureReason },
        required: ['failureReason'],
      }
    case 'bulk':
    case 'lookup':
      return { type: 'object', properties: { status, failureReason }, required: ['failureReason'] }
    case 'legacy':
      return {
        type: 'object',
        properties: { errorId: text, errorCode: { type: 'integer' }, errorMessage: text },
        required: ['errorId', 'errorCode', 'errorMessage'],
      }
    case 'resource':
      return {
        type: 'object',
        properties: { ...(failureShape.rejects ? { status } : {}), failureReason },
        required: ['failureReason'],
      }
  }
}

const PATH_SCHEMAS: Readonly<Record<string, Json>> = {
  msisdn: { type: 'string', pattern: '^[0-9]{1,32}$', examples: ['260761234567'] },
  country: { ...CountryCode },
}

function parameters(endpoint: Endpoint, schemas: Json): Json[] {
  const names = [...endpoint.path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
  const inPath = names.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: PATH_SCHEMAS[name] ?? { type: 'string', format: 'uuid', minLength: 36, maxLength: 36 },
  }))
  const inQuery = Object.entries(endpoint.query ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !isOptionalSchema(schema),
    schema: convert(schema, schemas),
  }))
  return [...inPath, ...inQuery, ...(endpoint.signable ? SIGNATURE_PARAMETERS : [])]
}

function webhooks(schemas: Json): Json {
  return Object.fromEntries(
    WEBHOOKS.map(({ name, summary, description, record, examples }) => [
      name,
      {
        post: {
          operationId: name,
          tags: ['callbacks'],
          summary,
          description,
          security: [],
          requestBody: {
            required: true,
            ...codesIn(failureCodesOfCallback(name)),
            content: content(record, schemas, examples),
          },
          responses: { 200: { description: 'Received.' } },
        },
      },
    ]),
  )
}

function content(
  schema: TSchema,
  schemas: Json,
  examples?: Readonly<Record<string, object>>,
): Json {
  const named = Object.entries(examples ?? {}).map(([name, value]) => [name, { value }])
  return {
    'application/json': {
      schema: convert(schema, schemas),
      ...present({ examples: examples && Object.fromEntries(named) }),
    },
  }
}

/** Schemas with a name of their own are listed once and referred to. */
function convert(schema: unknown, schemas: Json): Json {
  if (Array.isArray(schema)) return schema.map((one) => convertAny(one, schemas)) as unknown as Json
  const source = schema as Json
  const { $id: name, ...rest } = source
  const converted = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      key === 'examples' ? value : convertAny(value, schemas),
    ]),
  )
  if (typeof name !== 'string') return converted
  schemas[name] = converted
  return { $ref: `#/components/schemas/${name}` }
}

const convertAny = (value: unknown, schemas: Json): unknown =>
  typeof value === 'object' && value !== null ? convert(value, schemas) : value
