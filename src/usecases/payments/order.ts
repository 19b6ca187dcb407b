import type { Payment } from '../../domain/payments/payment.ts'
import { OPERATION_OF } from '../../domain/payments/payment-state.ts'
import { present, type Writable } from '../../domain/present.ts'
import type { AuthorisationType } from '../../domain/provider.ts'
import type { OriginalOrder, ProviderOrder } from '../../providers/connector.ts'
import type { Route, Routed } from '../../providers/registry.ts'
import { findPayment } from '../../store/payments/payments.ts'
import type { PaymentContext } from './context.ts'

/**
 * What the operator of a payment is asked to do. Field by field: every payment comes by here twice, and
 * to spread what may be absent takes far longer.
 */
export function orderOf(payment: Payment): ProviderOrder {
  const { merchantId, kind, id, key, provider, amount, currency, phoneNumber, details } = payment
  const { preAuthorisationCode, customerMessage, successfulUrl, failedUrl, traceparent } = details
  const { authorizationUrl, operatorIds } = payment
  const order: Writable<ProviderOrder> = {
    merchantId,
    paymentId: id,
    paymentKey: key,
    operation: OPERATION_OF[kind],
    provider,
    amount,
    currency,
    phoneNumber,
  }
  if (preAuthorisationCode !== undefined) order.oneTimeCode = preAuthorisationCode
  if (customerMessage !== undefined) order.message = customerMessage
  if (successfulUrl !== undefined) order.successfulUrl = successfulUrl
  if (failedUrl !== undefined) order.failedUrl = failedUrl
  if (authorizationUrl !== undefined) order.authorizationUrl = authorizationUrl
  if (operatorIds !== undefined) order.ids = operatorIds
  if (traceparent !== undefined) order.traceparent = traceparent
  return order
}

/** With what only operators ask for: the deposit that a refund gives back, the way back of customers. */
export async function orderFor(ctx: PaymentContext, payment: Payment): Promise<ProviderOrder> {
  const { refundOf, merchantId } = payment
  const order = orderOf(payment)
  // The simulated operator does not ask for it.
  if (!ctx.operators.hasAny()) return order
  if (payment.kind === 'deposit') return withReturn(order, ctx.operators.returnUrlOf(payment))
  if (refundOf === undefined) return order
  const deposit = await findPayment(ctx.db, merchantId, 'deposit', refundOf)
  return deposit === undefined ? order : { ...order, original: originalOf(deposit) }
}

/** Where the merchant gave no address, customers go back to the hosted page that they came from. */
const withReturn = (order: ProviderOrder, page: string | undefined): ProviderOrder =>
  page === undefined ? order : { successfulUrl: page, failedUrl: page, ...order }

/** The way of a payment; a refund prefers the account through which its deposit came in. */
export async function routeOf(ctx: PaymentContext, payment: Payment): Promise<Route | undefined> {
  const routed = routedBy(payment)
  const { refundOf, merchantId } = payment
  if (routed.isSent || refundOf === undefined || !ctx.operators.hasAny()) {
    return ctx.providers.routeFor(routed)
  }
  const deposit = await findPayment(ctx.db, merchantId, 'deposit', refundOf)
  return ctx.providers.routeFor({ ...routed, ...present({ preferred: deposit?.operatorAccount }) })
}

const originalOf = (deposit: Payment): OriginalOrder => ({
  amount: deposit.amount,
  ...present({
    account: deposit.operatorAccount,
    reference: deposit.providerReference,
    transactionId: deposit.providerTransactionId,
    ids: deposit.operatorIds,
  }),
})

type Flow = 'page' | 'code' | 'prompt'

const flowOf = ({ details }: Payment): Flow => {
  if (details.redirects) return 'page'
  return details.preAuthorisationCode === undefined ? 'prompt' : 'code'
}

/** By what the customer was shown: nobody expects a page later, and a code need not be used. */
const FLOWS: Readonly<Record<Flow, readonly AuthorisationType[]>> = {
  page: ['REDIRECT_AUTH'],
  code: ['PREAUTH', 'PROVIDER_AUTH'],
  prompt: ['PROVIDER_AUTH'],
}

/** What decides about the way of a payment. */
export function routedBy(payment: Payment): Routed {
  const { provider, kind, providerReference, operatorAccount, operatorIds } = payment
  const only = operatorIds?.account
  const routed: Writable<Routed> = {
    provider,
    operation: OPERATION_OF[kind],
    // With a reference and without an account, it belongs to the simulated operator.
    isSent: providerReference !== undefined,
  }
  if (kind === 'deposit') routed.flows = FLOWS[flowOf(payment)]
  if (operatorAccount !== undefined) routed.account = operatorAccount
  if (only !== undefined) routed.only = only
  return routed
}
