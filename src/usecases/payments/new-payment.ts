import type { Merchant } from '../../domain/accounts/merchant.ts'
import type { Failure } from '../../domain/failure.ts'
import { type NodeId, type PaymentId, UNHELD } from '../../domain/ids.ts'
import type { Order } from '../../domain/payments/admission.ts'
import type {
  Generation,
  Initiation,
  Payment,
  PaymentDetails,
} from '../../domain/payments/payment.ts'
import { OPERATION_OF, type PaymentKind } from '../../domain/payments/payment-state.ts'
import type { AuthorisationType, OperationType } from '../../domain/provider.ts'
import type { PaymentTrace } from '../../domain/trace.ts'
import { refusesKnown } from '../../providers/connector.ts'
import { findPayment } from '../../store/payments/payments.ts'
import type { PaymentContext } from './context.ts'
import { orderOf, routedBy } from './order.ts'

/** A well-formed request to move money, in the words of the domain. */
export type PaymentCommand = {
  /** Kept with the payment for those who write its records; no use case looks at it. */
  readonly generation: Generation
  readonly idAsSent: string
  readonly amount: string
  readonly currency: string
  /** Only where the merchant says it: that of the provider is meant in any case. */
  readonly country?: string
  readonly provider: string
  readonly phoneNumber: string
  readonly details: PaymentDetails
  /** What the request that asks for it is part of; absent where it is no call of the API. */
  readonly trace?: PaymentTrace | undefined
}

export const idOf = ({ idAsSent }: { readonly idAsSent: string }): PaymentId =>
  idAsSent.toLowerCase() as PaymentId

/** What the rules of admission look at. */
export const orderedBy = (command: PaymentCommand, operation: OperationType): Order => ({
  operation,
  amount: command.amount,
  currency: command.currency,
  country: command.country,
  phoneNumber: command.phoneNumber,
  provider: command.provider,
})

/** A deposit that the customer approves on a page of the provider says so in its records. */
export const withFlow = <Command extends PaymentCommand>(
  command: Command,
  authType: AuthorisationType | undefined,
): Command =>
  authType === 'REDIRECT_AUTH'
    ? { ...command, details: { ...command.details, redirects: true } }
    : command

/** A payment as it begins, with a message for the receipt whether the merchant gave one or not. */
export function newPayment(
  ctx: PaymentContext,
  merchant: Merchant,
  kind: PaymentKind,
  command: PaymentCommand,
  country: string,
): Payment {
  const { idAsSent, amount, currency, provider, phoneNumber, generation } = command
  const { trace = ctx.beginTrace?.(kind) } = command
  const details = withMessage(command.details, merchant)
  return {
    merchantId: merchant.id,
    kind,
    id: idOf(command),
    idAsSent,
    key: ctx.newKey(),
    generation,
    state: 'ACCEPTED',
    amount,
    currency,
    country,
    provider,
    phoneNumber,
    details: trace?.traceparent === undefined ? details : { ...details, ...trace },
    createdAt: ctx.clock.now(),
    heldFrom: undefined,
    providerReference: undefined,
    submittedAt: undefined,
    providerTransactionId: undefined,
    failure: undefined,
    endedAt: undefined,
  }
}

const withMessage = (details: PaymentDetails, { customerMessage }: Merchant): PaymentDetails =>
  details.customerMessage === undefined ? { customerMessage, ...details } : details

/** The node that goes on with a payment once it is stored: this one, while it has room. */
export const holderOf = (ctx: PaymentContext): NodeId =>
  ctx.work.hasRoom() ? ctx.node.id() : UNHELD

/**
 * With the reference of its order, where that allows the node that holds it to send it at once: see
 * `process-payment.ts`. What is held by nobody is sent by the node that claims it.
 */
export function withReference(ctx: PaymentContext, payment: Payment, holder: NodeId): Payment {
  const route = ctx.providers.routeFor(routedBy(payment))
  // Through which account it goes is decided when it is sent, and stored first.
  if (holder === UNHELD || route === undefined || route.account !== undefined) return payment
  const { connector } = route
  if (!refusesKnown(connector.profile, OPERATION_OF[payment.kind])) return payment
  return { ...payment, providerReference: connector.prepare(orderOf(payment)).reference }
}

/** What is stored goes on from memory; the answer does not wait for it. */
export function accepted(ctx: PaymentContext, payment: Payment, holder: NodeId): Initiation {
  ctx.measure.payment('accepted')
  if (holder !== UNHELD) ctx.work.takePayment(payment, holder)
  return { status: 'ACCEPTED', createdAt: payment.createdAt, payment }
}

export function repeated(ctx: PaymentContext, createdAt: number): Initiation {
  ctx.measure.payment('duplicate')
  return { status: 'DUPLICATE_IGNORED', createdAt }
}

export function rejected(ctx: PaymentContext, failure: Failure): Initiation {
  ctx.measure.payment('rejected')
  return { status: 'REJECTED', failure }
}

/**
 * An identifier that was accepted before answers as a repeat even when the request would be refused
 * by now, so a refusal is only final after a look at what exists.
 */
export async function repeatedOrRejected(
  ctx: PaymentContext,
  merchant: Merchant,
  kind: PaymentKind,
  command: { readonly idAsSent: string },
  failure: Failure,
): Promise<Initiation> {
  const earlier = await findPayment(ctx.db, merchant.id, kind, idOf(command))
  return earlier === undefined ? rejected(ctx, failure) : repeated(ctx, earlier.createdAt)
}

/** A write that was cut off may have taken effect; its payment is found in the database later. */
export async function orInterrupted<T>(ctx: PaymentContext, write: Promise<T>): Promise<T> {
  return write.catch((error) => {
    ctx.work.interrupted(error)
    throw error
  })
}
