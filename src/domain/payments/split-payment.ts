import type { MerchantId, PaymentId, PaymentKey } from '../ids.ts'
import type { Generation, Payment } from './payment.ts'
import type { PaymentState } from './payment-state.ts'

/** One payout of a split payment, as it was asked for. */
export type SplitPart = {
  readonly payoutId: string
  readonly amount: string
  readonly phoneNumber: string
  readonly provider: string
}

/**
 * A deposit and the payouts that follow it. Each of them is an ordinary payment; the split payment
 * itself has no state but the one that follows from theirs, and an end that is reported once.
 */
export type SplitPayment = {
  readonly kind: 'splitPayment'
  readonly merchantId: MerchantId
  readonly id: PaymentId
  readonly idAsSent: string
  readonly key: PaymentKey
  readonly generation: Generation
  readonly createdAt: number
  readonly state: SplitState
  readonly deposit: Payment
  readonly parts: readonly (SplitPart & { readonly state: PaymentState })[]
}

export const SPLIT_STATES = [
  'ACCEPTED',
  'PROCESSING',
  'IN_RECONCILIATION',
  'COMPLETED',
  'PAYOUT_FAILED',
  'FAILED',
] as const
export type SplitState = (typeof SPLIT_STATES)[number]

/**
 * The row of a split payment knows only whether it is over, and how it ended. `part`: one of several
 * open payouts ends. `lastPart`: the last one ends and none failed. `lastPartOfSomeFailed`: the last
 * one ends, and it or another one failed. `store/payments/advance-wholes.ts` takes its states from here.
 */
export const SPLIT_MACHINE = {
  OPEN: {
    depositFails: 'FAILED',
    part: 'OPEN',
    lastPart: 'COMPLETED',
    lastPartOfSomeFailed: 'PAYOUT_FAILED',
  },
  COMPLETED: {},
  PAYOUT_FAILED: {},
  FAILED: {},
} as const satisfies Readonly<Record<string, Readonly<Record<string, SplitState | 'OPEN'>>>>

/** A final state is one with no way out. */
export const isFinalSplit = (state: SplitState): boolean =>
  state in SPLIT_MACHINE &&
  Object.keys(SPLIT_MACHINE[state as keyof typeof SPLIT_MACHINE]).length === 0

const BEFORE_PAYOUTS: Readonly<Partial<Record<PaymentState, SplitState>>> = {
  ACCEPTED: 'ACCEPTED',
  PROCESSING: 'PROCESSING',
  IN_RECONCILIATION: 'IN_RECONCILIATION',
  FAILED: 'FAILED',
}

/** The state of the whole, from the deposit's and then the payouts' states. */
export function splitState(deposit: PaymentState, payouts: readonly PaymentState[]): SplitState {
  const early = BEFORE_PAYOUTS[deposit]
  if (early !== undefined) return early
  if (payouts.every((state) => state === 'COMPLETED')) return 'COMPLETED'
  if (payouts.every((state) => state === 'COMPLETED' || state === 'FAILED')) return 'PAYOUT_FAILED'
  return payouts.includes('IN_RECONCILIATION') ? 'IN_RECONCILIATION' : 'PROCESSING'
}

/** A payout that was let go of, because the deposit failed, was not paid and never will be. */
export function partState(deposit: PaymentState, payout: PaymentState | undefined): PaymentState {
  if (payout === undefined || deposit === 'FAILED') return 'FAILED'
  return payout === 'WAITING' ? 'ACCEPTED' : payout
}
