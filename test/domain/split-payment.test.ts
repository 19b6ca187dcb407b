import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { isFinal, MACHINES, type PaymentState } from '../../src/domain/payments/payment-state.ts'
import {
  SPLIT_MACHINE,
  SPLIT_STATES,
  type SplitState,
  splitState,
} from '../../src/domain/payments/split-payment.ts'

/** The deposit, its payouts as the record shows them, and the whole. */
const STATES: readonly (readonly [
  deposit: PaymentState,
  payouts: readonly PaymentState[],
  whole: SplitState,
])[] = [
  ['ACCEPTED', ['ACCEPTED'], 'ACCEPTED'],
  ['PROCESSING', ['ACCEPTED', 'ACCEPTED'], 'PROCESSING'],
  ['IN_RECONCILIATION', ['ACCEPTED'], 'IN_RECONCILIATION'],
  ['FAILED', ['FAILED', 'FAILED'], 'FAILED'],
  ['COMPLETED', ['ACCEPTED', 'ACCEPTED'], 'PROCESSING'],
  ['COMPLETED', ['COMPLETED', 'ACCEPTED'], 'PROCESSING'],
  ['COMPLETED', ['COMPLETED', 'PROCESSING'], 'PROCESSING'],
  ['COMPLETED', ['FAILED', 'ENQUEUED'], 'PROCESSING'],
  ['COMPLETED', ['FAILED', 'PROCESSING', 'COMPLETED'], 'PROCESSING'],
  ['COMPLETED', ['PROCESSING', 'IN_RECONCILIATION'], 'IN_RECONCILIATION'],
  ['COMPLETED', ['FAILED', 'IN_RECONCILIATION'], 'IN_RECONCILIATION'],
  ['COMPLETED', ['COMPLETED'], 'COMPLETED'],
  ['COMPLETED', ['COMPLETED', 'COMPLETED'], 'COMPLETED'],
  ['COMPLETED', ['FAILED'], 'PAYOUT_FAILED'],
  ['COMPLETED', ['COMPLETED', 'FAILED'], 'PAYOUT_FAILED'],
]

describe('a split payment with a deposit that is', () => {
  for (const [deposit, payouts, whole] of STATES) {
    it(`${deposit} and payouts that are ${payouts.join(', ')} is ${whole}`, () => {
      assert.equal(splitState(deposit, payouts), whole)
    })
  }
})

const FINAL = (Object.keys(SPLIT_MACHINE) as (keyof typeof SPLIT_MACHINE)[]).filter(
  (state): state is Exclude<typeof state, 'OPEN'> => Object.keys(SPLIT_MACHINE[state]).length === 0,
) as SplitState[]
const statesOf = (kind: 'deposit' | 'payout'): PaymentState[] =>
  (Object.keys(MACHINES[kind]) as PaymentState[]).filter((state) => state !== 'WAITING')
const deposits = fc.constantFrom(...statesOf('deposit'))
const payoutLists = fc.array(fc.constantFrom(...statesOf('payout')), {
  minLength: 1,
  maxLength: 20,
})

describe('whatever the states of its parts', () => {
  it('its row ends as they say, in whichever order they end', () => {
    fc.assert(
      fc.property(payoutLists, (payouts) => {
        const { OPEN } = SPLIT_MACHINE
        const ended = payouts.filter((state) => isFinal('payout', state))
        const isSomeFailed = ended.includes('FAILED')
        const last = isSomeFailed ? OPEN.lastPartOfSomeFailed : OPEN.lastPart
        const row = ended.length < payouts.length ? OPEN.part : last
        const whole = splitState('COMPLETED', payouts)
        assert.equal(row, FINAL.includes(whole) ? whole : 'OPEN')
        assert.equal(OPEN.depositFails, splitState('FAILED', payouts))
      }),
      { numRuns: 500 },
    )
  })

  it('a split payment is over exactly when they are', () => {
    fc.assert(
      fc.property(deposits, payoutLists, (deposit, payouts) => {
        const whole = splitState(deposit, payouts)
        assert.ok(SPLIT_STATES.includes(whole))
        const isOver =
          deposit === 'FAILED' ||
          (deposit === 'COMPLETED' && payouts.every((state) => isFinal('payout', state)))
        assert.equal(FINAL.includes(whole), isOver)
      }),
      { numRuns: 500 },
    )
  })

  it('a split payment that is over stays as it is', () => {
    fc.assert(
      fc.property(deposits, payoutLists, fc.nat(), (deposit, payouts, chance) => {
        // One more step of one part that still has a way out.
        const parts = ['deposit' as const, ...payouts.map(() => 'payout' as const)]
        const states = [deposit, ...payouts]
        const at = chance % states.length
        const ways = Object.values(MACHINES[parts[at] ?? 'payout'][states[at] ?? 'FAILED'] ?? {})
        const next = ways[chance % Math.max(1, ways.length)]
        // Payouts do not move before the deposit is COMPLETED.
        if (next === undefined || (at > 0 && deposit !== 'COMPLETED')) return
        const before = splitState(deposit, payouts)
        const [newDeposit = deposit, ...newPayouts] = states.with(at, next)
        if (FINAL.includes(before)) assert.equal(splitState(newDeposit, newPayouts), before)
      }),
      { numRuns: 500 },
    )
  })

  it('the order of its payouts does not matter', () => {
    fc.assert(
      fc.property(deposits, payoutLists, (deposit, payouts) => {
        assert.equal(splitState(deposit, payouts.toReversed()), splitState(deposit, payouts))
      }),
    )
  })
})
