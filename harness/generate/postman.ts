import { FINAL, FINAL_SPLIT } from '../../src/sdk/client/kinds.ts'
import {
  type OpenApiDocument,
  type Parameter,
  resolve,
  type Schema,
} from '../../src/web/reference/openapi.ts'
import { exampleOf } from '../../src/web/reference/schema-example.ts'
import { answerSchemas, bodySchema, operationsOf, type Placed } from './api-schemas.ts'

/** Where it is. */
export const COLLECTION = 'examples/postman/malipo.postman_collection.json'

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

type Json = { readonly [name: string]: unknown }

/**
 * A collection for Postman of every operation, in an order in which it can be run as a whole: what
 * is started is looked up after it, and what changes the sandbox comes last.
 */
export function collectionText(document: OpenApiDocument): string {
  const operations = operationsOf(document)
  const kept = new Set(operations.map(keptId).filter((id) => id !== undefined))
  const folders = (document.tags ?? []).flatMap(({ name, description = '' }) => {
    const own = operations.filter(({ tag }) => tag === name)
    const ordered = [...own.filter((one) => !isEnd(one)), ...own.filter(isEnd)]
    const item = [
      ...ordered.map((one) => itemOf(document, one, kept)),
      ...ordered
        .filter(({ id }) => id === SETS_ADDRESSES)
        .map((one) => withoutAddresses(document, one)),
    ]
    return item.length === 0 ? [] : [{ name, description, item }]
  })
  const variables = { MALIPO_URL: 'http://127.0.0.1:8080', MALIPO_TOKEN: '' }
  const collection = {
    info: {
      name: 'Malipo',
      description:
        'Made from the OpenAPI document by "npm run postman". Set MALIPO_URL and MALIPO_TOKEN, ' +
        'then send requests one by one, or run the collection against a sandbox.',
      schema: SCHEMA,
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{MALIPO_TOKEN}}', type: 'string' }] },
    variable: Object.entries(variables).map(([key, value]) => ({ key, value })),
    item: folders,
  }
  return `${JSON.stringify(collection, undefined, 2)}\n`
}

/** They delete payments, which others look up. */
const isEnd = ({ id }: Placed): boolean => id === 'resetClock' || id === 'resetSandbox'

const SETS_ADDRESSES = 'setCallbackUrls'

/** Starting over leaves addresses as they are: nobody may be listening at the one of the example. */
function withoutAddresses(document: OpenApiDocument, placed: Placed): Json {
  const body = resolve(document.components?.schemas, bodySchema(placed) ?? {})
  const names = Object.keys(body.properties ?? {})
  return requestItem({
    name: 'Remove the callback addresses',
    method: placed.method,
    place: placed.path,
    body: JSON.stringify(Object.fromEntries(names.map((one) => [one, null])), undefined, 2),
    event: [script('test', testsOf(placed, undefined))],
  })
}

/** The identifier under which others find what this operation starts. */
function keptId({ id, method, path, operation }: Placed): string | undefined {
  if (method === 'GET') return operation.parameters?.find((one) => one.in === 'path')?.name
  // Made by the service; its answer is where it stands.
  return id === 'requestStatement' && path === '/v2/statements' ? 'statementId' : undefined
}

function itemOf(document: OpenApiDocument, placed: Placed, kept: ReadonlySet<string>): Json {
  const { method, path, operation } = placed
  const body = bodySchema(placed)
  const own = ownIdOf(placed, kept)
  const query = (operation.parameters ?? []).filter((one) => one.in === 'query')
  const place = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    kept.has(name) && name.endsWith('Id')
      ? variable(name)
      : sampleOf(document, operation.parameters, name),
  )
  return requestItem({
    name: operation.summary,
    event: [
      ...(own === undefined ? [] : [script('prerequest', freshId(own))]),
      script('test', testsOf(placed, own)),
    ],
    method,
    description: operation.description,
    body: body === undefined ? undefined : bodyText(document, body, own, kept),
    place,
    query: query.map((one) => queryOf(document, one)),
  })
}

type Asked = {
  readonly name: string | undefined
  readonly event: readonly Json[]
  readonly method: string
  readonly description?: string | undefined
  readonly body: string | undefined
  readonly place: string
  readonly query?: readonly Json[]
}

const requestItem = ({
  name,
  event,
  method,
  description,
  body,
  place,
  query = [],
}: Asked): Json => ({
  name,
  event,
  request: {
    method,
    description,
    header: body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }],
    ...(body === undefined ? {} : { body: { mode: 'raw', raw: body } }),
    url: {
      raw: `{{MALIPO_URL}}${place}`,
      host: ['{{MALIPO_URL}}'],
      path: place.slice(1).split('/'),
      query,
    },
  },
})

/** A payment of any kind: the deposit that was started before. */
const variable = (name: string): string => (name === 'paymentId' ? '{{depositId}}' : `{{${name}}}`)

/** The field with the identifier of what this operation starts, where it can be looked up by it. */
function ownIdOf({ path, method, operation }: Placed, kept: ReadonlySet<string>) {
  if (method !== 'POST' || operation.requestBody === undefined) return undefined
  const singular = path.replace('/v2/', '').replace(/s$/, '')
  const name = `${singular.replaceAll(/-(\w)/g, (_, letter) => letter.toUpperCase())}Id`
  return kept.has(name) && name !== 'statementId' ? name : undefined
}

function bodyText(
  document: OpenApiDocument,
  schema: Schema,
  own: string | undefined,
  kept: ReadonlySet<string>,
): string {
  const fill = (value: unknown, depth: number): unknown => {
    if (Array.isArray(value)) return value.map((one) => fill(one, depth + 1))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => {
        if (!/Id$/.test(name) || !kept.has(name)) return [name, fill(inner, depth + 1)]
        // A fresh one, unless it is what this is about or what it refers to.
        const isNamed = depth === 0 && own !== undefined
        return [name, isNamed ? `{{${name}}}` : '{{$guid}}']
      }),
    )
  }
  return JSON.stringify(fill(exampleOf(document, schema), 0), undefined, 2)
}

function queryOf(document: OpenApiDocument, { name = '', required, schema = {} }: Parameter): Json {
  const value = name === 'paymentId' ? variable(name) : String(exampleOf(document, schema))
  return { key: name, value, ...(required ? {} : { disabled: true }) }
}

function sampleOf(
  document: OpenApiDocument,
  parameters: readonly Parameter[] | undefined,
  name: string,
): string {
  const found = parameters?.find((one) => one.name === name)
  return String(exampleOf(document, found?.schema ?? {}))
}

const script = (listen: string, exec: readonly string[]): Json => ({
  listen,
  script: { type: 'text/javascript', exec },
})

const freshId = (name: string): readonly string[] => [
  `pm.collectionVariables.set('${name}', pm.variables.replaceIn('{{$guid}}'))`,
]

function testsOf(placed: Placed, own: string | undefined): readonly string[] {
  const codes = Object.keys(placed.operation.responses ?? {})
    .map(Number)
    // There is nothing to approve on a phone that nobody has asked.
    .filter((code) => code < 300 || (code === 404 && placed.id === 'actOnPhone'))
  const [answer] = answerSchemas(placed)
  const isStarted = own !== undefined || placed.id === 'requestStatement'
  return [
    `pm.test('is answered', () => pm.expect(pm.response.code).to.be.oneOf([${codes.join(', ')}]))`,
    ...(isStarted ? IS_TAKEN : []),
    ...(placed.id === 'requestStatement' ? KEEP_STATEMENT : []),
    ...waitOf(placed, answer),
  ]
}

const IS_TAKEN = [
  `pm.test('is taken', () => pm.expect(pm.response.json().status).to.equal('ACCEPTED'))`,
]
const KEEP_STATEMENT = [`pm.collectionVariables.set('statementId', pm.response.json().statementId)`]

/** A look-up of something that goes on by itself is repeated until it is over. */
function waitOf({ method, tag }: Placed, answer: Schema | undefined): readonly string[] {
  const isLookUp = method === 'GET' && answer?.$ref?.endsWith('Status') === true
  if (!isLookUp) return []
  const isFound = `pm.test('is found', () => pm.expect(pm.response.json().status).to.equal('FOUND'))`
  // Nobody pays on the page meanwhile.
  if (tag === 'checkouts') return [isFound]
  const finals = tag === 'split-payments' ? FINAL_SPLIT : FINAL
  return [
    isFound,
    `const isFinal = ${JSON.stringify(finals)}.includes(pm.response.json().data?.status)`,
    `const looks = Number(pm.variables.get('looks') ?? 0) + 1`,
    `pm.variables.set('looks', isFinal ? 0 : looks)`,
    'if (!isFinal && looks < 60) {',
    '  pm.execution.setNextRequest(pm.info.requestName)',
    '  setTimeout(() => {}, 1000)',
    '} else {',
    `  pm.test('is final', () => pm.expect(isFinal).to.equal(true))`,
    '}',
  ]
}
