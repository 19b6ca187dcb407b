import { availabilityOf } from '../../domain/accounts/merchant.ts'
import { paymentFailure } from '../../domain/failure.ts'
import { debitsWallet } from '../../domain/payments/ledger.ts'
import type { OperatorIds } from '../../domain/payments/payment.ts'
import { isFinal, OPERATION_OF } from '../../domain/payments/payment-state.ts'
import { present } from '../../domain/present.ts'
import { LIMITS } from '../../domain/timing.ts'
import { type Outcome, refusesKnown } from '../../providers/connector.ts'
import type { Route } from '../../providers/registry.ts'
import { isHeldBy } from '../../store/payments/payments.ts'
import { advancePayment } from './advance-payment.ts'
import { authorisePayment } from './authorise-payment.ts'
import type { PaymentContext } from './context.ts'
import {
  contradicted,
  doubt,
  doubted,
  isPendingForTooLong,
  isSamePayment,
  setUnknownSince,
  withIds,
} from './doubt-payment.ts'
import { askAgain, type HeldPayment, type NextStep, type Sending } from './held-payment.ts'
import { mayBeSent, maySendAtOnce } from './may-send.ts'
import { openFloat } from './open-float.ts'
import { orderFor, routedBy, routeOf } from './order.ts'
import { isTooLateToSend, lookForRoute, notNow, notYet, rests, triesOf } from './unsent-payment.ts'

/**
 * Takes a payment one step on. A payment that is ENQUEUED, or ACCEPTED without a reference, has never
 * been sent, unless the database was restored since. One that is PROCESSING may have been, and so may
 * one that another node accepted with its reference: these are looked up, and not sent again.
 */
export async function processPayment(ctx: PaymentContext, item: HeldPayment): Promise<NextStep> {
  const { payment } = item
  if (isFinal(payment.kind, payment.state)) return undefined
  const route =
    payment.refundOf === undefined
      ? ctx.providers.routeFor(routedBy(payment))
      : await routeOf(ctx, payment)
  // With a reference it may have been sent: without a way to ask, nothing may be decided about it.
  if (route === undefined && payment.providerReference !== undefined) {
    throw new Error(`No connector for ${payment.provider}`)
  }
  const step = route?.account === undefined ? item : { ...item, heldBy: ctx.node.id() }
  switch (payment.state) {
    case 'ACCEPTED':
      return begin(ctx, step, route)
    case 'ENQUEUED':
      return waitInLine(ctx, step, route)
    default:
      if (route === undefined) throw new Error(`No connector for ${payment.provider}`)
      if (item.unsentBy === ctx.node.id()) return sendAgain(ctx, step, route)
      return lookUp(ctx, step, route)
  }
}

/** What cannot be paid fails, what has to wait goes into the line, everything else is sent. */
async function begin(
  ctx: PaymentContext,
  item: HeldPayment,
  route: Route | undefined,
): Promise<NextStep> {
  const { payment } = item
  if (!debitsWallet(payment.kind)) {
    return route === undefined ? notNow(ctx, item) : submit(ctx, item, route)
  }
  if (payment.heldFrom === undefined) {
    const failure = paymentFailure('PAWAPAY_WALLET_OUT_OF_FUNDS')
    await advancePayment(ctx, payment, 'decline', { failure })
    return undefined
  }
  // What may have been sent must not wait in line, where it can be cancelled.
  if (route !== undefined && mayBeSent(ctx, item)) return fence(ctx, item, route)
  const merchant = await ctx.merchants.byId(payment.merchantId)
  const operation = OPERATION_OF[payment.kind]
  const isOpen =
    merchant === undefined ||
    availabilityOf(merchant, payment.provider, operation) === 'OPERATIONAL'
  if (isOpen && route !== undefined) return submit(ctx, item, route)
  const enqueued = await advancePayment(ctx, payment, 'enqueue', { fence: ctx.node.id() })
  return enqueued && waitInLine(ctx, { ...item, payment: enqueued }, route)
}

/** In line no node holds it; the switch that opens the provider makes it due again. */
async function waitInLine(
  ctx: PaymentContext,
  item: HeldPayment,
  route: Route | undefined,
): Promise<NextStep> {
  const waits = await ctx.writes.park.add({ payment: item.payment, node: ctx.node.id() })
  if (waits) return undefined
  if (route === undefined) return lookForRoute(ctx, item)
  return submit(ctx, item, route)
}

function submit(ctx: PaymentContext, item: HeldPayment, route: Route): Promise<NextStep> {
  return maySendAtOnce(ctx, item) ? sendAtOnce(ctx, item, route) : fence(ctx, item, route)
}

async function sendAtOnce(
  ctx: PaymentContext,
  { unsentBy, ...item }: HeldPayment,
  route: Route,
): Promise<NextStep> {
  const { payment } = item
  const { providerReference = '' } = payment
  const submittedAt = ctx.clock.now()
  const outcome = await route.connector.submit(await orderFor(ctx, payment), providerReference)
  if (outcome.kind !== 'PENDING' && outcome.kind !== 'UNKNOWN') {
    return settle(ctx, { ...item, payment: { ...payment, submittedAt } }, route, outcome)
  }
  const answeredAt = ctx.clock.now()
  const facts = { providerReference, submittedAt, ...present({ fence: unsentBy }) }
  const processing = await advancePayment(ctx, payment, 'submit', facts)
  return processing && settle(ctx, { ...item, payment: processing }, route, outcome, answeredAt)
}

/** State, reference and account are stored first: whatever happens from then on ends in a look-up. */
async function fence(ctx: PaymentContext, item: HeldPayment, route: Route): Promise<NextStep> {
  const isInDoubt = mayBeSent(ctx, item) || item.payment.createdAt <= ctx.node.restoredAt()
  const order = await orderFor(ctx, item.payment)
  const reference = item.payment.providerReference ?? route.connector.prepare(order).reference
  const holder = ctx.node.id()
  const { account } = route
  if (account !== undefined) await openFloat(ctx, item.payment, account)
  const payment = await advancePayment(ctx, item.payment, 'submit', {
    providerReference: reference,
    submittedAt: ctx.clock.now(),
    fence: holder,
    ...present({ operatorAccount: account }),
  })
  if (payment === undefined) return undefined
  if (isInDoubt) return lookUp(ctx, { ...item, payment }, route)
  return send(ctx, { ...item, payment }, route, { reference, holder, isFirst: true })
}

async function send(
  ctx: PaymentContext,
  { unsentBy: _, ...item }: HeldPayment,
  route: Route,
  { reference, holder, isFirst }: Sending,
): Promise<NextStep> {
  const order = await orderFor(ctx, item.payment)
  // Too late to act, or no longer under the name that holds the payment: then others may look after
  // it, and look it up.
  const isOurs = ctx.node.id() === holder
  if (!isOurs || !ctx.node.mayAct()) {
    return isOurs && isFirst ? notYet(ctx, item, holder) : askAgain(ctx, item, route)
  }
  const outcome = await route.connector.submit(order, reference)
  // What this request came to says nothing about the earlier one.
  const isMoot = !isFirst && (outcome.kind === 'UNSENT' || outcome.kind === 'REFUSED')
  return isMoot ? doubt(ctx, item, route) : settle(ctx, item, route, outcome)
}

async function lookUp(ctx: PaymentContext, item: HeldPayment, route: Route): Promise<NextStep> {
  const { payment } = item
  const { providerReference: reference } = payment
  if (reference === undefined) throw new Error(`Payment ${payment.key} has no reference`)
  const outcome = await route.connector.query(await orderFor(ctx, payment), reference, item.memo)
  if (outcome.kind === 'UNKNOWN' && outcome.why === 'NOT_FOUND') {
    return neverArrived(ctx, item, route, outcome)
  }
  return settle(ctx, item, route, outcome)
}

/**
 * The operator says it has no such order. It may still be on its way; after a while it is not: the
 * node that held the payment died before sending it. Where the operator refuses a reference it has
 * seen, sending now cannot move money twice.
 */
async function neverArrived(
  ctx: PaymentContext,
  item: HeldPayment,
  route: Route,
  outcome: Outcome,
): Promise<NextStep> {
  const { payment } = item
  const { providerReference: reference } = payment
  const isOnItsWay = ctx.clock.now() - (payment.submittedAt ?? 0) < LIMITS.orderArrivesWithinMs
  const isRefused = refusesKnown(route.connector.profile, OPERATION_OF[payment.kind])
  const mayResubmit = isRefused && reference !== undefined && !isTooLateToSend(ctx, payment, route)
  const holder = ctx.node.id()
  if (!isOnItsWay && mayResubmit && (await isHeldBy(ctx.db, payment, holder))) {
    return send(ctx, item, route, { reference, holder, isFirst: false })
  }
  return settle(ctx, item, route, outcome)
}

async function settle(
  ctx: PaymentContext,
  item: HeldPayment,
  route: Route,
  outcome: Outcome,
  answeredAt = ctx.clock.now(),
): Promise<NextStep> {
  const { payment } = item
  const { submittedAt } = payment
  switch (outcome.kind) {
    case 'DONE': {
      if (!isSamePayment(payment, outcome)) return contradicted(ctx, item, route, outcome)
      const { transactionId: providerTransactionId, ids: operatorIds } = outcome
      const facts = present({ submittedAt, providerTransactionId, operatorIds })
      return void (await advancePayment(ctx, payment, 'confirm', facts))
    }
    case 'FAILED':
    case 'REFUSED': {
      if (outcome.isOurFault) {
        ctx.operators.alert(payment, outcome.message ?? 'refused')
        const mayWait = debitsWallet(payment.kind) && payment.state === 'PROCESSING'
        if (mayWait) return backInLine(ctx, item, outcome)
      }
      // A refusal is about this request alone; a failure is the operator's word about the order.
      const fence = outcome.kind === 'REFUSED' ? item.heldBy : undefined
      const facts = { failure: outcome.failure, ...present({ submittedAt, fence }) }
      return void (await advancePayment(ctx, payment, 'decline', facts))
    }
    case 'UNSENT':
      return elsewhere(ctx, item, route)
    case 'PENDING': {
      const { memo, checkAfterMs, authorizationUrl, ids, alert } = outcome
      if (alert !== undefined) ctx.operators.alert(payment, alert)
      const authorised = await authorisePayment(ctx, payment, authorizationUrl, ids)
      const named = await withIds(ctx, authorised, ids)
      const known = named && (await setUnknownSince(ctx, named, undefined))
      if (known === undefined) return undefined
      const next = { payment: known, timesAsked: item.timesAsked, ...present({ memo }) }
      if (isPendingForTooLong(known, route, answeredAt)) return doubted(ctx, next, route)
      // Counted from the answer: the test clock may be moved while it is written.
      return askAgain(ctx, next, route, checkAfterMs, answeredAt)
    }
    case 'UNKNOWN': {
      const named = await withIds(ctx, payment, outcome.ids)
      return named && doubt(ctx, { ...item, payment: named }, route)
    }
  }
}

/**
 * The operator refuses for a reason that is ours: credentials, float, settings. The payment waits in
 * line until it is put right, for the same account: what was sent once is never sent through another.
 * An order that was refused may be sent again as it is; one that was taken and failed is known there, so
 * the next one has another reference.
 */
async function backInLine(
  ctx: PaymentContext,
  item: HeldPayment,
  { kind, message = 'refused', needsPerson }: Extract<Outcome, { kind: 'FAILED' | 'REFUSED' }>,
): Promise<NextStep> {
  const { operatorIds: ids, operatorAccount: account = '' } = item.payment
  const tries = Number(ids?.tries ?? 1) + (kind === 'FAILED' ? 1 : 0)
  await ctx.operators.refused(item.payment, message, needsPerson === true)
  return requeue(ctx, item, { tries: String(tries), account })
}

async function requeue(
  ctx: PaymentContext,
  { payment, heldBy: fence = ctx.node.id() }: HeldPayment,
  operatorIds: OperatorIds | undefined,
): Promise<NextStep> {
  const facts = present({ fence, operatorIds })
  const enqueued = await advancePayment(ctx, payment, 'requeue', facts)
  return enqueued && waitInLine(ctx, { payment: enqueued, timesAsked: 0 }, undefined)
}

/** Nothing has left this node, so another account may have it; else it waits, or is given up. */
async function elsewhere(ctx: PaymentContext, item: HeldPayment, route: Route): Promise<NextStep> {
  const { payment, tried: before = [] } = item
  const { operatorAccount: _, ...unrouted } = payment
  const tried = route.account === undefined ? before : [...before, route.account]
  const next = ctx.providers.routeFor({ ...routedBy(unrouted), isSent: false, without: tried })
  if (next?.account !== undefined) {
    const { reference } = next.connector.prepare(await orderFor(ctx, unrouted))
    const holder = item.heldBy ?? ctx.node.id()
    await openFloat(ctx, payment, next.account)
    const routing = { payment, node: holder, to: { account: next.account, reference } }
    if (!(await ctx.writes.route.add(routing))) return undefined
    const { operatorIds, ...rest } = unrouted
    const moved = { ...rest, operatorAccount: next.account, providerReference: reference }
    return send(ctx, { ...item, tried, payment: moved }, next, { reference, holder, isFirst: true })
  }
  if (debitsWallet(payment.kind)) return requeue(ctx, item, triesOf(payment))
  return notNow(ctx, item)
}

/** The same order again, not by way of a look-up: it has not left. */
async function sendAgain(ctx: PaymentContext, item: HeldPayment, route: Route): Promise<NextStep> {
  const { providerReference: reference = '' } = item.payment
  const holder = ctx.node.id()
  if (!(await isHeldBy(ctx.db, item.payment, holder))) return undefined
  if (rests(ctx, item, route)) return elsewhere(ctx, item, route)
  const isWaitedFor = debitsWallet(item.payment.kind) || !isTooLateToSend(ctx, item.payment, route)
  if (!isWaitedFor) return notNow(ctx, item)
  return send(ctx, item, route, { reference, holder, isFirst: true })
}
