import { admit } from '../domain/admission.ts'
import type { Failure } from '../domain/failure.ts'
import { invariant } from '../domain/invariant.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { Initiation, Payment } from '../domain/payment.ts'
import type { AuthorisationType } from '../domain/provider.ts'
import { findPayment } from '../store/payments.ts'
import type { Context } from './context.ts'
import {
  accepted,
  holderOf,
  idOf,
  newPayment,
  orInterrupted,
  type PaymentCommand,
  rejected,
  repeated,
  withFlow,
} from './new-payment.ts'

export type DepositInitiation =
  | { readonly initiation: Initiation; readonly authType: AuthorisationType }
  | { readonly missing: 'preAuthorisationCode' }

/** Accepts a deposit and hands it on; the rest happens after the answer. */
export async function initiateDeposit(
  ctx: Context,
  merchant: Merchant,
  command: PaymentCommand,
): Promise<DepositInitiation> {
  const provider = ctx.providers.find(command.provider)
  const order = { ...command, operation: 'DEPOSIT' } as const
  const admitted = admit(order, provider, merchant, ctx.environment === 'sandbox')
  const authType = admitted.limits?.authType ?? 'PROVIDER_AUTH'
  const refusal = admitted.refusal ?? refusalOfFlow(command, authType)
  const lacksCode = authType === 'PREAUTH' && command.details.preAuthorisationCode === undefined

  if (refusal !== undefined || lacksCode) {
    const earlier = await findPayment(ctx.db, merchant.id, 'deposit', idOf(command))
    if (earlier !== undefined) return { initiation: repeated(ctx, earlier.createdAt), authType }
    if (refusal === undefined) return { missing: 'preAuthorisationCode' }
    return { initiation: rejected(ctx, refusal), authType }
  }
  invariant(provider !== undefined, 'an admitted order has a provider')
  const flowing = withFlow(command, authType)
  const payment = newPayment(ctx, merchant, 'deposit', flowing, provider.country)
  return { initiation: await acceptOnce(ctx, payment), authType }
}

/** The earlier generation has no way to tell where the customer must go. */
function refusalOfFlow(command: PaymentCommand, authType: AuthorisationType): Failure | undefined {
  if (command.generation !== 'v1' || authType !== 'REDIRECT_AUTH') return undefined
  return {
    code: 'INVALID_PROVIDER',
    message:
      `The provider '${command.provider}' sends the customer to a page of its own, which this ` +
      'generation of the API cannot do. Use the current generation for it.',
  }
}

async function acceptOnce(ctx: Context, payment: Payment): Promise<Initiation> {
  const holder = holderOf(ctx)
  const write = ctx.writes.accept.add({ payment, holder })
  const { isNew, createdAt } = await orInterrupted(ctx, write)
  return isNew ? accepted(ctx, payment, holder) : repeated(ctx, createdAt)
}
