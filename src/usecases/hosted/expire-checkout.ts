import type { Merchant } from '../../domain/accounts/merchant.ts'
import type { Checkout } from '../../domain/hosted/checkout.ts'
import type { PaymentId } from '../../domain/ids.ts'
import { askExpiry, expireCheckouts, findCheckout } from '../../store/hosted/checkouts.ts'
import type { HostedContext } from './context.ts'

/**
 * No new attempt from now on. Answers the checkout as it is: one under way stays PROCESSING until
 * its attempt ends, a final one stays as it ended. Nothing when there is no such checkout.
 */
export async function expireCheckout(
  ctx: HostedContext,
  merchant: Merchant,
  id: PaymentId,
): Promise<Checkout | undefined> {
  await askExpiry(ctx.db, merchant.id, id, ctx.clock.now())
  const checkout = await findCheckout(ctx.db, merchant.id, id)
  if (checkout?.state === 'EXPIRED') {
    ctx.changes.notifyOf(checkout)
    ctx.work.wake()
  }
  return checkout
}

const AT_ONCE = 500

/** Ends the checkouts that were not paid in time; returns how many. */
export async function expireDueCheckouts(ctx: HostedContext): Promise<number> {
  return expireCheckouts(ctx.db, ctx.clock.now(), AT_ONCE)
}
