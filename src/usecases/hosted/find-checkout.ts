import type { Merchant } from '../../domain/accounts/merchant.ts'
import type { Checkout } from '../../domain/hosted/checkout.ts'
import type { PaymentId } from '../../domain/ids.ts'
import { findCheckout as find } from '../../store/hosted/checkouts.ts'
import type { Context } from '../context.ts'

/** A status check of the merchant's own; any other is not found. */
export async function findCheckout(
  ctx: Context,
  merchant: Merchant,
  id: PaymentId,
): Promise<Checkout | undefined> {
  return find(ctx.db, merchant.id, id)
}
