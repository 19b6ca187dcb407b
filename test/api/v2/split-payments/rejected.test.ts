import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant } from '../../../../harness/merchant.ts'
import { setAvailability } from '../../../../harness/refunds.ts'
import { payer } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { part, split, splitBody, splitReaches, storedOf } from '../../../../harness/splits.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await shareService()
after(service.stop)

const from = (phoneNumber: string, provider = 'MTN_MOMO_ZMB') => ({
  payer: payer(phoneNumber, provider),
})
/** The payout that is at fault stands behind one that is not. */
const last = (one: object) => ({ splits: [part('1'), one] })
const LIMITS = /more than '1' and less than '20000'.*'MTN_MOMO_ZMB'/

/** A request, the code of its refusal, and what the message names. */
const REFUSALS: readonly (readonly [what: string, change: object, code: string, says: RegExp])[] = [
  ['an unknown provider', from('1', 'NOBODY'), 'INVALID_PROVIDER', /'NOBODY'/],
  ['an unknown provider', last(part('1', '1', 'NOBODY')), 'INVALID_PROVIDER', /'NOBODY'/],
  ['a currency', { currency: 'KES' }, 'INVALID_CURRENCY', /'KES'.*'MTN_MOMO_ZMB'/],
  ['a number', from('254703456789'), 'INVALID_PHONE_NUMBER', /'254703456789'/],
  ['a number', last(part('1', '26076345678')), 'INVALID_PHONE_NUMBER', /'26076345678'/],
  ['decimals', { amount: '50.555', ...last(part('1')) }, 'INVALID_AMOUNT', /'50.555'/],
  ['decimals', last(part('5.555')), 'INVALID_AMOUNT', /'5.555'/],
  ['too little', { amount: '0.50', splits: [part('1')] }, 'AMOUNT_OUT_OF_BOUNDS', LIMITS],
  ['too little', last(part('0.50')), 'AMOUNT_OUT_OF_BOUNDS', LIMITS],
  ['zero', last(part('0')), 'AMOUNT_OUT_OF_BOUNDS', LIMITS],
  ['too much', { amount: '20000.01' }, 'AMOUNT_OUT_OF_BOUNDS', LIMITS],
  ['too much', last(part('20000.01')), 'AMOUNT_OUT_OF_BOUNDS', LIMITS],
  [
    'one payout above the deposit',
    { splits: [part('100.01')] },
    'PAYOUT_EXCEEDS_DEPOSIT',
    /'100.01'.*'100'/,
  ],
  [
    'a sum above the deposit',
    { splits: [part('50'), part('50.01')] },
    'PAYOUT_EXCEEDS_DEPOSIT',
    /'100.01'.*'100'/,
  ],
  [
    'twenty payouts above the deposit',
    { splits: Array.from({ length: 20 }, () => part('5.01')) },
    'PAYOUT_EXCEEDS_DEPOSIT',
    /'100.20'/,
  ],
  [
    'a payout to another country with the same currency',
    {
      amount: '1000',
      currency: 'XOF',
      payer: payer('22951345678', 'MTN_MOMO_BEN'),
      splits: [part('500', '221773456789', 'ORANGE_SEN')],
    },
    'INVALID_PROVIDER',
    /'ORANGE_SEN'.*'BEN'/,
  ],
]

describe('a well-formed request is answered with 200 and REJECTED, for', () => {
  for (const [what, change, code, says] of REFUSALS) {
    const where = 'splits' in change ? 'a payout' : 'the deposit'
    it(`${what} (${where}): ${code}`, async () => {
      const { id: splitPaymentId, parts, ...answer } = await split(service, { ...change })
      assertAnswer(answer, 200, refused(code, says, { splitPaymentId }))
      const path = `/v2/split-payments/${splitPaymentId}`
      assertAnswer(await service.get(path), 200, { status: 'NOT_FOUND' })
      assert.equal((await service.get(`/v2/deposits/${splitPaymentId}`)).body.status, 'NOT_FOUND')
      assert.deepEqual(await storedOf(service), {
        splits: 0,
        payments: 0,
        events: 0,
        transfers: await adjustments(),
        callbacks: 0,
      })
    })
  }
})

describe('a provider that is', () => {
  for (const [operation, status, isRefused] of [
    ['DEPOSIT', 'CLOSED', true],
    ['DEPOSIT', 'DELAYED', true],
    ['PAYOUT', 'CLOSED', true],
    ['PAYOUT', 'DELAYED', false],
  ] as const) {
    it(`${status} for ${operation} ${isRefused ? 'takes no' : 'takes a'} split payment`, async () => {
      await setAvailability(service, operation, status)
      const body = splitBody()
      const { splitPaymentId } = body
      const answer = await service.post('/v2/split-payments', body)
      const code = 'PROVIDER_TEMPORARILY_UNAVAILABLE'
      if (isRefused) assertAnswer(answer, 200, refused(code, /'MTN_MOMO_ZMB'/, { splitPaymentId }))
      else assert.equal(answer.body.status, 'ACCEPTED')
      await setAvailability(service, operation, 'OPERATIONAL')
      const again = await service.post('/v2/split-payments', body)
      assert.equal(again.body.status, isRefused ? 'ACCEPTED' : 'DUPLICATE_IGNORED')
      await splitReaches(service, splitPaymentId, 'COMPLETED')
    })
  }
})

it('a provider that the account does not have: INVALID_PROVIDER', async () => {
  const merchant = await addMerchant(service, { providers: ['MTN_MOMO_ZMB'] })
  const body = splitBody({ splits: [part('1', '260973456789', 'AIRTEL_OAPI_ZMB')] })
  const { splitPaymentId } = body
  assertAnswer(
    await merchant.call('POST', '/v2/split-payments', body),
    200,
    refused('INVALID_PROVIDER', /'AIRTEL_OAPI_ZMB'/, { splitPaymentId }),
  )
})

it('refused identifiers are not used up, those of the payouts neither', async () => {
  const body = splitBody({ splitPaymentId: randomUUID().toUpperCase() })
  const { splitPaymentId } = body
  const first = await service.post('/v2/split-payments', { ...body, amount: '10' })
  assert.equal(first.body.failureReason.failureCode, 'PAYOUT_EXCEEDS_DEPOSIT')
  const second = await service.post('/v2/split-payments', body)
  assert.deepEqual([second.body.splitPaymentId, second.body.status], [splitPaymentId, 'ACCEPTED'])
  await splitReaches(service, splitPaymentId, 'COMPLETED')
})

/** Wallets are funded by transfers of their own. */
async function adjustments(): Promise<number> {
  const rows = await service.database.query(
    `select from transfers where merchant_id = $1 and cause = 'ADJUSTMENT'`,
    [service.merchantId],
  )
  return rows.length
}
