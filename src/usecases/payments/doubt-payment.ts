import { isSameSum } from '../../domain/amount.ts'
import { lookUpPauseMs } from '../../domain/payments/look-up.ts'
import type { OperatorIds, Payment } from '../../domain/payments/payment.ts'
import { present } from '../../domain/present.ts'
import type { Outcome } from '../../providers/connector.ts'
import type { Route } from '../../providers/registry.ts'
import { advancePayment } from './advance-payment.ts'
import type { PaymentContext } from './context.ts'
import { askAgain, type HeldPayment, type NextStep, timesOf } from './held-payment.ts'

/** What is not known of a payment, and what is learnt of it without an end. */

/** What the operator says it moved has to be what it was asked to move. */
export const isSamePayment = (
  { amount, currency }: Payment,
  outcome: Extract<Outcome, { kind: 'DONE' }>,
): boolean =>
  (outcome.currency === undefined || outcome.currency === currency) &&
  (outcome.amount === undefined || isSameSum(outcome.amount, amount))

/** Another sum than was asked for: a person has to look, and until then nobody says how it ended. */
export async function contradicted(
  ctx: PaymentContext,
  item: HeldPayment,
  route: Route,
  { amount, currency }: Extract<Outcome, { kind: 'DONE' }>,
): Promise<NextStep> {
  ctx.operators.alert(item.payment, `the operator says it moved ${amount} ${currency ?? ''}`.trim())
  return doubted(ctx, item, route)
}

export const isPendingForTooLong = (payment: Payment, route: Route, now: number): boolean => {
  const { state, submittedAt = 0 } = payment
  const { pendingWindowMs } = timesOf(payment, route)
  return (
    state === 'PROCESSING' && pendingWindowMs !== undefined && now - submittedAt >= pendingWindowMs
  )
}

/** Stored as soon as they are known: without them, nobody could ask after a crash. */
export async function withIds(
  ctx: PaymentContext,
  payment: Payment,
  ids: OperatorIds | undefined,
): Promise<Payment | undefined> {
  const known = payment.operatorIds ?? {}
  const isNew = ids !== undefined && Object.keys(ids).some((name) => known[name] !== ids[name])
  if (!isNew) return payment
  const isOurs = await ctx.writes.route.add({ payment, node: ctx.node.id(), ids })
  return isOurs ? { ...payment, operatorIds: { ...known, ...ids } } : undefined
}

/** Written only where it changes; nothing where the payment is no longer ours. */
export async function setUnknownSince(
  ctx: PaymentContext,
  payment: Payment,
  since: number | undefined,
): Promise<Payment | undefined> {
  const { unknownSince, ...rest } = payment
  if (unknownSince === since) return payment
  const isOurs = await ctx.writes.doubt.add({ payment, node: ctx.node.id(), since })
  return isOurs ? { ...rest, ...present({ unknownSince: since }) } : undefined
}

/** Unknown is not failed: after the window it is reported, and the asking goes on. */
export async function doubt(
  ctx: PaymentContext,
  item: HeldPayment,
  route: Route,
): Promise<NextStep> {
  if (item.payment.state !== 'PROCESSING') return askAgain(ctx, item, route)
  const now = ctx.clock.now()
  const since = item.payment.unknownSince ?? now
  const payment = await setUnknownSince(ctx, item.payment, since)
  if (payment === undefined) return undefined
  const { unknownWindowMs, lookUpPausesMs } = timesOf(payment, route)
  const windowEnds = since + unknownWindowMs
  if (now < windowEnds) {
    const pause = Math.min(lookUpPauseMs(item.timesAsked, lookUpPausesMs), windowEnds - now)
    return askAgain(ctx, { ...item, payment }, route, pause)
  }
  return doubted(ctx, { ...item, payment }, route)
}

/** The outcome is reported as unknown, and the asking goes on. */
export async function doubted(
  ctx: PaymentContext,
  item: HeldPayment,
  route: Route,
): Promise<NextStep> {
  if (item.payment.state !== 'PROCESSING') return askAgain(ctx, item, route)
  const payment = await advancePayment(ctx, item.payment, 'loseTrack', {})
  return payment === undefined ? undefined : askAgain(ctx, { ...item, payment }, route)
}
