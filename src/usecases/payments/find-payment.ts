import type { Merchant } from '../../domain/accounts/merchant.ts'
import type { PaymentId } from '../../domain/ids.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import type { PaymentKind } from '../../domain/payments/payment-state.ts'
import { findPayment as find } from '../../store/payments/payments.ts'
import type { Context } from '../context.ts'

/**
 * A status check. Another merchant's payment is not found, exactly as one that does not exist. A
 * payout that waits for the deposit of its split payment is ACCEPTED, as in the split's own record.
 */
export async function findPayment(
  ctx: Context,
  merchant: Merchant,
  kind: PaymentKind,
  id: PaymentId,
): Promise<Payment | undefined> {
  const payment = await find(ctx.db, merchant.id, kind, id)
  return payment?.state === 'WAITING' ? { ...payment, state: 'ACCEPTED' } : payment
}
