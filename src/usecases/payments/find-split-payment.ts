import type { Merchant } from '../../domain/accounts/merchant.ts'
import type { PaymentId } from '../../domain/ids.ts'
import type { SplitPayment } from '../../domain/payments/split-payment.ts'
import { findSplitPayment } from '../../store/payments/split-payments.ts'
import type { Context } from '../context.ts'

/** A status check of the merchant's own; any other is not found. */
export async function findSplit(
  ctx: Context,
  merchant: Merchant,
  id: PaymentId,
): Promise<SplitPayment | undefined> {
  return findSplitPayment(ctx.db, merchant.id, id)
}
