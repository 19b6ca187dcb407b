import { availabilityOf } from '../../domain/accounts/merchant.ts'
import { paymentFailure } from '../../domain/failure.ts'
import type { NodeId } from '../../domain/ids.ts'
import { drawsOnWallet } from '../../domain/payments/ledger.ts'
import { lookUpPauseMs, timesAskedAfter } from '../../domain/payments/look-up.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import { isFinal, OPERATION_OF } from '../../domain/payments/payment-state.ts'
import { present } from '../../domain/present.ts'
import { LIMITS } from '../../domain/timing.ts'
import type { Connector, Outcome } from '../../providers/connector.ts'
import { isHeldBy } from '../../store/payments/payments.ts'
import { advancePayment } from './advance-payment.ts'
import { authorisePayment } from './authorise-payment.ts'
import type { PaymentContext } from './context.ts'
import { orderOf } from './order.ts'

/** A payment this node works on, with what it remembers between two steps. */
export type HeldPayment = {
  readonly payment: Payment
  readonly timesAsked: number
  readonly memo?: unknown
  /** The name under which this node accepted it, while it has surely not been sent. */
  readonly unsentBy?: NodeId
}

/** What comes next: a look at a later time, or nothing (it is over, or no longer ours). */
export type NextStep = { readonly held: HeldPayment; readonly at: number } | undefined

/** A payment as it comes from the database: how often it was asked about follows from its age. */
export function held(payment: Payment, now: number): HeldPayment {
  const { submittedAt } = payment
  return { payment, timesAsked: submittedAt === undefined ? 0 : timesAskedAfter(now - submittedAt) }
}

/**
 * Takes a payment one step on. A payment that is ENQUEUED, or ACCEPTED without a reference, has never
 * been sent, unless the database was restored since. One that is PROCESSING may have been, and so may
 * one that another node accepted with its reference: these are looked up, and not sent again.
 */
export async function processPayment(ctx: PaymentContext, item: HeldPayment): Promise<NextStep> {
  const { payment } = item
  if (isFinal(payment.kind, payment.state)) return undefined
  const connector = ctx.providers.connectorOf(payment.provider)
  if (connector === undefined) throw new Error(`No connector for ${payment.provider}`)
  switch (payment.state) {
    case 'ACCEPTED':
      return begin(ctx, item, connector)
    case 'ENQUEUED':
      return waitInLine(ctx, item, connector)
    default:
      return lookUp(ctx, item, connector)
  }
}

/** What cannot be paid fails, what has to wait goes into the line, everything else is sent. */
async function begin(
  ctx: PaymentContext,
  item: HeldPayment,
  connector: Connector,
): Promise<NextStep> {
  const { payment } = item
  if (!drawsOnWallet(payment.kind)) return submit(ctx, item, connector)
  if (payment.heldFrom === undefined) {
    const failure = paymentFailure('PAWAPAY_WALLET_OUT_OF_FUNDS')
    await advancePayment(ctx, payment, 'decline', { failure })
    return undefined
  }
  // What may have been sent must not wait in line, where it can be cancelled.
  if (mayBeSent(ctx, item)) return fence(ctx, item, connector)
  const merchant = await ctx.merchants.byId(payment.merchantId)
  const operation = OPERATION_OF[payment.kind]
  const isOpen =
    merchant === undefined ||
    availabilityOf(merchant, payment.provider, operation) === 'OPERATIONAL'
  if (isOpen) return submit(ctx, item, connector)
  const enqueued = await advancePayment(ctx, payment, 'enqueue', { fence: ctx.node.id() })
  return enqueued && waitInLine(ctx, { ...item, payment: enqueued }, connector)
}

/** In line no node holds it; the switch that opens the provider makes it due again. */
async function waitInLine(
  ctx: PaymentContext,
  item: HeldPayment,
  connector: Connector,
): Promise<NextStep> {
  const waits = await ctx.writes.park.add({ payment: item.payment, node: ctx.node.id() })
  return waits ? undefined : submit(ctx, item, connector)
}

function submit(ctx: PaymentContext, item: HeldPayment, connector: Connector): Promise<NextStep> {
  return maySendAtOnce(ctx, item) ? sendAtOnce(ctx, item, connector) : fence(ctx, item, connector)
}

/**
 * The reference was stored with the payment, so whoever finds it after a crash looks it up before
 * anything else (`fence`); and as its operator refuses references that it knows, no second order can
 * move money. Decision 0029 has the whole argument. Soon after it was accepted, as the row is then
 * sure to be there.
 */
function maySendAtOnce(ctx: PaymentContext, { payment, unsentBy }: HeldPayment): boolean {
  const { state, providerReference, createdAt } = payment
  const ageMs = ctx.clock.now() - createdAt
  return (
    state === 'ACCEPTED' &&
    providerReference !== undefined &&
    unsentBy === ctx.node.id() &&
    ctx.node.mayAct() &&
    createdAt > ctx.node.restoredAt() &&
    ageMs >= 0 &&
    ageMs < LIMITS.sentAtOnceWithinMs
  )
}

async function sendAtOnce(
  ctx: PaymentContext,
  { unsentBy, ...item }: HeldPayment,
  connector: Connector,
): Promise<NextStep> {
  const { payment } = item
  const { providerReference = '' } = payment
  const submittedAt = ctx.clock.now()
  const outcome = await connector.submit(orderOf(payment), providerReference)
  if (outcome.kind !== 'PENDING' && outcome.kind !== 'UNKNOWN') {
    return settle(ctx, { ...item, payment: { ...payment, submittedAt } }, connector, outcome)
  }
  const answeredAt = ctx.clock.now()
  const facts = { providerReference, submittedAt, ...present({ fence: unsentBy }) }
  const processing = await advancePayment(ctx, payment, 'submit', facts)
  return processing && settle(ctx, { ...item, payment: processing }, connector, outcome, answeredAt)
}

/** State and reference are stored first: whatever happens from then on ends in a look-up. */
async function fence(
  ctx: PaymentContext,
  item: HeldPayment,
  connector: Connector,
): Promise<NextStep> {
  const isInDoubt = mayBeSent(ctx, item) || item.payment.createdAt <= ctx.node.restoredAt()
  const order = orderOf(item.payment)
  const reference = item.payment.providerReference ?? connector.prepare(order).reference
  const holder = ctx.node.id()
  const payment = await advancePayment(ctx, item.payment, 'submit', {
    providerReference: reference,
    submittedAt: ctx.clock.now(),
    fence: holder,
  })
  if (payment === undefined) return undefined
  if (isInDoubt) return lookUp(ctx, { ...item, payment }, connector)
  return send(ctx, { ...item, payment }, connector, { reference, holder })
}

/** By the node that accepted it, which has gone since or lost its name. */
const mayBeSent = (ctx: PaymentContext, { payment, unsentBy }: HeldPayment): boolean =>
  payment.providerReference !== undefined && unsentBy !== ctx.node.id()

async function send(
  ctx: PaymentContext,
  item: HeldPayment,
  connector: Connector,
  { reference, holder }: { readonly reference: string; readonly holder: NodeId },
): Promise<NextStep> {
  // Too late to act, or no longer under the name that holds the payment: others may already look
  // after it. That node looks it up.
  const isOurs = ctx.node.id() === holder && ctx.node.mayAct()
  if (!isOurs) return askAgain(ctx, item, undefined)
  const outcome = await connector.submit(orderOf(item.payment), reference)
  return settle(ctx, item, connector, outcome)
}

async function lookUp(
  ctx: PaymentContext,
  item: HeldPayment,
  connector: Connector,
): Promise<NextStep> {
  const { payment } = item
  const reference = payment.providerReference
  if (reference === undefined) throw new Error(`Payment ${payment.key} has no reference`)
  const outcome = await connector.query(orderOf(payment), reference, item.memo)
  if (outcome.kind === 'UNKNOWN' && outcome.why === 'NOT_FOUND') {
    return neverArrived(ctx, item, connector, outcome)
  }
  return settle(ctx, item, connector, outcome)
}

/**
 * The operator says it has no such order. It may still be on its way; after a while it is not: the
 * node that held the payment died before sending it. Where the operator refuses a reference it has
 * seen, sending now cannot move money twice.
 */
async function neverArrived(
  ctx: PaymentContext,
  item: HeldPayment,
  connector: Connector,
  outcome: Outcome,
): Promise<NextStep> {
  const { payment } = item
  const reference = payment.providerReference
  const ageMs = ctx.clock.now() - (payment.submittedAt ?? 0)
  // Sent in a future that the test clock has come back from: how long ago nobody knows.
  const isOnItsWay = ageMs >= 0 && ageMs < LIMITS.orderArrivesWithinMs
  const mayResubmit = connector.profile.refusesKnownReferences && reference !== undefined
  const holder = ctx.node.id()
  if (!isOnItsWay && mayResubmit && (await isHeldBy(ctx.db, payment, holder))) {
    return send(ctx, item, connector, { reference, holder })
  }
  return settle(ctx, item, connector, outcome)
}

async function settle(
  ctx: PaymentContext,
  item: HeldPayment,
  connector: Connector,
  outcome: Outcome,
  answeredAt = ctx.clock.now(),
): Promise<NextStep> {
  switch (outcome.kind) {
    case 'DONE': {
      const { transactionId: providerTransactionId } = outcome
      const { submittedAt } = item.payment
      const facts = present({ submittedAt, providerTransactionId })
      await advancePayment(ctx, item.payment, 'confirm', facts)
      return undefined
    }
    case 'FAILED':
    case 'REFUSED': {
      const { submittedAt } = item.payment
      const facts = { failure: outcome.failure, ...present({ submittedAt }) }
      await advancePayment(ctx, item.payment, 'decline', facts)
      return undefined
    }
    case 'PENDING': {
      const payment = await authorisePayment(ctx, item.payment, outcome.authorizationUrl)
      const known = await setUnknownSince(ctx, payment, undefined)
      if (known === undefined) return undefined
      const { memo, checkAfterMs } = outcome
      const next = { payment: known, timesAsked: item.timesAsked, ...present({ memo }) }
      // Counted from the answer: the test clock may be moved while it is written.
      return askAgain(ctx, next, checkAfterMs, answeredAt)
    }
    case 'UNKNOWN':
      return doubt(ctx, item, connector)
  }
}

/** Written only where it changes; nothing where the payment is no longer ours. */
async function setUnknownSince(
  ctx: PaymentContext,
  payment: Payment,
  since: number | undefined,
): Promise<Payment | undefined> {
  const { unknownSince, ...rest } = payment
  if (unknownSince === since) return payment
  const isOurs = await ctx.writes.doubt.add({ payment, node: ctx.node.id(), since })
  return isOurs ? { ...rest, ...present({ unknownSince: since }) } : undefined
}

function askAgain(
  ctx: PaymentContext,
  item: HeldPayment,
  afterMs: number | undefined,
  from = ctx.clock.now(),
): NextStep {
  const pause = afterMs ?? lookUpPauseMs(item.timesAsked)
  return { held: { ...item, timesAsked: item.timesAsked + 1 }, at: from + pause }
}

/** Unknown is not failed: after the window it is said openly, and the asking goes on. */
async function doubt(
  ctx: PaymentContext,
  item: HeldPayment,
  connector: Connector,
): Promise<NextStep> {
  if (item.payment.state !== 'PROCESSING') return askAgain(ctx, item, undefined)
  const now = ctx.clock.now()
  // The test clock may have come back from a later time.
  const since = Math.min(item.payment.unknownSince ?? now, now)
  const doubted = await setUnknownSince(ctx, item.payment, since)
  if (doubted === undefined) return undefined
  const windowEnds = since + connector.profile.unknownWindowMs
  if (now < windowEnds) {
    const pause = Math.min(lookUpPauseMs(item.timesAsked), windowEnds - now)
    return askAgain(ctx, { ...item, payment: doubted }, pause)
  }
  const payment = await advancePayment(ctx, doubted, 'loseTrack', {})
  return payment === undefined ? undefined : askAgain(ctx, { ...item, payment }, undefined)
}
