import { type Merchant, walletOf } from '../../domain/accounts/merchant.ts'
import type { Failure } from '../../domain/failure.ts'
import type { PaymentId } from '../../domain/ids.ts'
import { invariant } from '../../domain/invariant.ts'
import { admit } from '../../domain/payments/admission.ts'
import type {
  Generation,
  Initiation,
  Payment,
  PaymentDetails,
} from '../../domain/payments/payment.ts'
import { depositNotFound, refundAmount, refusalOfDeposit } from '../../domain/payments/refund.ts'
import { present } from '../../domain/present.ts'
import type { PaymentTrace } from '../../domain/trace.ts'
import type { Recording } from '../../store/engine/database.ts'
import { findOutcome } from '../../store/payments/cases.ts'
import { findPayment } from '../../store/payments/payments.ts'
import type { PaymentContext } from './context.ts'
import { fromHold, isOpenFor } from './initiate-payout.ts'
import {
  holderOf,
  newPayment,
  orInterrupted,
  type PaymentCommand,
  repeatedOrRejected,
  withReference,
} from './new-payment.ts'

type RefundCommand = {
  readonly generation: Generation
  readonly idAsSent: string
  readonly depositId: string
  /** All that is left, when absent. */
  readonly amount?: string | undefined
  readonly currency?: string | undefined
  readonly details: PaymentDetails
  /** As for a payout. */
  readonly onlyFunded?: boolean
  readonly trace?: PaymentTrace | undefined
  readonly record?: Recording
}

/** Accepts a refund of a completed deposit: to the payer, by the same provider. */
export async function initiateRefund(
  ctx: PaymentContext,
  merchant: Merchant,
  command: RefundCommand,
): Promise<Initiation> {
  // While a refund is under way, its repeat is refused like a second one, so every refusal looks
  // for the identifier first; it does so after the write, where the first one is sure to be seen.
  const refuse = (failure: Failure): Promise<Initiation> =>
    repeatedOrRejected(ctx, merchant, 'refund', command, failure)
  const depositId = command.depositId.toLowerCase() as PaymentId
  const deposit = await findPayment(ctx.db, merchant.id, 'deposit', depositId)
  if (deposit === undefined) return refuse(depositNotFound(command.depositId))
  const { outcome } =
    deposit.state === 'FAILED' ? await findOutcome(ctx.db, deposit) : { outcome: deposit.state }
  const refusal = refusalOfDeposit(command, deposit, outcome)
  if (refusal !== undefined) return refuse(refusal)
  const holder = holderOf(ctx)
  let refund: Payment | undefined
  const write = ctx.writes.refund.add({
    deposit,
    trace: command.trace,
    record: command.record,
    decide: (history) => {
      if (history === undefined) return depositNotFound(command.depositId)
      const share = refundAmount(deposit, history, command.amount)
      if ('refusal' in share) return share.refusal
      const decided = admitted(ctx, merchant, command, deposit, share.amount)
      if ('code' in decided) return decided
      refund = isOpenFor(merchant, decided) ? withReference(ctx, decided, holder) : decided
      const wallet = walletOf(merchant, refund)
      return { payment: refund, holder, wallet, onlyFunded: command.onlyFunded === true }
    },
  })
  const result = await orInterrupted(ctx, write)
  if (result.result === 'REFUSED') return refuse(result.refusal)
  invariant(refund !== undefined, 'what was stored is the refund that was decided')
  return fromHold(ctx, refund, holder, result)
}

/** The refund as a payment of its own, or why its provider does not take it. */
function admitted(
  ctx: PaymentContext,
  merchant: Merchant,
  command: RefundCommand,
  deposit: Payment,
  amount: string,
): Payment | Failure {
  const { provider, phoneNumber, country, currency } = deposit
  const { generation, idAsSent, details, trace } = command
  const payment: PaymentCommand = {
    generation,
    idAsSent,
    amount,
    currency,
    provider,
    phoneNumber,
    trace,
    details: {
      ...details,
      depositId: command.depositId,
      ...present({ customerMessage: deposit.details.customerMessage }),
    },
  }
  const order = { ...payment, operation: 'REFUND' } as const
  const { refusal } = admit(order, ctx.providers, merchant)
  if (refusal !== undefined) return refusal
  return { ...newPayment(ctx, merchant, 'refund', payment, country), refundOf: deposit.id }
}
