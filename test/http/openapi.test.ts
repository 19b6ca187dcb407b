import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { Compile } from 'typebox/compile'
import { startReceiver } from '../../harness/receiver.ts'
import { type Answer, depositBody, eventually, payer, startService } from '../../harness/service.ts'
import { FAILURE_CODES } from '../../src/domain/failure.ts'
import type { OpenApiDocument, Schema } from '../../src/web/reference/openapi.ts'
import { exampleOf } from '../../src/web/reference/schema-example.ts'
import type { TSchema } from '../../src/wire/schema.ts'
import { pathOf, servedPaths } from '../support/routes.ts'

const service = await startService()
const receiver = await startReceiver()
after(async () => {
  await service.stop()
  await receiver.close()
})

// biome-ignore lint/suspicious/noExplicitAny: the document is inspected freely
type Json = any
const document: Json = (await service.get('/openapi.json')).body

type Operation = { path: string; method: string; operation: Json }
const operations: readonly Operation[] = Object.entries(document.paths).flatMap(([path, item]) =>
  Object.entries(item as Json).map(([method, operation]) => ({ path, method, operation })),
)
const named = (operationId: string): Operation => {
  const found = operations.find(({ operation }) => operation.operationId === operationId)
  assert.ok(found !== undefined, operationId)
  return found
}

it('says of every identifier that it is a UUID version 4, as refusals then do', () => {
  let count = 0
  const walk = (node: Json, place: string): void => {
    if (typeof node !== 'object' || node === null) return
    if (typeof node.pattern === 'string' && node.pattern.includes('-4[0-9a-fA-F]{3}-')) {
      count += 1
      assert.match(node.description, /^a UUID version 4/, place)
    }
    for (const [name, inner] of Object.entries(node)) walk(inner, `${place}/${name}`)
  }
  walk(document, '')
  assert.ok(count > 10)
})

/** Everything that is not an operation: pages, health, metrics, other names; and pictures. */
const PAGES = [
  '/branding/{file}',
  '/',
  '/docs',
  '/docs/api/{group}',
  '/docs/guides/{name}',
  '/docs/guides/{name}/{page}',
  '/docs/pictures/{folder}/{file}',
  '/docs/search',
  '/openapi.json',
  '/livez',
  '/readyz',
  '/metrics',
  '/operators/{account}/{secret}',
  '/operators/{account}/{secret}/{reference}',
  '/v2/public-keys',
  '/statements/{statementId}/{token}',
  '/pay/{link}',
  '/pay/{link}/status',
  '/pay/{link}/provider',
  '/checkout/{link}',
  '/checkout/{link}/status',
  '/checkout/{link}/provider',
  '/sandbox',
  '/sandbox/sign-in',
  '/sandbox/sign-out',
  '/sandbox/enter/{code}',
  '/sandbox/acts',
  '/sandbox/live/{number}',
  '/sandbox/shop',
  '/sandbox/shop/back',
  '/sandbox/numbers',
  '/sandbox/mail',
  '/sandbox/wallet/{token}',
  '/sandbox/wallet/{token}/approve',
  '/sandbox/wallet/{token}/refuse',
  '/public-key/https',
  '/refund/resend-callback',
]
const isPicture = (path: string): boolean => path.startsWith('/assets/')
/** Pages of the dashboard have a table of their own, which its tests walk through. */
const isForPeople = (path: string): boolean =>
  /^\/(dashboard|sign-in|sign-out|set-password|unsubscribe)\b/.test(path)
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

it('every served route is in the document, and the reverse', () => {
  const documented = Object.keys(document.paths)
  const served = servedPaths(service).filter((path) => !isPicture(path) && !isForPeople(path))
  assert.deepEqual(served.toSorted(), [...PAGES, ...documented].toSorted())
  assert.deepEqual(
    operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`).toSorted(),
    service.node.endpoints
      .filter(({ isHidden }) => isHidden !== true)
      .map(({ method, path }) => `${method} ${pathOf(path)}`)
      .toSorted(),
  )
})

it('a method that the document does not name is answered with 405 and what is allowed', async () => {
  for (const path of Object.keys(document.paths)) {
    const named = Object.keys(document.paths[path]).map((method) => method.toUpperCase())
    const hidden = service.node.endpoints
      .filter((one) => one.isHidden === true && pathOf(one.path) === path)
      .map(({ method }) => method)
    const allowed = [...named, ...hidden]
    for (const method of METHODS.filter((one) => !allowed.includes(one))) {
      const { status, headers } = await service.call(method, path.replaceAll(/[{}]/g, ''))
      assert.equal(status, 405, `${method} ${path}`)
      assert.deepEqual(headers.get('allow')?.split(', ').toSorted(), allowed.toSorted())
    }
  }
})

/** Every object inside, with the way to it. */
function* walk(value: Json, way = '#'): Generator<{ value: Json; way: string }> {
  if (typeof value !== 'object' || value === null) return
  yield { value, way }
  for (const [key, inner] of Object.entries(value)) yield* walk(inner, `${way}/${key}`)
}

const resolve = (ref: string): Json =>
  ref
    .replace(/^#\//, '')
    .split('/')
    .reduce((at, key) => at?.[key], document)

it('the document is OpenAPI 3.1 in structure', () => {
  assert.match(document.openapi, /^3\.1\.\d$/)
  assert.ok(document.info.title && document.info.version)
  assert.ok(URL.canParse(document.servers[0].url))
  const ids = [...operations.map(({ operation }) => operation.operationId)]
  assert.equal(new Set(ids).size, ids.length)
  const tags = new Set(document.tags.map((tag: Json) => tag.name))
  for (const { path, operation } of operations) {
    const { operationId, summary, description, parameters, responses } = operation
    assert.match(path, /^\/[\w/{}-]+$/)
    assert.match(operationId, /^[a-z][A-Za-z]+$/)
    assert.ok(summary && description, operationId)
    assert.ok(operation.tags.every((tag: string) => tags.has(tag)))
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const declared = parameters.filter((one: Json) => one.in === 'path')
    assert.deepEqual(
      declared.map((one: Json) => one.name),
      inPath,
    )
    assert.ok(declared.every((one: Json) => one.required === true && one.schema))
    assert.ok(Object.keys(responses).some((status) => /^2\d\d$/.test(status)))
    for (const [status, response] of Object.entries<Json>(responses)) {
      assert.match(status, /^[2-5]\d\d$/)
      assert.ok(response.description.length > 0, `${operationId} ${status}`)
    }
    for (const requirement of operation.security ?? document.security) {
      for (const scheme of Object.keys(requirement)) {
        assert.ok(document.components.securitySchemes[scheme])
      }
    }
  }
})

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']

it('every reference resolves, every named schema and header is used, every type is one of JSON Schema', () => {
  const used = new Set<string>()
  for (const { value, way } of walk(document)) {
    if (typeof value.$ref === 'string') {
      assert.ok(resolve(value.$ref), `${value.$ref} at ${way}`)
      used.add(value.$ref)
    }
    const isSchema = typeof value.type === 'string' && /schemas?\/|\/schema/.test(way)
    if (isSchema && !way.endsWith('/properties')) assert.ok(TYPES.includes(value.type), way)
    if (value.pattern !== undefined && isSchema) assert.ok(new RegExp(value.pattern, 'u'))
    for (const name of value.properties === undefined ? [] : (value.required ?? [])) {
      assert.ok(Object.hasOwn(value.properties, name), `${name} at ${way}`)
    }
  }
  const { schemas, headers } = document.components
  const named = Object.entries({ schemas, headers }).flatMap(([section, entries]) =>
    Object.keys(entries).map((name) => `#/components/${section}/${name}`),
  )
  assert.deepEqual(named.toSorted(), [...used].toSorted())
})

/** References replaced by what they name; with `strict` an object may hold nothing else. */
function written(schema: Json, strict: boolean): Json {
  if (Array.isArray(schema)) return schema.map((one) => written(one, strict))
  if (typeof schema !== 'object' || schema === null) return schema
  if (typeof schema.$ref === 'string') return written(resolve(schema.$ref), strict)
  const inner = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, written(value, strict)]),
  )
  const isClosed = strict && schema.properties !== undefined
  return isClosed ? { additionalProperties: false, ...inner } : inner
}

function assertFits(schema: Json, value: unknown, where: string): void {
  const compiled = Compile(written(schema, true) as TSchema)
  assert.deepEqual(compiled.Errors(value), [], `${where}: ${JSON.stringify(value)}`)
}

/** The answer is one that the operation announces, in status and in every field. */
function assertAnnounced({ operation }: Operation, { status, body }: Answer): void {
  const { operationId, responses } = operation
  const response = responses[status]
  assert.ok(response !== undefined, `${operationId} answered ${status}: ${JSON.stringify(body)}`)
  const schema = response.content?.['application/json']?.schema
  if (schema === undefined) assert.equal(body, '')
  else assertFits(schema, body, `${operationId} ${status}`)
  for (const { value } of walk(body)) {
    const code = value.failureReason?.failureCode
    if (code !== undefined) assert.ok(response['x-failure-codes']?.includes(code), operationId)
  }
}

it('every failure code is announced by an operation, or is of the earlier generation only', () => {
  const announced = new Set(
    [...walk(document)].flatMap(({ value }) => value['x-failure-codes'] ?? []),
  )
  const missing = Object.keys(FAILURE_CODES).filter((code) => !announced.has(code))
  assert.deepEqual(missing, ['INVALID_COUNTRY'])
  for (const { value } of walk(document)) {
    assert.ok(value['x-failure-codes']?.every((code: string) => code in FAILURE_CODES) ?? true)
  }
})

const address = ({ path }: Operation, values: Readonly<Record<string, string>>): string =>
  path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? crypto.randomUUID())

it('real answers have the fields the document names, and no others', async () => {
  await service.put('/sandbox/callbacks', { deposit: receiver.url })
  receiver.answer(500)
  const initiate = named('initiateDeposit')
  const good = depositBody({
    clientReferenceId: 'INV-1',
    customerMessage: 'Order 1',
    metadata: [{ orderId: 'ORD-1' }],
    successfulUrl: 'https://shop.example/thanks',
  })
  const bad = depositBody({ payer: payer('260763456039', 'MTN_MOMO_ZMB') })
  const bodies = [good, good, bad, depositBody({ amount: '0.001' }), { ...good, colour: 'red' }]
  for (const body of bodies) {
    assertAnnounced(initiate, await service.post('/v2/deposits', body))
  }
  await service.reaches(good.depositId, 'COMPLETED')
  await service.reaches(bad.depositId, 'FAILED')
  for (const { depositId } of [good, bad]) {
    const answer = await service.get(address(named('getDeposit'), { depositId }))
    assert.equal(answer.body.status, 'FOUND')
    assertAnnounced(named('getDeposit'), answer)
  }
  await eventually(async () => {
    const deliveries = await service.get(`/sandbox/deliveries?paymentId=${good.depositId}`)
    assert.ok(deliveries.body[0].attempts.length > 0)
    assertAnnounced(named('listDeliveries'), deliveries)
  })
  assertAnnounced(
    named('listDeliveries'),
    await service.get(`/sandbox/deliveries?paymentId=${crypto.randomUUID()}`),
  )
})

it('a callback is the record that the document describes', async () => {
  await eventually(() => assert.ok(receiver.received.length >= 2))
  const { schema } = document.webhooks.depositCallback.post.requestBody.content['application/json']
  for (const { body } of receiver.received) assertFits(schema, JSON.parse(body), 'depositCallback')
  await service.put('/sandbox/callbacks', { deposit: null })
})

it('every example that the document gives is one of its schema', () => {
  let examples = 0
  for (const { value, way } of walk(document)) {
    const named = Object.entries<Json>(value.schema === undefined ? {} : (value.examples ?? {}))
    for (const [name, { value: example }] of named) {
      assertFits(value.schema, example, `${way} ${name}`)
      examples += 1
    }
    if (value.schema !== undefined && value.example !== undefined) {
      assertFits(value.schema, value.example, way)
    }
  }
  assert.ok(examples > 30)
})

it('every operation accepts its own example, and answers as announced', async () => {
  for (const one of operations) {
    const { operation, method } = one
    const example = (schema: Schema): unknown => exampleOf(document as OpenApiDocument, schema)
    const values = Object.fromEntries(
      operation.parameters.map(({ name, schema }: Json) => [name, String(example(schema))]),
    )
    const query = operation.parameters
      .filter((parameter: Json) => parameter.in === 'query' && parameter.required)
      .map(({ name }: Json) => `${name}=${values[name]}`)
    const media = operation.requestBody?.content['application/json']
    const answer = await service.call(
      method.toUpperCase(),
      `${address(one, values)}${query.length > 0 ? `?${query.join('&')}` : ''}`,
      media === undefined ? undefined : example(media.schema),
    )
    assert.notEqual(answer.status, 400, `${operation.operationId}: ${JSON.stringify(answer.body)}`)
    assertAnnounced(one, answer)
  }
})

it('names the headers of signatures where requests may be signed, and nowhere else', () => {
  const signable = new Set(
    service.node.endpoints.filter((one) => one.signable).map((one) => one.operationId),
  )
  assert.equal(signable.size, 12)
  for (const { operation } of operations) {
    const { operationId, parameters, responses } = operation
    const isSignable = signable.has(operationId)
    const sent = parameters.filter((one: Json) => one.in === 'header')
    assert.deepEqual(
      sent.map(({ name, required }: Json) => [name, required]),
      isSignable ? SIGNATURE_HEADERS.map((name) => [name, false]) : [],
    )
    for (const [status, { headers = {} }] of Object.entries<Json>(responses)) {
      const isSigned = isSignable && !['401', '413'].includes(status)
      assert.deepEqual(Object.keys(headers), isSigned ? SIGNATURE_HEADERS.slice(0, 4) : [], status)
    }
  }
})

const SIGNATURE_HEADERS = [
  'Content-Digest',
  'Signature-Date',
  'Signature-Input',
  'Signature',
  'Accept-Signature',
  'Accept-Digest',
]

it('every operation with a token refuses a wrong one as announced', async () => {
  for (const one of operations.filter(({ operation }) => operation.security.length > 0)) {
    const where = address(one, { msisdn: '260763456789' })
    const headers = { authorization: 'Bearer nobody' }
    const answer = await service.call(one.method.toUpperCase(), where, undefined, headers)
    assert.equal(answer.status, 401)
    assertAnnounced(one, answer)
  }
})
