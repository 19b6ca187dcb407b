import type { Merchant } from '../../domain/accounts/merchant.ts'
import type { Failure } from '../../domain/failure.ts'
import { admit } from '../../domain/payments/admission.ts'
import type { Initiation, Payment } from '../../domain/payments/payment.ts'
import type { AuthorisationType } from '../../domain/provider.ts'
import { findPayment } from '../../store/payments/payments.ts'
import type { PaymentContext } from './context.ts'
import {
  accepted,
  holderOf,
  idOf,
  newPayment,
  orderedBy,
  orInterrupted,
  type PaymentCommand,
  rejected,
  repeated,
  withFlow,
  withReference,
} from './new-payment.ts'

type DepositInitiation =
  | { readonly initiation: Initiation; readonly authType: AuthorisationType }
  | { readonly missing: 'preAuthorisationCode' }

/**
 * Accepts a deposit and hands it on; the rest happens after the answer. `refusalOfFlow`: why the
 * client that asks cannot follow a way of approving, where there is one.
 */
export async function initiateDeposit(
  ctx: PaymentContext,
  merchant: Merchant,
  command: PaymentCommand,
  refusalOfFlow: (authType: AuthorisationType) => Failure | undefined = () => undefined,
): Promise<DepositInitiation> {
  const judged = judgeDeposit(ctx, merchant, command)
  const { authType } = judged
  const refusal = judged.refusal ?? refusalOfFlow(authType)

  if (refusal !== undefined || judged.lacksCode) {
    const earlier = await findPayment(ctx.db, merchant.id, 'deposit', idOf(command))
    if (earlier !== undefined) return { initiation: repeated(ctx, earlier.createdAt), authType }
    if (refusal === undefined) return { missing: 'preAuthorisationCode' }
    return { initiation: rejected(ctx, refusal), authType }
  }
  const flowing = withFlow(command, authType)
  const payment = newPayment(ctx, merchant, 'deposit', flowing, judged.country)
  return { initiation: await acceptOnce(ctx, payment), authType }
}

/** Whether it may be accepted, and how the customer would approve it. */
type JudgedDeposit = {
  readonly refusal?: Failure
  /** The provider asks for a one-time code, and there is none. */
  readonly lacksCode: boolean
  readonly authType: AuthorisationType
  readonly country: string
}

export function judgeDeposit(
  ctx: PaymentContext,
  merchant: Merchant,
  command: PaymentCommand,
): JudgedDeposit {
  const provider = ctx.providers.find(command.provider)
  const order = orderedBy(command, 'DEPOSIT')
  const { refusal, limits } = admit(order, ctx.providers, merchant)
  const authType = limits?.authType ?? 'PROVIDER_AUTH'
  const lacksCode = authType === 'PREAUTH' && command.details.preAuthorisationCode === undefined
  const country = provider?.country ?? ''
  const judged = { lacksCode, authType, country }
  return refusal === undefined ? judged : { ...judged, refusal }
}

/** Stores it unless its identifier is taken. */
export async function acceptOnce(ctx: PaymentContext, payment: Payment): Promise<Initiation> {
  const holder = holderOf(ctx)
  const sendable = withReference(ctx, payment, holder)
  const write = ctx.writes.accept.add({ payment: sendable, holder })
  const { isNew, createdAt } = await orInterrupted(ctx, write)
  return isNew ? accepted(ctx, sendable, holder) : repeated(ctx, createdAt)
}
