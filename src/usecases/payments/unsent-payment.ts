import { paymentFailure } from '../../domain/failure.ts'
import type { NodeId } from '../../domain/ids.ts'
import type { OperatorIds, Payment } from '../../domain/payments/payment.ts'
import { OPERATION_OF } from '../../domain/payments/payment-state.ts'
import { present } from '../../domain/present.ts'
import { LIMITS } from '../../domain/timing.ts'
import type { Route } from '../../providers/registry.ts'
import { isHeldBy } from '../../store/payments/payments.ts'
import { advancePayment } from './advance-payment.ts'
import type { PaymentContext } from './context.ts'
import { type HeldPayment, type NextStep, timesOf } from './held-payment.ts'

/** Payments that have not left, and that nothing takes at the moment. */

/** Nothing takes the deposit at the moment, and its customer waits: not for long. */
export async function notNow(
  ctx: PaymentContext,
  { heldBy = ctx.node.id(), tried, ...item }: HeldPayment,
): Promise<NextStep> {
  const { payment } = item
  const now = ctx.clock.now()
  if (now - payment.createdAt < LIMITS.depositUnsentMs) {
    return { held: { ...item, unsentBy: heldBy }, at: now + LIMITS.routeAgainMs }
  }
  const failure = paymentFailure('UNSPECIFIED_FAILURE')
  await advancePayment(ctx, payment, 'decline', { failure, fence: heldBy })
  return undefined
}

/** Its node was too late to send it, but still has the name that holds it: it tries again soon. */
export function notYet(ctx: PaymentContext, item: HeldPayment, unsentBy: NodeId): NextStep {
  const { heldBy: _, tried, ...kept } = item
  return { held: { ...kept, unsentBy }, at: ctx.clock.now() + LIMITS.routeAgainMs }
}

/**
 * A customer who stopped waiting long ago must not be asked for money now, and an operator may have
 * forgotten a payout of long ago, and with it that its reference is used.
 */
export function isTooLateToSend(ctx: PaymentContext, payment: Payment, route: Route): boolean {
  const { unknownWindowMs } = timesOf(payment, route)
  const latestMs = payment.kind === 'deposit' ? unknownWindowMs : LIMITS.resubmitWithinMs
  const ageMs = ctx.clock.now() - (payment.submittedAt ?? 0)
  return route.account !== undefined && ageMs > latestMs
}

/** Whether the account of a payment takes nothing at the moment: then it is not even tried. */
export const rests = (ctx: PaymentContext, { payment }: HeldPayment, { account }: Route): boolean =>
  account !== undefined && !ctx.providers.takes(account, OPERATION_OF[payment.kind])

/**
 * In line, though its provider is open: its own account rests while another one serves the provider,
 * or nobody has written down yet that none does.
 */
export async function lookForRoute(
  ctx: PaymentContext,
  { heldBy: _, tried, ...item }: HeldPayment,
): Promise<NextStep> {
  // It may have been cancelled, or wiped by the sandbox.
  if (!(await isHeldBy(ctx.db, item.payment, ctx.node.id()))) return undefined
  const isBound = item.payment.operatorIds?.account !== undefined
  const pause = isBound ? LIMITS.boundAgainMs : LIMITS.routeAgainMs
  return { held: item, at: ctx.clock.now() + pause }
}

/** What is left of an earlier try: see `backInLine` in process-payment.ts. */
export function triesOf({ operatorIds }: Payment): OperatorIds | undefined {
  const { tries, account } = operatorIds ?? {}
  return tries === undefined ? undefined : { tries, ...present({ account }) }
}
