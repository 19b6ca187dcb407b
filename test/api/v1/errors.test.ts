import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant, addToken, callerWith } from '../../../harness/merchant.ts'
import { type Answer, depositBody, eventually } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import { suspendMerchant } from '../../../src/usecases/accounts/manage-merchants.ts'
import {
  assertDeprecated,
  assertEarlier,
  assertNotDeprecated,
  earlierError,
} from '../../support/earlier-generation.ts'
import { legacyDeposit } from '../../support/legacy-payments.ts'
import { assertAnswer } from '../../support/shapes.ts'

const service = await shareService()
after(service.stop)

const id = randomUUID()

/** Every call of the earlier generation, with what takes its place and what it asks of a token. */
const CALLS: readonly (readonly [
  method: string,
  path: string,
  successor: string,
  scope: string | undefined,
])[] = [
  ['POST', '/deposits', '/v2/deposits', 'deposits'],
  ['POST', '/deposits/bulk', '/v2/deposits', 'deposits'],
  ['GET', `/deposits/${id}`, `/v2/deposits/${id}`, 'deposits:read'],
  ['POST', '/deposits/resend-callback', moved('deposits', 'resend-callback'), 'deposits'],
  ['POST', '/payouts', '/v2/payouts', 'payouts'],
  ['POST', '/payouts/bulk', '/v2/payouts/bulk', 'payouts'],
  ['GET', `/payouts/${id}`, `/v2/payouts/${id}`, 'payouts:read'],
  ['POST', '/payouts/resend-callback', moved('payouts', 'resend-callback'), 'payouts'],
  ['POST', `/payouts/fail-enqueued/${id}`, `/v2/payouts/fail-enqueued/${id}`, 'payouts'],
  ['POST', '/payouts/fail-enqueued', moved('payouts', 'fail-enqueued'), 'payouts'],
  ['POST', '/refunds', '/v2/refunds', 'refunds'],
  ['GET', `/refunds/${id}`, `/v2/refunds/${id}`, 'refunds:read'],
  ['POST', '/refunds/resend-callback', moved('refunds', 'resend-callback'), 'refunds'],
  ['POST', '/refund/resend-callback', moved('refunds', 'resend-callback'), 'refunds'],
  ['POST', '/v1/widget/sessions', '/v2/paymentpage', 'payment-page'],
  ['GET', '/active-conf', '/v2/active-conf', 'toolkit:read'],
  ['GET', '/availability', '/v2/availability', 'toolkit:read'],
  ['POST', '/v1/predict-correspondent', '/v2/predict-provider', 'toolkit:read'],
  ['GET', '/v1/predict-correspondent', '/v2/predict-provider', 'toolkit:read'],
  ['GET', '/public-key/http', '/v2/public-key/http', undefined],
  ['GET', '/public-key/https', '/v2/public-key/http', undefined],
  ['GET', '/v1/wallet-balances', '/v2/wallet-balances', 'finances:read'],
  ['GET', '/v1/wallet-balances/ZMB', '/v2/wallet-balances?country=ZMB', 'finances:read'],
]

/** An identifier that was in the body has only its name in the address; braces are no part of one. */
function moved(group: string, action: string): string {
  return `/v2/${group}/${action}/%7B${group.slice(0, -1)}Id%7D`
}

const nameOf = (method: string, path: string): string => `${method} ${path.replace(id, '{id}')}`

it('the table below has every call of the earlier generation', () => {
  const served = service.node.endpoints
    .filter(({ replacement }) => replacement !== undefined)
    .map(({ method, path }) => `${method} ${path.replace(':country', 'ZMB').replace(/:\w+/, id)}`)
  assert.deepEqual(served.toSorted(), CALLS.map(([method, path]) => `${method} ${path}`).toSorted())
})

describe('every answer names the way out, whatever it says:', () => {
  for (const [method, path, successor, scope] of CALLS) {
    it(nameOf(method, path), async () => {
      const body = method === 'POST' ? '{}' : undefined
      assertDeprecated(await service.call(method, path, body), successor)
      if (scope === undefined) return
      const nobody = await callerWith(service, 'nobody').call(method, path, body)
      assertEarlier(nobody, 401, earlierError(2), successor)
    })
  }

  for (const [method, path, successor] of CALLS.filter(([, one]) => !one.includes('predict'))) {
    it(`with a method that ${path.replace(id, '{id}')} does not have`, async () => {
      for (const other of ['PUT', 'PATCH', 'DELETE', method === 'GET' ? 'POST' : 'GET']) {
        const answer = await service.call(other, path)
        // Identifiers and the last part of some paths look alike to the router.
        if (other === 'GET' && answer.headers.get('allow') === null) continue
        const says = new RegExp(`^${other} is not possible here\\. Use ${method}\\.$`)
        assertEarlier(answer, 405, earlierError(1, says), successor)
        assert.equal(answer.headers.get('allow'), method)
      }
    })
  }

  for (const [, path, successor] of CALLS.filter(([method]) => method === 'POST')) {
    it(`with a body over 1 MiB at ${path.replace(id, '{id}')}`, async () => {
      const answer = await service.post(path, ' '.repeat(1024 * 1024 + 1))
      assertEarlier(answer, 413, earlierError(1, /larger than 1 MiB/), successor)
    })
  }
})

it('a path that names nothing well has a way out without it', async () => {
  for (const [path, successor] of [
    ['/deposits/not%20an%20id', '/v2/deposits/%7BdepositId%7D'],
    [`/payouts/${'x'.repeat(3000)}`, '/v2/payouts/%7BpayoutId%7D'],
    ['/refunds/a%0d%0ab', '/v2/refunds/%7BrefundId%7D'],
    ['/v1/wallet-balances/%3E%3B', '/v2/wallet-balances?country=%7Bcountry%7D'],
  ] as const) {
    assertEarlier(await service.get(path), 400, earlierError(1), successor)
  }
})

describe('403 names the scope that is missing:', async () => {
  const merchant = await addMerchant(service)
  const { call } = callerWith(service, await addToken(service, merchant.id, ['sandbox']))
  for (const [method, path, successor, scope] of CALLS) {
    if (scope === undefined) continue
    it(nameOf(method, path), async () => {
      const answer = await call(method, path, method === 'POST' ? '{}' : undefined)
      const lacks = earlierError(3, new RegExp(`lacks the scope '${scope}'\\.$`))
      assertEarlier(answer, 403, lacks, successor)
    })
  }
})

it('a suspended account is answered with error 3', async () => {
  const merchant = await addMerchant(service)
  await service.database.inTransaction((tx) => suspendMerchant(tx, merchant.id, Date.now()))
  await eventually(async () => {
    const answer = await merchant.call('GET', '/active-conf')
    assertEarlier(answer, 403, earlierError(3, /suspended/), '/v2/active-conf')
  })
})

describe('text of the caller stays as it is, ours uses the terms of the generation:', () => {
  const texts = ['my provider is slow', "provider's PROCESSING", "it' provider 'and", 'PROCESSING']
  for (const text of texts) {
    it(text, async () => {
      const unknown = await service.post('/deposits', { ...legacyDeposit(), [text]: 1 })
      assert.ok(unknown.body.errorMessage.startsWith(`The parameter '${text}' is not known`))
      const bulk = await service.post('/deposits/bulk', [{ ...legacyDeposit(), [text]: 1 }])
      assert.ok(bulk.body.errorMessage.startsWith(`The parameter '[0].${text}' is not known`))
      const entry = { fieldName: text, fieldValue: '1' }
      const twice = await service.post('/deposits', legacyDeposit({ metadata: [entry, entry] }))
      assert.ok(twice.body.errorMessage.includes(`holds the name '${text}' more than once`))
    })
  }

  it('the value of a field of ours', async () => {
    const { body } = await service.post('/deposits', legacyDeposit({ correspondent: 'a provider' }))
    assert.match(body.errorMessage, /'correspondent' is not valid: expected a correspondent code/)
  })
})

it('nothing of the current generation is marked', async () => {
  const ask: readonly (() => Promise<Answer>)[] = [
    () => service.get('/v2/wallet-balances'),
    () => service.post('/v2/deposits', depositBody()),
    () => service.post('/v2/deposits', '{}'),
    () => service.get(`/v2/deposits/${id}`),
    () => service.get('/v2/deposits'),
    () => service.post('/v2/deposits', ' '.repeat(1024 * 1024 + 1)),
    () => service.get('/v2/nothing'),
    () => service.get('/v2/public-key/http', { authorization: 'Bearer nobody' }),
    () => service.get('/sandbox/migration'),
    () => service.get('/sandbox/clock'),
    () => service.get('/livez'),
    () => service.get('/openapi.json'),
    () => service.post('/docs', '{}'),
  ]
  for (const one of ask) assertNotDeprecated(await one())
})

it('an unknown path is error 1, and has nothing that could take its place', async () => {
  for (const path of ['/nothing', '/deposits/a/b', '/v1', '/v1/widget', '/Deposits']) {
    const answer = await service.post(path, '{}')
    assertAnswer(answer, 404, earlierError(1, /There is nothing at POST/))
    assertNotDeprecated(answer)
  }
})

it('every error has an identifier of its own, found in the log with the status', async () => {
  const answers = [
    await service.get('/nothing'),
    await service.put('/deposits', {}),
    await service.post('/deposits', ' '.repeat(1024 * 1024 + 1)),
    await service.post('/deposits', '{'),
    await service.get('/active-conf', { authorization: 'Bearer nobody' }),
  ]
  const ids = answers.map(({ body }) => body.errorId)
  assert.equal(new Set(ids).size, answers.length)
  for (const { status, body, headers } of answers) {
    const lines = service.logLines.filter((line) => line.includes(body.errorId))
    assert.equal(lines.length, 1)
    const { requestId, status: logged } = JSON.parse(lines[0] ?? '{}')
    assert.deepEqual([logged, requestId], [status, headers.get('x-request-id')])
  }
})
