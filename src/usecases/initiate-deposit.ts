import { admit } from '../domain/admission.ts'
import { type PaymentId, UNHELD } from '../domain/ids.ts'
import { invariant } from '../domain/invariant.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { Generation, Initiation, Payment, PaymentDetails } from '../domain/payment.ts'
import type { AuthorisationType } from '../domain/provider.ts'
import { findPayment } from '../store/payments.ts'
import type { Context } from './context.ts'

export type InitiateDeposit = {
  readonly generation: Generation
  readonly idAsSent: string
  readonly amount: string
  readonly currency: string
  readonly provider: string
  readonly phoneNumber: string
  readonly details: PaymentDetails
}

export type DepositInitiation =
  | { readonly initiation: Initiation; readonly authType: AuthorisationType }
  | { readonly missing: 'preAuthorisationCode' }

/**
 * Accepts a deposit and hands it on; the rest happens after the answer. An identifier that was
 * accepted before answers as a repeat even when the request would be refused by now, so a refusal
 * is only final after a look at what exists.
 */
export async function initiateDeposit(
  ctx: Context,
  merchant: Merchant,
  command: InitiateDeposit,
): Promise<DepositInitiation> {
  const id = command.idAsSent.toLowerCase() as PaymentId
  const provider = ctx.providers.find(command.provider)
  const order = { ...command, operation: 'DEPOSIT' } as const
  const { limits, refusal } = admit(order, provider, merchant, ctx.environment === 'sandbox')
  const authType = limits?.authType ?? 'PROVIDER_AUTH'
  const lacksCode = authType === 'PREAUTH' && command.details.preAuthorisationCode === undefined

  if (refusal !== undefined || lacksCode) {
    const earlier = await findPayment(ctx.db, merchant.id, 'deposit', id)
    if (earlier !== undefined) return repeat(ctx, earlier.createdAt, authType)
    if (refusal === undefined) return { missing: 'preAuthorisationCode' }
    ctx.measure.payment('rejected')
    return { initiation: { status: 'REJECTED', failure: refusal }, authType }
  }
  invariant(provider !== undefined, 'an admitted order has a provider')
  const payment = newDeposit(ctx, merchant, command, provider.country)
  return { initiation: await acceptOnce(ctx, payment), authType }
}

async function acceptOnce(ctx: Context, payment: Payment): Promise<Initiation> {
  const holder = ctx.work.hasRoom() ? ctx.node.id() : UNHELD
  const { isNew, createdAt } = await ctx.writes.accept.add({ payment, holder }).catch((error) => {
    ctx.work.interrupted(error)
    throw error
  })
  if (!isNew) {
    ctx.measure.payment('duplicate')
    return { status: 'DUPLICATE_IGNORED', createdAt }
  }
  ctx.measure.payment('accepted')
  if (holder !== UNHELD) ctx.work.takePayment(payment)
  return { status: 'ACCEPTED', createdAt, payment }
}

function repeat(ctx: Context, createdAt: number, authType: AuthorisationType): DepositInitiation {
  ctx.measure.payment('duplicate')
  return { initiation: { status: 'DUPLICATE_IGNORED', createdAt }, authType }
}

function newDeposit(
  ctx: Context,
  merchant: Merchant,
  command: InitiateDeposit,
  country: string,
): Payment {
  const { idAsSent, amount, currency, provider, phoneNumber, details, generation } = command
  return {
    merchantId: merchant.id,
    kind: 'deposit',
    id: idAsSent.toLowerCase() as PaymentId,
    idAsSent,
    key: ctx.newKey(),
    generation,
    state: 'ACCEPTED',
    amount,
    currency,
    country,
    provider,
    phoneNumber,
    details:
      details.customerMessage === undefined
        ? { ...details, customerMessage: merchant.customerMessage }
        : details,
    createdAt: ctx.clock.now(),
  }
}
