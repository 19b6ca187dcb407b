import { LIMITS } from '../../domain/timing.ts'
import type { PaymentContext } from './context.ts'
import type { HeldPayment } from './held-payment.ts'

/**
 * The reference was stored with the payment, so the node that finds it after a crash looks it up before
 * anything else (`fence`); and as its operator refuses references that it knows, no second order can
 * move money. Decision 0029 has the whole argument. Soon after it was accepted, as the row is then
 * sure to be there.
 */
export function maySendAtOnce(ctx: PaymentContext, { payment, unsentBy }: HeldPayment): boolean {
  const { state, providerReference, createdAt } = payment
  return (
    state === 'ACCEPTED' &&
    providerReference !== undefined &&
    unsentBy === ctx.node.id() &&
    ctx.node.mayAct() &&
    createdAt > ctx.node.restoredAt() &&
    ctx.clock.now() - createdAt < LIMITS.sentAtOnceWithinMs
  )
}

/** By the node that accepted it, which has gone since or lost its name. */
export const mayBeSent = (ctx: PaymentContext, { payment, unsentBy }: HeldPayment): boolean =>
  payment.providerReference !== undefined && unsentBy !== ctx.node.id()
