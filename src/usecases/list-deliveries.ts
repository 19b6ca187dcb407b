import { requestOfAttempt } from '../callbacks/envelope.ts'
import type { PaymentId } from '../domain/ids.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { PaymentKind } from '../domain/payment-state.ts'
import { type AttemptRecord, type DeliveryRecord, findDeliveries } from '../store/callbacks.ts'
import { findPayment } from '../store/payments.ts'
import type { Context } from './context.ts'

export type DeliveredAttempt = AttemptRecord & {
  readonly requestHeaders: Readonly<Record<string, string>>
  readonly requestBody: string
}
export type Delivery = Omit<DeliveryRecord, 'attempts'> & {
  readonly attempts: readonly DeliveredAttempt[]
}

/** Every callback of a payment with every attempt; undefined when there is no such payment. */
export async function listDeliveries(
  ctx: Context,
  merchant: Merchant,
  kind: PaymentKind,
  id: PaymentId,
): Promise<readonly Delivery[] | undefined> {
  const payment = await findPayment(ctx.db, merchant.id, kind, id)
  if (payment === undefined) return undefined
  const deliveries = await findDeliveries(ctx.db, merchant.id, payment.key)
  return deliveries.map((delivery) => ({
    ...delivery,
    attempts: delivery.attempts.map((attempt) => {
      const { headers, body } = requestOfAttempt(payment, attempt)
      return { ...attempt, requestHeaders: headers, requestBody: body }
    }),
  }))
}
