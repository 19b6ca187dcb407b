import { admit } from '../domain/admission.ts'
import type { Failure } from '../domain/failure.ts'
import type { PaymentId } from '../domain/ids.ts'
import { type Merchant, walletOf } from '../domain/merchant.ts'
import type { Generation, Initiation, Payment, PaymentDetails } from '../domain/payment.ts'
import { refundAmount, refusalOfDeposit } from '../domain/refund.ts'
import type { Draw } from '../store/draw.ts'
import { findPayment } from '../store/payments.ts'
import type { Context } from './context.ts'
import { fromDrawn, REFUSES_WHEN_SHORT } from './initiate-payout.ts'
import {
  holderOf,
  idOf,
  newPayment,
  orInterrupted,
  type PaymentCommand,
  rejected,
  repeated,
} from './new-payment.ts'

export type RefundCommand = {
  readonly generation: Generation
  readonly idAsSent: string
  readonly depositId: string
  /** All that is left, when absent. */
  readonly amount?: string | undefined
  readonly currency?: string | undefined
  readonly details: PaymentDetails
}

/** Accepts a refund of a completed deposit: to the payer, by the same provider. */
export async function initiateRefund(
  ctx: Context,
  merchant: Merchant,
  command: RefundCommand,
): Promise<Initiation> {
  // Before any rule: while a refund is under way, repeating it must not look like a second one.
  const earlier = await findPayment(ctx.db, merchant.id, 'refund', idOf(command))
  if (earlier !== undefined) return repeated(ctx, earlier.createdAt)
  const depositId = command.depositId.toLowerCase() as PaymentId
  const deposit = await findPayment(ctx.db, merchant.id, 'deposit', depositId)
  const refusal = refusalOfDeposit(command.depositId, deposit)
  if (deposit === undefined || refusal !== undefined) {
    return rejected(ctx, refusal ?? NOT_THERE)
  }
  const holder = holderOf(ctx)
  let refund: Payment | undefined
  const write = ctx.writes.refund.add({
    deposit,
    decide: (history) => {
      const share = refundAmount(deposit, history, command.amount)
      if ('refusal' in share) return share.refusal
      const decided = admitted(ctx, merchant, command, deposit, share.amount)
      if ('code' in decided) return decided
      refund = decided
      return drawFor(merchant, decided, holder)
    },
  })
  const result = await orInterrupted(ctx, write)
  if (result.result === 'REFUSED') return rejected(ctx, result.refusal)
  return fromDrawn(ctx, refund ?? deposit, holder, result)
}

const NOT_THERE: Failure = { code: 'NOT_FOUND', message: 'No such deposit was found.' }

/** The refund as a payment of its own, or why its provider does not take it. */
function admitted(
  ctx: Context,
  merchant: Merchant,
  command: RefundCommand,
  deposit: Payment,
  amount: string,
): Payment | Failure {
  const { provider, phoneNumber, country } = deposit
  const currency = command.currency ?? deposit.currency
  if (currency !== deposit.currency) {
    return {
      code: 'INVALID_CURRENCY',
      message:
        `The currency '${currency}' is not that of the deposit '${deposit.idAsSent}', which was ` +
        `made in '${deposit.currency}'. Leave the currency out or send that one.`,
    }
  }
  const { generation, idAsSent, details } = command
  const payment: PaymentCommand = {
    generation,
    idAsSent,
    amount,
    currency,
    provider,
    phoneNumber,
    details: {
      ...details,
      depositId: command.depositId,
      ...(deposit.details.customerMessage === undefined
        ? {}
        : { customerMessage: deposit.details.customerMessage }),
    },
  }
  const order = { ...payment, operation: 'REFUND' } as const
  const sandbox = ctx.environment === 'sandbox'
  const { refusal } = admit(order, ctx.providers.find(provider), merchant, sandbox)
  if (refusal !== undefined) return refusal
  return { ...newPayment(ctx, merchant, 'refund', payment, country), refundOf: deposit.id }
}

function drawFor(merchant: Merchant, payment: Payment, holder: Draw['holder']): Draw {
  return {
    payment,
    holder,
    wallet: walletOf(merchant, payment),
    onlyFunded: REFUSES_WHEN_SHORT[payment.generation],
  }
}
