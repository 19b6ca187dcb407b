import type { MerchantId } from '../domain/ids.ts'
import type { Context } from './context.ts'

/** Payments that may wait to be written. */
const WAITING_MAX = 4096

/**
 * True when a new payment had better come later. One merchant may have as many waiting as there is
 * room left: one who floods gets a half, two get a third each, and there is always room for others.
 */
export function isOverloaded(
  { writes }: Pick<Context, 'writes'>,
  merchantId?: MerchantId,
): boolean {
  const { accept, draw, refund } = writes
  const waiting = accept.waiting() + draw.waiting() + refund.waiting()
  // Nobody can have more than all.
  if (waiting <= WAITING_MAX / 2) return false
  const own = [accept, draw, refund].reduce((sum, group) => sum + group.waitingOf(merchantId), 0)
  return waiting > WAITING_MAX || own > WAITING_MAX - waiting
}
