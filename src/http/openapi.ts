import Type, { type TSchema } from 'typebox'
import { DepositRecord } from '../wire/v2/deposits.ts'
import { FailureReason } from '../wire/v2/errors.ts'
import type { Endpoint } from './endpoint.ts'

/** The reference as data (OpenAPI 3.1), made from the very descriptions that serve the calls. */
export type DocumentOptions = {
  readonly version: string
  readonly baseUrl: string
  readonly introduction: string
}

type Json = { [key: string]: unknown }

export function openApiDocument(endpoints: readonly Endpoint[], options: DocumentOptions): Json {
  const schemas: Json = {}
  const paths: Record<string, Json> = {}
  for (const endpoint of endpoints) {
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
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'an API token of the merchant' },
      },
    },
  }
}

const CALLBACKS = `A callback is a POST to the address you set for that kind of payment, with the
same record as the status check. Any 2xx acknowledges it. Otherwise it is sent again after about
5 s, 15 s, 45 s, 2 min, 5 min, 15 min, 1 h, 3 h, 6 h and 12 h, then every day until 7 days have
passed; you can ask for it again at any time. Redirects are not followed. The same callback may
arrive more than once, so treat it as news about the payment, not as a command.

**Signature.** Every callback is signed (RFC 9421). \`Content-Digest\` holds the SHA-512 of the
body. \`Signature-Input\` names what is covered, in this order: @method, @authority, @path,
signature-date, content-digest, content-type; and the key id, for example
\`HTTP_EC_P256_KEY:1\`. To verify: compare the digest with the body as received, write the covered
values one below the other as the RFC says, and check \`Signature\` (ECDSA P-256, SHA-256, ASN.1 DER)
with the public key of that id. Each attempt is signed afresh and expires after 60 seconds.`

const TAGS = [
  { name: 'deposits', description: "Collect money from a customer's wallet." },
  { name: 'finances', description: 'The money in your wallets.' },
  { name: 'toolkit', description: 'What you need around payments.' },
  { name: 'sandbox', description: 'Controls for tests; they exist in the sandbox only.' },
  { name: 'callbacks', description: CALLBACKS },
]

const REFUSALS: Readonly<Record<number, string>> = {
  400: 'The request does not fit this description; the message names the field.',
  401: 'The token is missing or not valid.',
  403: 'The token or the account may not do this.',
  404: 'There is no such payment.',
}

function operation(endpoint: Endpoint, schemas: Json): Json {
  const responses: Json = {
    [endpoint.answer === undefined ? 204 : 200]:
      endpoint.answer === undefined
        ? { description: 'Done.' }
        : { description: 'The answer.', content: content(endpoint.answer, schemas) },
  }
  const failure = failureSchema(endpoint, schemas)
  for (const status of endpoint.refusals) {
    const description = REFUSALS[status] ?? ''
    responses[status] = { description, content: { 'application/json': { schema: failure } } }
  }
  if (endpoint.failureShape.kind === 'initiation') {
    responses[503] = {
      description: 'The service is at its limit; nothing was stored. Try again after Retry-After.',
      content: { 'application/json': { schema: failure } },
    }
  }
  responses[500] = {
    description: 'The outcome is not known; check before you try again.',
    content: { 'application/json': { schema: failure } },
  }
  return {
    operationId: endpoint.operationId,
    tags: [endpoint.tag],
    summary: endpoint.summary,
    description: endpoint.description,
    ...(endpoint.access === undefined
      ? { security: [] }
      : { security: [{ bearer: [scopeOf(endpoint.access)] }] }),
    parameters: parameters(endpoint, schemas),
    ...(endpoint.body === undefined
      ? {}
      : { requestBody: { required: true, content: content(endpoint.body, schemas) } }),
    responses,
  }
}

const scopeOf = ({ group, level }: NonNullable<Endpoint['access']>): string =>
  level === 'read' ? `${group}:read` : group

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
    case 'lookup':
      return { type: 'object', properties: { status, failureReason }, required: ['failureReason'] }
    case 'resource':
      return { type: 'object', properties: { failureReason }, required: ['failureReason'] }
  }
}

const PATH_SCHEMAS: Readonly<Record<string, Json>> = {
  msisdn: { type: 'string', pattern: '^[0-9]{1,32}$', examples: ['260763456789'] },
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
    required: !Type.IsOptional(schema),
    schema: convert(schema, schemas),
  }))
  return [...inPath, ...inQuery]
}

function webhooks(schemas: Json): Json {
  const description =
    'Sent to the callback address for deposits when a deposit is COMPLETED or FAILED.'
  return {
    depositCallback: {
      post: {
        operationId: 'depositCallback',
        tags: ['callbacks'],
        summary: 'A deposit is final',
        description,
        security: [],
        requestBody: { required: true, content: content(DepositRecord, schemas) },
        responses: { 200: { description: 'Received.' } },
      },
    },
  }
}

function content(schema: TSchema, schemas: Json): Json {
  return { 'application/json': { schema: convert(schema, schemas) } }
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
