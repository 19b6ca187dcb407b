import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type Amount, formatBalance, parseAmount } from '../../src/domain/amount.ts'
import type { MerchantId, PaymentId, PaymentKey } from '../../src/domain/ids.ts'
import type { Payment } from '../../src/domain/payments/payment.ts'
import type { PaymentState } from '../../src/domain/payments/payment-state.ts'
import {
  depositNotFound,
  refundAmount,
  refusalOfDeposit,
} from '../../src/domain/payments/refund.ts'

const DEPOSIT: Payment = {
  merchantId: 1 as MerchantId,
  kind: 'deposit',
  id: 'f4401bd2-1568-4140-bf2d-eb77d2b2b639' as PaymentId,
  idAsSent: 'F4401BD2-1568-4140-BF2D-EB77D2B2B639',
  key: '018f4e2a-7b6c-7d3e-9f10-aabbccddeeff' as PaymentKey,
  generation: 'v2',
  state: 'COMPLETED',
  amount: '100',
  currency: 'ZMW',
  country: 'ZMB',
  provider: 'MTN_MOMO_ZMB',
  phoneNumber: '260763456789',
  details: {},
  createdAt: 0,
}

const cents = (value: number): Amount => BigInt(value * 100) as Amount

/** What was given back of a deposit of 100 so far, what is asked, and the amount or the refusal. */
const REQUESTS: readonly (readonly [
  refunded: number,
  isUnderWay: boolean,
  asked: string | undefined,
  outcome: string,
])[] = [
  [0, false, undefined, '100'],
  [0, false, '100', '100'],
  [0, false, '100.00', '100.00'],
  [0, false, '100.0001', 'AMOUNT_TOO_LARGE'],
  [0, false, '20', '20'],
  [0, false, '0', '0'],
  [40_00, false, undefined, '60.00'],
  [40_00, false, '60', '60'],
  [40_00, false, '60.0000', '60.0000'],
  [40_00, false, '60.0001', 'AMOUNT_TOO_LARGE'],
  [40_50, false, undefined, '59.50'],
  [99_99, false, undefined, '0.01'],
  [100_00, false, undefined, 'DEPOSIT_ALREADY_REFUNDED'],
  [100_00, false, '0', 'DEPOSIT_ALREADY_REFUNDED'],
  [100_00, false, '1', 'DEPOSIT_ALREADY_REFUNDED'],
  [100_00, false, '1000', 'DEPOSIT_ALREADY_REFUNDED'],
  [0, true, undefined, 'REFUND_IN_PROGRESS'],
  [0, true, '1', 'REFUND_IN_PROGRESS'],
  [40_00, true, '1000', 'REFUND_IN_PROGRESS'],
]

describe('of a deposit of 100', () => {
  for (const [refunded, isUnderWay, asked, outcome] of REQUESTS) {
    const history = `${refunded / 100} refunded${isUnderWay ? ' and one under way' : ''}`
    it(`with ${history}, ${asked ?? 'the rest'} gives ${outcome}`, () => {
      const share = refundAmount(DEPOSIT, { refunded: cents(refunded), isUnderWay }, asked)
      assert.equal('refusal' in share ? share.refusal.code : share.amount, outcome)
    })
  }

  it('a refusal names the deposit as sent, and what can be had', () => {
    const share = refundAmount(DEPOSIT, { refunded: cents(40_50), isUnderWay: false }, '60')
    assert.ok('refusal' in share)
    assert.match(share.refusal.message, /'60'.*'F4401BD2.*'59\.50'/)
  })
})

/** Amounts as texts of the wire, with up to four decimals. */
const amounts = fc
  .bigInt({ min: 1n, max: 10n ** 22n - 1n })
  .map((value) => formatBalance(value as Amount))

describe('whatever is asked for, one after the other', () => {
  it('never refunds more than was collected, and the rest refunds all of it', () => {
    fc.assert(
      fc.property(amounts, fc.array(amounts, { maxLength: 20 }), (amount, asked) => {
        const deposit = { ...DEPOSIT, amount }
        const total = parseAmount(amount) as Amount
        let refunded = 0n as Amount
        for (const one of [...asked, undefined]) {
          const share = refundAmount(deposit, { refunded, isUnderWay: false }, one)
          const left = total - refunded
          const wanted = one === undefined ? left : (parseAmount(one) as Amount)
          const isRefused = left === 0n || wanted > left
          assert.equal('refusal' in share, isRefused)
          if ('refusal' in share) continue
          refunded = (refunded + (parseAmount(share.amount) as Amount)) as Amount
          assert.ok(refunded <= total)
          if (one !== undefined) assert.equal(share.amount, one)
        }
        assert.equal(refunded, total)
      }),
      { numRuns: 300 },
    )
  })

  it('gives nothing while one is under way', () => {
    fc.assert(
      fc.property(amounts, fc.option(amounts, { nil: undefined }), (amount, asked) => {
        const history = { refunded: 0n as Amount, isUnderWay: true }
        assert.ok('refusal' in refundAmount({ ...DEPOSIT, amount }, history, asked))
      }),
    )
  })
})

const STATES: readonly (readonly [PaymentState, code: string | undefined, says: RegExp])[] = [
  ['ACCEPTED', 'INVALID_STATE', /not finished.*ACCEPTED/],
  ['PROCESSING', 'INVALID_STATE', /not finished.*PROCESSING/],
  ['IN_RECONCILIATION', 'INVALID_STATE', /not finished.*IN_RECONCILIATION/],
  ['FAILED', 'INVALID_STATE', /is FAILED\. Only a COMPLETED/],
  ['COMPLETED', undefined, /^$/],
]

describe('a deposit', () => {
  const asked = { depositId: DEPOSIT.idAsSent }
  for (const [state, code, says] of STATES) {
    it(`that is ${state} ${code === undefined ? 'can be refunded' : `is refused: ${code}`}`, () => {
      const refusal = refusalOfDeposit(asked, { ...DEPOSIT, state })
      assert.equal(refusal?.code, code)
      assert.match(refusal?.message ?? '', says)
    })
  }

  it('is refunded in its own currency, named or not', () => {
    assert.equal(refusalOfDeposit({ ...asked, currency: 'ZMW' }, DEPOSIT), undefined)
    const refusal = refusalOfDeposit({ ...asked, currency: 'KES' }, DEPOSIT)
    assert.equal(refusal?.code, 'INVALID_CURRENCY')
    assert.match(refusal.message, /'KES'.*'ZMW'/)
  })

  it('that failed is refused for that, whatever the currency', () => {
    const refusal = refusalOfDeposit({ ...asked, currency: 'KES' }, { ...DEPOSIT, state: 'FAILED' })
    assert.equal(refusal?.code, 'INVALID_STATE')
  })

  it('that is not there is named as it was asked for', () => {
    assert.deepEqual(depositNotFound('ORDER'), {
      code: 'NOT_FOUND',
      message: "No deposit with the id 'ORDER' was found.",
    })
  })
})
