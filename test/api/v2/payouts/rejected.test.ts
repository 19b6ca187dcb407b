import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant } from '../../../../harness/merchant.ts'
import {
  balanceOf,
  MTN,
  payout,
  payoutBody,
  reachesPayout,
  recipient,
  switchPayouts,
} from '../../../../harness/payouts.ts'
import { startReceiver } from '../../../../harness/receiver.ts'
import { eventually } from '../../../../harness/service.ts'
import { assertNoWorkLeft, counted, shareService } from '../../../../harness/share.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await shareService()
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { payout: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

const zambian = (phoneNumber: string) => ({ recipient: recipient(phoneNumber, MTN) })
const rwandan = (amount: string) => ({
  amount,
  currency: 'RWF',
  recipient: recipient('250783456789', 'MTN_MOMO_RWA'),
})
const LIMITS = /more than '1' and less than '20000'.*'MTN_MOMO_ZMB'/

/** A request, the code of its refusal, and what the message names. */
const REFUSALS: readonly (readonly [what: string, change: object, code: string, says: RegExp])[] = [
  ['an unknown provider', { recipient: recipient('1', 'NOBODY') }, 'INVALID_PROVIDER', /'NOBODY'/],
  ['a currency', { currency: 'KES' }, 'INVALID_CURRENCY', /'KES'.*'MTN_MOMO_ZMB'/],
  ['a currency that exists nowhere', { currency: 'XXX' }, 'INVALID_CURRENCY', /'XXX'/],
  ['a country', zambian('254703456789'), 'INVALID_PHONE_NUMBER', /'254703456789'.*'MTN_MOMO_ZMB'/],
  ['a short number', zambian('26076345678'), 'INVALID_PHONE_NUMBER', /'26076345678'/],
  ['a long number', zambian('2607634567890'), 'INVALID_PHONE_NUMBER', /'2607634567890'/],
  ['a national number', zambian('0763456789'), 'INVALID_PHONE_NUMBER', /'0763456789'/],
  ['decimals', rwandan('5.50'), 'INVALID_AMOUNT', /'5.50'.*'MTN_MOMO_RWA'.*whole amounts/],
  ['three decimals', { amount: '5.555' }, 'INVALID_AMOUNT', /'5.555'.*at most 2 decimal/],
  ['three decimals and a zero', { amount: '5.5550' }, 'INVALID_AMOUNT', /'5.5550'/],
  ['four decimals', { amount: '5.0001' }, 'INVALID_AMOUNT', /'5.0001'/],
  ['zero', { amount: '0' }, 'AMOUNT_OUT_OF_BOUNDS', LIMITS],
  ['zero with decimals', { amount: '0.00' }, 'AMOUNT_OUT_OF_BOUNDS', LIMITS],
  ['too little', { amount: '0.99' }, 'AMOUNT_OUT_OF_BOUNDS', LIMITS],
  ['too much', { amount: '20000.01' }, 'AMOUNT_OUT_OF_BOUNDS', LIMITS],
  ['all digits', { amount: '999999999999999999' }, 'AMOUNT_OUT_OF_BOUNDS', LIMITS],
  [
    // Deposits of this provider begin elsewhere: the limits are those of the operation.
    'too little for a payout',
    { amount: '999', currency: 'CDF', recipient: recipient('243813456789', 'VODACOM_MPESA_COD') },
    'AMOUNT_OUT_OF_BOUNDS',
    /more than '1000' and less than '1000000'/,
  ],
]

describe('a well-formed request is answered with 200 and REJECTED, for', () => {
  for (const [what, change, code, says] of REFUSALS) {
    it(`${what}: ${code}`, async () => {
      const { id: payoutId, ...answer } = await payout(service, { ...change })
      assertAnswer(answer, 200, refused(code, says, { payoutId }))
      const found = await service.get(`/v2/payouts/${payoutId}`)
      assertAnswer(found, 200, { status: 'NOT_FOUND' })
    })
  }
})

it('a provider that is CLOSED takes no payout, and takes it when it is open again', async () => {
  await switchPayouts(service, 'CLOSED')
  const body = payoutBody()
  const { payoutId } = body
  const says = /'MTN_MOMO_ZMB'.*availability/
  assertAnswer(
    await service.post('/v2/payouts', body),
    200,
    refused('PROVIDER_TEMPORARILY_UNAVAILABLE', says, { payoutId }),
  )
  await switchPayouts(service, 'OPERATIONAL')
  assert.equal((await service.post('/v2/payouts', body)).body.status, 'ACCEPTED')
})

describe('a provider whose deposits are', () => {
  for (const status of ['CLOSED', 'DELAYED'] as const) {
    it(`${status} still pays out`, async () => {
      const entry = { provider: MTN, operationType: 'DEPOSIT' }
      await service.put('/sandbox/availability', { ...entry, status })
      const { id, body } = await payout(service)
      await service.put('/sandbox/availability', { ...entry, status: 'OPERATIONAL' })
      assert.equal(body.status, 'ACCEPTED')
      await reachesPayout(service, id, 'COMPLETED')
    })
  }
})

it('a provider that the account does not have: INVALID_PROVIDER', async () => {
  const merchant = await addMerchant(service, { providers: ['MPESA_KEN'] })
  const body = payoutBody()
  const { payoutId } = body
  assertAnswer(
    await merchant.call('POST', '/v2/payouts', body),
    200,
    refused('INVALID_PROVIDER', /'MTN_MOMO_ZMB'/, { payoutId }),
  )
})

it('a refused identifier is not used up, and is echoed as sent', async () => {
  const payoutId = randomUUID().toUpperCase()
  for (let times = 0; times < 2; times += 1) {
    const { body } = await payout(service, { payoutId, amount: '0' })
    assert.deepEqual([body.payoutId, body.status], [payoutId, 'REJECTED'])
  }
  const { body } = await payout(service, { payoutId })
  assert.deepEqual([body.payoutId, body.status], [payoutId, 'ACCEPTED'])
  await reachesPayout(service, payoutId, 'COMPLETED')
})

it('refused requests store, send, hold and post nothing', async () => {
  const state = async () => {
    return {
      counts: await counted(service),
      received: receiver.received.length,
      balance: await balanceOf(service),
    }
  }
  const settled = await payout(service)
  await reachesPayout(service, settled.id, 'COMPLETED')
  const list = `/sandbox/deliveries?paymentId=${settled.id}`
  await eventually(async () =>
    assert.equal((await service.get(list)).body[0].delivery, 'DELIVERED'),
  )
  // What an earlier test left under way would be counted.
  await assertNoWorkLeft(service)
  const before = await state()
  await Promise.all(REFUSALS.map(([, change]) => payout(service, { ...change })))
  assert.deepEqual(await state(), before)
})
