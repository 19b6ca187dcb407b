import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Compile } from 'typebox/compile'
import { eventually } from '../../harness/service.ts'
import { PACKAGE_ROOT } from '../../src/package-root.ts'
import type { Outcome, ProviderOrder } from '../../src/providers/connector.ts'
import { CODES } from '../../src/providers/gsma/codes.ts'
import { GSMA_STAND_IN } from '../../src/providers/gsma/stand-in/operator.ts'
import type { StandInAnswer, StandInRequest } from '../../src/providers/stand-in/operator.ts'
import { type RunningStandIn, startStandIn } from '../../src/providers/stand-in/server.ts'
import { orderTo, ownConnector } from '../support/own-connector.ts'

// biome-ignore lint/suspicious/noExplicitAny: a document is inspected freely
type Json = any

const SPECIFICATION: Json = JSON.parse(
  readFileSync(join(PACKAGE_ROOT, 'test/providers/gsma-openapi.json'), 'utf8'),
)

/** With references replaced by what they name, in the words of JSON Schema as it is today. */
function whole(node: Json): Json {
  if (Array.isArray(node)) return node.map(whole)
  if (typeof node !== 'object' || node === null) return node
  if (typeof node.$ref === 'string') {
    const [, , kind = '', name = ''] = node.$ref.split('/')
    return whole(SPECIFICATION.components[kind][name])
  }
  const { minimum, exclusiveMinimum, pattern, ...rest } = node
  const least =
    exclusiveMinimum === true
      ? { exclusiveMinimum: minimum }
      : minimum === undefined
        ? {}
        : { minimum }
  const members = Object.entries(rest).map(([name, value]) => [name, whole(value)])
  // A comma needs no backslash, and may not have one where patterns are read as Unicode.
  const matches = typeof pattern === 'string' ? { pattern: pattern.replaceAll('\\,', ',') } : {}
  return { ...Object.fromEntries(members), ...least, ...matches }
}

const PATHS: readonly (readonly [RegExp, Json])[] = Object.entries(SPECIFICATION.paths).map(
  ([path, item]) => [new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`), whole(item)],
)

const CALLBACK = whole({ $ref: '#/components/schemas/responseTransaction' })
const ERROR = whole({ $ref: '#/components/schemas/errorObject' })

function errorsOf(schema: Json, value: unknown): readonly string[] {
  const judge = Compile(schema)
  return judge.Check(value)
    ? []
    : judge.Errors(value).map(({ instancePath, message }) => `${instancePath}: ${message}`)
}

const contentOf = (part: Json): Json => part?.content?.['application/json']?.schema

type Sample = { readonly request: StandInRequest; readonly answer: StandInAnswer }

/** What the specification has against a request and its answer. */
function faultsIn({ request, answer }: Sample): readonly string[] {
  const path = request.path.replace(/^\/v1\.2/, '')
  const method = request.method.toLowerCase()
  const item = PATHS.find(([fits, one]) => fits.test(path) && one[method] !== undefined)?.[1]
  if (item === undefined) return [`${request.method} ${path} is not in the specification`]
  const operation = item[method]
  const parameters: readonly Json[] = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
  const headers = parameters
    .filter((one) => one.in === 'header')
    .flatMap(({ name, required, schema }) => {
      const given = request.headers[name.toLowerCase()]
      if (given === undefined) return required === true ? [`header ${name} is missing`] : []
      return errorsOf(schema, given).map((fault) => `header ${name}${fault}`)
    })
  const asked = contentOf(operation.requestBody)
  const documented = operation.responses[String(answer.status)]
  const given = contentOf(documented)
  const about = (fault: string): string => `${request.method} ${path}: ${fault}`
  return [
    ...headers,
    ...(asked === undefined ? [] : errorsOf(asked, request.json).map((one) => `request${one}`)),
    ...(documented === undefined ? [`status ${answer.status} is not in the specification`] : []),
    ...(given === undefined ? [] : errorsOf(given, answer.body).map((one) => `answer${one}`)),
  ].map(about)
}

const PARTY = '260754000001'
const BROKE = '260754000002'
const MONEY = { amount: '15', currency: 'ZMW' }
const samples: Sample[] = []
const callbacks: Json[] = []
let operator: RunningStandIn
let ours: ReturnType<typeof ownConnector>

before(async () => {
  operator = await startStandIn({
    ...GSMA_STAND_IN,
    handle: (request, tools) => {
      const answer = GSMA_STAND_IN.handle(request, tools)
      if (GSMA_STAND_IN.targetOf(request) !== 'token') samples.push({ request, answer })
      return answer
    },
    callback: (entry, ending) => {
      const callback = GSMA_STAND_IN.callback(entry, ending)
      if (callback !== undefined) callbacks.push(JSON.parse(callback.body))
      // The address of the account is nobody's.
      return undefined
    },
  })
  operator.setEnding(BROKE, { says: 'failure', reason: 'insufficientFunds' })
  operator.setEnding(`+${BROKE}`, { says: 'failure', reason: 'insufficientFunds' })
  ours = ownConnector({
    connector: 'gsma',
    baseUrl: operator.url,
    settings: { basePath: '/v1.2', payeeMsisdn: '260950000001' },
    secrets: { clientId: 'client-0123456789', clientSecret: 'secret-0123456789' },
  })
})
after(async () => {
  await ours.close()
  await operator.close()
})

/** From the order to its end. */
async function run(order: ProviderOrder): Promise<Outcome> {
  const reference = randomUUID()
  const first = await ours.submit(order, reference)
  assert.equal(first.kind, 'PENDING')
  const ids = { ...order.ids, ...(first.kind === 'PENDING' ? first.ids : {}) }
  return eventually(async () => {
    const outcome = await ours.query({ ...order, ids }, reference)
    assert.notEqual(outcome.kind, 'PENDING')
    return outcome
  })
}

describe('the specification of the GSMA finds no fault with what is exchanged', () => {
  const order = (operation: ProviderOrder['operation'], phoneNumber = PARTY) =>
    orderTo(operation, 'ZAMTEL_ZMB', { ...MONEY, phoneNumber })

  it('for deposits, payouts, remittances and refunds', async () => {
    const deposit = await run(order('DEPOSIT'))
    assert.ok(deposit.kind === 'DONE' && deposit.transactionId !== undefined)
    assert.equal((await run(order('PAYOUT'))).kind, 'DONE')
    assert.equal((await run(order('REMITTANCE'))).kind, 'DONE')
    const original = { amount: '15', account: 'ours', transactionId: deposit.transactionId }
    assert.equal((await run({ ...order('REFUND'), original })).kind, 'DONE')
  })

  it('for failures, refusals and orders that are not known', async () => {
    assert.equal((await run(order('DEPOSIT', BROKE))).kind, 'FAILED')
    const unknown = await ours.query(order('DEPOSIT'), randomUUID())
    assert.notEqual(unknown.kind, 'DONE')
    const twice = randomUUID()
    await ours.submit(order('DEPOSIT'), twice)
    assert.notEqual((await ours.submit(order('DEPOSIT'), twice)).kind, 'REFUSED')
  })

  it('for the balance and the heartbeat', async () => {
    for (const { ok, message } of await ours.test()) assert.ok(ok, message)
  })

  it('none of all these', () => {
    assert.ok(samples.length >= 12)
    assert.deepEqual(samples.flatMap(faultsIn), [])
    const kinds = new Set(samples.map(({ request }) => request.path.split('/')[2]))
    const wanted = ['accounts', 'heartbeat', 'requeststates', 'responses', 'transactions']
    assert.deepEqual([...kinds].toSorted(), wanted)
  })

  it('nor of the callbacks', async () => {
    await eventually(() => assert.ok(callbacks.length >= 4))
    const faults = callbacks.flatMap((body) =>
      errorsOf(body.errorCode === undefined ? CALLBACK : ERROR, body),
    )
    assert.deepEqual(faults, [])
  })

  it('and would find one', () => {
    const [{ request, answer }] = samples as [Sample]
    const without = { ...(request.json as object), amount: 15 }
    assert.notDeepEqual(faultsIn({ request: { ...request, json: without }, answer }), [])
    const hurried = { ...request, headers: { ...request.headers, 'x-correlationid': 'once' } }
    assert.notDeepEqual(faultsIn({ request: hurried, answer }), [])
    assert.notDeepEqual(faultsIn({ request, answer: { ...answer, status: 418 } }), [])
  })

  it('and has every code that our table has', () => {
    const { enum: codes } = SPECIFICATION.components.schemas.errorObject.properties.errorCode
    assert.deepEqual(Object.keys(CODES).toSorted(), [...codes].toSorted())
  })
})
