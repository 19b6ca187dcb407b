import { type Amount, formatBalance, parseAmount } from '../amount.ts'
import type { Failure } from '../failure.ts'
import { invariant } from '../invariant.ts'
import type { Payment } from './payment.ts'
import type { PaymentState } from './payment-state.ts'

/** What has been given back of a deposit so far. */
export type RefundHistory = {
  /** Sum of the refunds that came to COMPLETED, corrections included. */
  readonly refunded: Amount
  /** A refund has not ended. */
  readonly isUnderWay: boolean
  /** The provider contradicts itself about a refund, and nobody has decided yet. */
  readonly isRefundDisputed?: boolean
  /** The provider contradicts itself about the deposit, and nobody has decided yet. */
  readonly isDisputed?: boolean
  /** What the deposit came to, corrections included. */
  readonly outcome?: PaymentState
}

/** The amount to give back, or why not; first rule first. */
export function refundAmount(
  deposit: Payment,
  history: RefundHistory,
  asked: string | undefined,
): { readonly amount: string } | { readonly refusal: Failure } {
  const total = parseAmount(deposit.amount)
  invariant(total !== undefined, `a deposit of ${deposit.amount} was accepted`)
  const left = (total - history.refunded) as Amount
  const name = `The deposit '${deposit.idAsSent}'`
  if (history.isDisputed) {
    const message =
      `${name} cannot be refunded now: its provider contradicts itself about whether the money was ` +
      'collected. Ask the operator of this service.'
    return { refusal: { code: 'INVALID_STATE', message } }
  }
  if (history.outcome === 'FAILED') {
    const message =
      `${name} cannot be refunded: its provider has taken back that the money was collected, and ` +
      'the wallet was corrected.'
    return { refusal: { code: 'INVALID_STATE', message } }
  }
  if (left <= 0n) {
    const message = `${name} has been refunded in full; nothing is left to give back.`
    return { refusal: { code: 'DEPOSIT_ALREADY_REFUNDED', message } }
  }
  if (history.isRefundDisputed) {
    const message =
      `${name} cannot be refunded now: its provider contradicts itself about whether an earlier ` +
      'refund was paid. Ask the operator of this service.'
    return { refusal: { code: 'REFUND_IN_PROGRESS', message } }
  }
  if (history.isUnderWay) {
    const message =
      `${name} has another refund under way. Wait until that one is COMPLETED or FAILED, ` +
      'then try again.'
    return { refusal: { code: 'REFUND_IN_PROGRESS', message } }
  }
  if (asked === undefined) {
    return { amount: history.refunded === 0n ? deposit.amount : formatBalance(left) }
  }
  const amount = parseAmount(asked)
  invariant(amount !== undefined, `the amount ${asked} passed the schema`)
  if (amount > left) {
    const message =
      `The amount '${asked}' is more than what is left of the deposit ` +
      `'${deposit.idAsSent}': at most '${formatBalance(left)}' can be refunded.`
    return { refusal: { code: 'AMOUNT_TOO_LARGE', message } }
  }
  return { amount: asked }
}

export const depositNotFound = (depositId: string): Failure => ({
  code: 'NOT_FOUND',
  message: `No deposit with the id '${depositId}' was found.`,
})

/**
 * Why a deposit cannot be refunded at all, or not in this currency; undefined when it can. `outcome`
 * is what it came to, where that was corrected.
 */
export function refusalOfDeposit(
  asked: { readonly depositId: string; readonly currency?: string | undefined },
  deposit: Payment,
  outcome: PaymentState = deposit.state,
): Failure | undefined {
  const { depositId, currency = deposit.currency } = asked
  if (outcome !== 'COMPLETED' && deposit.state !== 'COMPLETED') {
    const message =
      deposit.state === 'FAILED'
        ? `The deposit '${depositId}' is FAILED. Only a COMPLETED deposit can be refunded.`
        : `The deposit '${depositId}' has not finished processing: it is ${deposit.state}. ` +
          'Only a COMPLETED deposit can be refunded.'
    return { code: 'INVALID_STATE', message }
  }
  if (currency === deposit.currency) return undefined
  return {
    code: 'INVALID_CURRENCY',
    message:
      `The currency '${currency}' is not that of the deposit '${depositId}', which was ` +
      `made in '${deposit.currency}'. Leave the currency out or send that one.`,
  }
}
