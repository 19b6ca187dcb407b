import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import {
  balanceOf,
  MTN,
  payoutBody,
  reachesPayout,
  recipient,
  setBalance,
  switchPayouts,
} from '../../../../harness/payouts.ts'
import { startReceiver } from '../../../../harness/receiver.ts'
import { eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer } from '../../../support/shapes.ts'

const service = await shareService('moving clock')
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { payout: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

/** A first request that is accepted, a second one with its identifier, and how the first ends. */
const REPEATS: readonly (readonly [what: string, first: object, second: object, ending: string])[] =
  [
    ['the same request', {}, {}, 'COMPLETED'],
    ['another amount', {}, { amount: '99' }, 'COMPLETED'],
    [
      'another recipient',
      {},
      { recipient: recipient('260973456789', 'AIRTEL_OAPI_ZMB') },
      'COMPLETED',
    ],
    [
      'money of another wallet',
      {},
      { amount: '50', currency: 'RWF', recipient: recipient('250783456789', 'MTN_MOMO_RWA') },
      'COMPLETED',
    ],
    ['an amount that would be refused', {}, { amount: '20001' }, 'COMPLETED'],
    ['a currency that would be refused', {}, { currency: 'KES' }, 'COMPLETED'],
    ['a number that would be refused', {}, { recipient: recipient('1', MTN) }, 'COMPLETED'],
    ['a provider that would be refused', {}, { recipient: recipient('1', 'NOBODY') }, 'COMPLETED'],
    ['a first one that failed', { recipient: recipient('260763456119', MTN) }, {}, 'FAILED'],
    [
      'a first one that is still running',
      { recipient: recipient('260763456129', MTN) },
      {},
      'PROCESSING',
    ],
  ]

describe('a repeated identifier is a duplicate and changes nothing, with', () => {
  for (const [what, first, second, ending] of REPEATS) {
    it(what, async () => {
      const body = payoutBody({ ...first })
      const payoutId: string = body.payoutId
      const { created } = (await service.post('/v2/payouts', body)).body
      const again = await service.post('/v2/payouts', { ...body, ...second })
      assertAnswer(again, 200, { payoutId, status: 'DUPLICATE_IGNORED', created })
      const { data } = (await service.get(`/v2/payouts/${payoutId}`)).body
      assert.deepEqual(
        [data.amount, data.recipient, data.created],
        [body.amount, body.recipient, created],
      )
      await reachesPayout(service, payoutId, ending)
    })
  }
})

it('an identifier is case-insensitive, and echoed as sent', async () => {
  const body = payoutBody({ payoutId: randomUUID().toUpperCase() })
  const { created } = (await service.post('/v2/payouts', body)).body
  for (const payoutId of [body.payoutId.toLowerCase(), body.payoutId]) {
    const answer = await service.post('/v2/payouts', { ...body, payoutId })
    assertAnswer(answer, 200, { payoutId, status: 'DUPLICATE_IGNORED', created })
  }
  const { data } = (await service.get(`/v2/payouts/${body.payoutId.toLowerCase()}`)).body
  assert.equal(data.payoutId, body.payoutId)
})

describe('a repeat is a duplicate while the provider is', () => {
  for (const status of ['CLOSED', 'DELAYED'] as const) {
    it(status, async () => {
      const body = payoutBody()
      const { payoutId } = body
      const { created } = (await service.post('/v2/payouts', body)).body
      await switchPayouts(service, status)
      const again = await service.post('/v2/payouts', body)
      await switchPayouts(service, 'OPERATIONAL')
      assertAnswer(again, 200, { payoutId, status: 'DUPLICATE_IGNORED', created })
      await reachesPayout(service, payoutId, 'COMPLETED')
    })
  }
})

it('a payout that failed for lack of funds is not tried again, although there is money now', async () => {
  const before = await balanceOf(service)
  await setBalance(service, '0')
  const body = payoutBody()
  await service.post('/v2/payouts', body)
  await reachesPayout(service, body.payoutId, 'FAILED')
  await setBalance(service, before)
  const { status } = (await service.post('/v2/payouts', body)).body
  assert.equal(status, 'DUPLICATE_IGNORED')
  await reachesPayout(service, body.payoutId, 'FAILED')
  assert.equal(await balanceOf(service), before)
})

it('a repeat while the wallet is empty is a duplicate of the one that was paid', async () => {
  const before = await balanceOf(service)
  const body = payoutBody()
  const { created } = (await service.post('/v2/payouts', body)).body
  await reachesPayout(service, body.payoutId, 'COMPLETED')
  await setBalance(service, '0')
  const again = await service.post('/v2/payouts', body)
  await setBalance(service, before)
  const { payoutId } = body
  assertAnswer(again, 200, { payoutId, status: 'DUPLICATE_IGNORED', created })
})

it('the time of creation stays, however much later it is repeated', async () => {
  const body = payoutBody()
  const { created } = (await service.post('/v2/payouts', body)).body
  await service.advance(3600)
  assert.equal((await service.post('/v2/payouts', body)).body.created, created)
})

it('of simultaneous requests with one identifier only one is accepted and paid', async () => {
  const before = Number(await balanceOf(service, 'UGA'))
  const body = payoutBody({
    amount: '500',
    currency: 'UGX',
    recipient: recipient('256783456789', 'MTN_MOMO_UGA'),
  })
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => {
      const payoutId = index % 2 === 0 ? body.payoutId : body.payoutId.toUpperCase()
      return service.post('/v2/payouts', { ...body, payoutId })
    }),
  )
  const statuses = answers.map((answer) => answer.body.status).toSorted()
  assert.deepEqual(statuses, ['ACCEPTED', ...Array(39).fill('DUPLICATE_IGNORED')])
  assert.equal(new Set(answers.map((answer) => answer.body.created)).size, 1)
  await reachesPayout(service, body.payoutId, 'COMPLETED')
  assert.equal(Number(await balanceOf(service, 'UGA')), before - 500)
})

it('a duplicate has no callback of its own', async () => {
  const body = payoutBody()
  for (let times = 0; times < 3; times += 1) await service.post('/v2/payouts', body)
  const list = async () =>
    (await service.get(`/sandbox/deliveries?paymentId=${body.payoutId}`)).body
  await eventually(async () => assert.equal((await list())[0]?.delivery, 'DELIVERED'))
  const [only, ...others] = await list()
  assert.deepEqual([only.attempts.length, others.length], [1, 0])
})
