import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant } from '../../../../harness/merchant.ts'
import {
  recipient,
  remittanceBody,
  remitterOf,
  setRemittances,
} from '../../../../harness/remittances.ts'
import { counted, shareService } from '../../../../harness/share.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await shareService()
after(service.stop)
const { remit, reaches, status } = remitterOf(service)

const zambian = (phoneNumber: string) => ({ recipient: recipient(phoneNumber) })
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
  ['four decimals', { amount: '5.0001' }, 'INVALID_AMOUNT', /'5.0001'/],
  ['zero', { amount: '0' }, 'AMOUNT_OUT_OF_BOUNDS', LIMITS],
  ['too little', { amount: '0.99' }, 'AMOUNT_OUT_OF_BOUNDS', LIMITS],
  ['too much', { amount: '20000.01' }, 'AMOUNT_OUT_OF_BOUNDS', LIMITS],
  ['all digits', { amount: '999999999999999999' }, 'AMOUNT_OUT_OF_BOUNDS', LIMITS],
]

describe('a well-formed request is answered with 200 and REJECTED, for', () => {
  for (const [what, change, code, says] of REFUSALS) {
    it(`${what}: ${code}`, async () => {
      const { id: remittanceId, ...answer } = await remit({ ...change })
      assertAnswer(answer, 200, refused(code, says, { remittanceId }))
      assertAnswer(await status(remittanceId), 200, { status: 'NOT_FOUND' })
    })
  }
})

it('a provider that is CLOSED takes no remittance, and takes it when it is open again', async () => {
  await setRemittances(service, 'CLOSED')
  const body = remittanceBody()
  const { remittanceId } = body
  assertAnswer(
    await service.post('/v2/remittances', body),
    200,
    refused('PROVIDER_TEMPORARILY_UNAVAILABLE', /'MTN_MOMO_ZMB'.*availability/, { remittanceId }),
  )
  await setRemittances(service, 'OPERATIONAL')
  assert.equal((await service.post('/v2/remittances', body)).body.status, 'ACCEPTED')
  await reaches(remittanceId, 'COMPLETED')
})

it('a provider that is closed for payouts takes remittances', async () => {
  const control = { provider: 'MTN_MOMO_ZMB', operationType: 'PAYOUT' }
  await service.put('/sandbox/availability', { ...control, status: 'CLOSED' })
  const { id, body } = await remit()
  await service.put('/sandbox/availability', { ...control, status: 'OPERATIONAL' })
  assert.equal(body.status, 'ACCEPTED')
  await reaches(id, 'COMPLETED')
})

it('a provider that the account does not have: INVALID_PROVIDER', async () => {
  const merchant = await addMerchant(service, { providers: ['MPESA_KEN'] })
  const body = remittanceBody()
  const { remittanceId } = body
  assertAnswer(
    await merchant.call('POST', '/v2/remittances', body),
    200,
    refused('INVALID_PROVIDER', /'MTN_MOMO_ZMB'/, { remittanceId }),
  )
})

it('a refused identifier is not used up, and is echoed as sent', async () => {
  const remittanceId = randomUUID().toUpperCase()
  for (let times = 0; times < 2; times += 1) {
    const { body } = await remit({ remittanceId, amount: '0' })
    assert.deepEqual([body.remittanceId, body.status], [remittanceId, 'REJECTED'])
  }
  const { body } = await remit({ remittanceId })
  assert.deepEqual([body.remittanceId, body.status], [remittanceId, 'ACCEPTED'])
  await reaches(remittanceId, 'COMPLETED')
})

it('refused requests store and hold nothing, and owe no callback', async () => {
  const settled = await remit()
  await reaches(settled.id, 'COMPLETED')
  const state = () => counted(service)
  const before = await state()
  await Promise.all(REFUSALS.map(([, change]) => remit({ ...change })))
  assert.deepEqual(await state(), before)
})
