import type { OperatorIds, Payment } from '../../domain/payments/payment.ts'
import { present } from '../../domain/present.ts'
import { callbackHolder, deliverFromMemory } from './advance-payment.ts'
import type { PaymentContext } from './context.ts'

/**
 * The operator says where the customer approves a payment. The address is stored together with the
 * callback that reports it and with what the operator calls the payment, once: a node that learns it
 * again finds it there. Answers the payment with it.
 */
export async function authorisePayment(
  ctx: PaymentContext,
  payment: Payment,
  authorizationUrl: string | undefined,
  ids?: OperatorIds,
): Promise<Payment> {
  if (authorizationUrl === undefined || payment.authorizationUrl !== undefined) return payment
  const merchant = await ctx.merchants.byId(payment.merchantId)
  const holder = merchant && callbackHolder(ctx, payment, merchant)
  const at = ctx.clock.now()
  const operatorIds = ids && { ...payment.operatorIds, ...ids }
  const authorised = { ...payment, authorizationUrl, ...present({ operatorIds }) }
  const isNew = await ctx.writes.authorise.add({
    payment: authorised,
    at,
    ...present({ callbackHolder: holder }),
  })
  if (isNew) {
    ctx.changes.notify(authorised)
    deliverFromMemory(ctx, authorised, { at, holder })
  }
  return authorised
}
