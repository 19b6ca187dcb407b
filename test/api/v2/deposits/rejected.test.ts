import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant } from '../../../../harness/merchant.ts'
import { startReceiver } from '../../../../harness/receiver.ts'
import { depositBody, eventually, payer } from '../../../../harness/service.ts'
import { assertNoWorkLeft, counted, shareService } from '../../../../harness/share.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await shareService()
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { deposit: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

const zambian = (phoneNumber: string) => ({ payer: payer(phoneNumber, 'MTN_MOMO_ZMB') })
const rwandan = (amount: string) => ({
  amount,
  currency: 'RWF',
  payer: payer('250783456789', 'MTN_MOMO_RWA'),
})
const LIMITS = /more than '1' and less than '20000'.*'MTN_MOMO_ZMB'/

/** A request, the code of its refusal, and what the message names. */
const REFUSALS: readonly (readonly [what: string, change: object, code: string, says: RegExp])[] = [
  [
    'a provider without its country',
    { payer: payer('260763456789', 'MTN') },
    'INVALID_PROVIDER',
    /'MTN' .* Did you mean 'MTN_MOMO_ZMB'\?/,
  ],
  ['an unknown provider', { payer: payer('1', 'NOBODY') }, 'INVALID_PROVIDER', /'NOBODY'/],
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
    'too little elsewhere',
    rwandan('4'),
    'AMOUNT_OUT_OF_BOUNDS',
    /more than '5' and less than '2000000'/,
  ],
]

describe('a well-formed request is answered with 200 and REJECTED, for', () => {
  for (const [what, change, code, says] of REFUSALS) {
    it(`${what}: ${code}`, async () => {
      const { id: depositId, ...answer } = await service.deposit({ ...change })
      assertAnswer(answer, 200, refused(code, says, { depositId }))
      const found = await service.get(`/v2/deposits/${depositId}`)
      assertAnswer(found, 200, { status: 'NOT_FOUND' })
    })
  }
})

describe('a provider that is', () => {
  const control = { provider: 'MTN_MOMO_ZMB', operationType: 'DEPOSIT' }
  for (const status of ['CLOSED', 'DELAYED']) {
    it(`${status} takes no deposit, and takes it when it is open again`, async () => {
      await service.put('/sandbox/availability', { ...control, status })
      const body = depositBody()
      const { depositId } = body
      const says = /'MTN_MOMO_ZMB'.*availability/
      assertAnswer(
        await service.post('/v2/deposits', body),
        200,
        refused('PROVIDER_TEMPORARILY_UNAVAILABLE', says, { depositId }),
      )
      await service.put('/sandbox/availability', { ...control, status: 'OPERATIONAL' })
      assert.equal((await service.post('/v2/deposits', body)).body.status, 'ACCEPTED')
    })
  }
})

it('a provider that the account does not have: INVALID_PROVIDER', async () => {
  const merchant = await addMerchant(service, { providers: ['MPESA_KEN'] })
  const body = depositBody()
  const { depositId } = body
  assertAnswer(
    await merchant.call('POST', '/v2/deposits', body),
    200,
    refused('INVALID_PROVIDER', /'MTN_MOMO_ZMB'/, { depositId }),
  )
})

it('a refused identifier is not used up, and is echoed as sent', async () => {
  const depositId = randomUUID().toUpperCase()
  for (let times = 0; times < 2; times += 1) {
    const { body } = await service.deposit({ depositId, amount: '0' })
    assert.deepEqual([body.depositId, body.status], [depositId, 'REJECTED'])
  }
  const { body } = await service.deposit({ depositId })
  assert.deepEqual([body.depositId, body.status], [depositId, 'ACCEPTED'])
  await service.reaches(depositId, 'COMPLETED')
})

it('refused requests store, send and post nothing', async () => {
  const state = async () => {
    return { counts: await counted(service), received: receiver.received.length }
  }
  const settled = await service.deposit()
  await service.reaches(settled.id, 'COMPLETED')
  const list = `/sandbox/deliveries?paymentId=${settled.id}`
  await eventually(async () =>
    assert.equal((await service.get(list)).body[0].delivery, 'DELIVERED'),
  )
  // What an earlier test left under way would be counted.
  await assertNoWorkLeft(service)
  const before = await state()
  await Promise.all(REFUSALS.map(([, change]) => service.deposit({ ...change })))
  assert.deepEqual(await state(), before)
})
