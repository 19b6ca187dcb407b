import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, it } from 'node:test'
import { addMerchant, addToken, callerWith } from '../../harness/merchant.ts'
import { payoutBody } from '../../harness/payouts.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { depositBody, eventually, payer } from '../../harness/service.ts'
import { shareService } from '../../harness/share.ts'
import type { Scope } from '../../src/domain/accounts/token.ts'
import { assertAnswer, reason } from '../support/shapes.ts'

/** What programs look up: payments by what is known of them, stories, callbacks. */
const service = await shareService()
const receiver = await startReceiver()
after(async () => {
  await service.stop()
  await receiver.close()
})
await service.put('/sandbox/callbacks', { deposit: receiver.url })

const NUMBER = '260763334789'
const paid = depositBody({
  clientReferenceId: 'INV-7001',
  metadata: [{ orderId: 'ORD-7001' }, { customer: 'amina@example.com', isPII: true }],
  payer: payer(NUMBER, 'MTN_MOMO_ZMB'),
})
const failed = depositBody({ payer: payer('260763456039', 'MTN_MOMO_ZMB') })
const payout = payoutBody()
await service.post('/v2/deposits', paid)
await service.reaches(paid.depositId, 'COMPLETED')
await service.post('/v2/deposits', failed)
await service.reaches(failed.depositId, 'FAILED')
await service.post('/v2/payouts', payout)

type Found = { readonly kind: string; readonly data: Record<string, string> }
const idOf = ({ data }: Found): string | undefined => data.depositId ?? data.payoutId
const find = async (query: Record<string, string>, of = service): Promise<readonly Found[]> => {
  const { status, body } = await of.call('GET', `/payments?${new URLSearchParams(query)}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.payments
}

it('payments are found by everything that is known of them, and by nothing else', async () => {
  const record = (await service.get(`/v2/deposits/${paid.depositId}`)).body.data
  const questions = [
    { clientReferenceId: 'INV-7001' },
    { phoneNumber: NUMBER },
    { metadata: 'ORD-7001' },
    { metadata: 'amina@example.com' },
    { providerTransactionId: record.providerTransactionId },
    { clientReferenceId: 'INV-7001', phoneNumber: NUMBER, kind: 'deposit', status: 'COMPLETED' },
  ]
  for (const question of questions) {
    assert.deepEqual(await find(question), [{ kind: 'deposit', data: record }])
  }
  for (const question of [
    { clientReferenceId: 'INV-700' },
    { clientReferenceId: 'INV-7001', status: 'FAILED' },
    { clientReferenceId: 'INV-7001', kind: 'payout' },
    { clientReferenceId: 'INV-7001', to: '2020-01-01T00:00:00Z' },
  ]) {
    assert.deepEqual(await find(question), [])
  }
  assert.deepEqual((await find({ status: 'FAILED' })).map(idOf), [failed.depositId])
})

it('pages follow each other, newest first, to the last one', async () => {
  const seen: (string | undefined)[] = []
  for (let next: string | undefined = ''; next !== undefined; ) {
    const { body } = await service.get(`/payments?limit=1&after=${next}`)
    assert.equal(body.payments.length, 1)
    seen.push(idOf(body.payments[0]))
    next = body.next
  }
  assert.deepEqual(seen, [payout.payoutId, failed.depositId, paid.depositId])
})

it('a token sees the kinds that it may read, and another merchant sees nothing', async () => {
  const as = async (scopes: readonly Scope[]) =>
    callerWith(service, await addToken(service, service.merchantId, scopes))
  const payouts = await as(['payouts:read'])
  const { body } = await payouts.call('GET', '/payments')
  assert.deepEqual(body.payments.map(idOf), [payout.payoutId])
  assertAnswer(
    await payouts.call('GET', '/payments?kind=deposit'),
    403,
    reason('AUTHORISATION_ERROR'),
  )
  assertAnswer(await payouts.call('GET', `/payments/${paid.depositId}`), 404, reason('NOT_FOUND'))
  const other = await addMerchant(service)
  assert.deepEqual((await other.call('GET', '/payments')).body.payments, [])
  assert.deepEqual((await other.call('GET', '/callbacks')).body.callbacks, [])
  assert.equal((await other.call('GET', `/payments/${paid.depositId}`)).status, 404)
  assert.equal((await other.call('GET', `/callbacks?paymentId=${paid.depositId}`)).status, 404)
})

it('a story has states, money and callbacks, as far as the token may see them', async () => {
  type Event = { readonly at: string; readonly type: string; readonly text: string }
  const eventsFor = async (scopes: readonly Scope[]): Promise<readonly Event[]> => {
    const { call } = callerWith(service, await addToken(service, service.merchantId, scopes))
    const { body } = await call('GET', `/payments/${paid.depositId.toUpperCase()}`)
    assert.equal(body.payments.length, 1)
    return body.payments[0].events
  }
  const all = await eventually(async () => {
    const events = await eventsFor(['deposits:read', 'finances:read', 'callbacks:read'])
    assert.ok(events.some(({ type, text }) => type === 'CALLBACK' && text.endsWith(': 200')))
    return events
  })
  const texts = (type: string) => all.filter((one) => one.type === type).map(({ text }) => text)
  assert.deepEqual([texts('STATE')[0], texts('STATE').at(-1)], ['ACCEPTED', 'COMPLETED'])
  assert.ok(texts('MONEY').some((text) => /^15 ZMW from .* to wallet:ZMB:ZMW$/.test(text)))
  // On a machine that stands still there may be attempts before it.
  assert.ok(
    texts('CALLBACK').every((text) => text.startsWith(`COMPLETED to ${receiver.url}, attempt `)),
  )
  const times = all.map(({ at }) => at)
  assert.deepEqual(times, times.toSorted())
  const few = await eventsFor(['deposits:read'])
  assert.ok(few.every(({ type }) => type === 'STATE' || type === 'OPERATOR'))
})

it('callbacks are listed by what became of them, and of one payment with every attempt', async () => {
  receiver.answer(500)
  const { id } = await service.deposit()
  const { callbacks } = await eventually(async () => {
    const { body } = await service.get(`/callbacks?paymentId=${id}`)
    assert.equal(body.callbacks[0]?.attempts.at(-1)?.httpStatus, 500)
    return body
  })
  const [one] = callbacks
  assert.deepEqual(
    [one.kind, one.paymentId, one.status, one.delivery, one.tries, one.httpStatus],
    ['deposit', id, 'COMPLETED', 'PENDING', one.attempts.length, 500],
  )
  assert.ok(one.nextAttempt > one.attempts.at(-1).at)
  assert.doesNotMatch(JSON.stringify(callbacks), /2607/)
  const listed = async (query: string): Promise<readonly string[]> =>
    (await service.get(`/callbacks?${query}`)).body.callbacks.map(
      ({ paymentId }: { paymentId: string }) => paymentId,
    )
  assert.ok((await listed('delivery=PENDING')).includes(id))
  assert.ok((await listed('delivery=DELIVERED')).includes(paid.depositId))
  assert.ok(!(await listed('delivery=DELIVERED')).includes(id))
  assert.deepEqual(await listed('kind=payout'), [])
  receiver.answer(200)
})

it('a question that cannot be meant is refused by the name of what is wrong', async () => {
  const wrong = [
    '/payments?kind=loan',
    '/payments?status=WAITING',
    '/payments?phoneNumber=%2B260',
    '/payments?limit=0',
    '/payments?limit=101',
    '/payments?from=yesterday',
    '/payments?to=2026-13-45T00:00:00Z',
    '/payments?after=x',
    '/payments?metadata=a&metadata=b',
    '/payments/17',
    '/callbacks?paymentId=17',
    '/callbacks?delivery=LOST',
    '/callbacks?after=x',
  ]
  for (const path of wrong) {
    const name = /\?(\w+)=/.exec(path)?.[1] ?? 'paymentId'
    const says = new RegExp(`^The parameter '${name}' is not valid`)
    assertAnswer(await service.get(path), 400, reason('INVALID_PARAMETER', says))
  }
  assertAnswer(await service.get(`/payments/${randomUUID()}`), 404, reason('NOT_FOUND'))
})

it('what is personal in a question is not kept in the log of requests', async () => {
  await eventually(async () => {
    const rows = await service.database.query<{ path: string }>(
      `select path from api_requests where merchant_id = $1 and path like '/payments?%'`,
      [service.merchantId],
    )
    const paths = rows.map(({ path }) => path).join('\n')
    assert.match(paths, /phoneNumber=\*\*\*/)
    assert.match(paths, /metadata=\*\*\*/)
    assert.doesNotMatch(paths, /amina|260763334789/)
  })
})
