import type { Delivery } from '../../callbacks/dispatch.ts'
import {
  type CallbackStatus,
  GONE,
  isAcknowledged,
  nextAttemptAt,
} from '../../domain/callbacks/callback.ts'
import {
  type CallbackSubject,
  isOnTheWay,
  SUBJECT_WORDS,
  subjectAsOf,
  traceOf,
} from '../../domain/callbacks/callback-subject.ts'
import { retryAfterMs } from '../../domain/callbacks/retry-after.ts'
import type { NodeId } from '../../domain/ids.ts'
import type { Writable } from '../../domain/present.ts'
import type { Attempt } from '../../store/callbacks/attempts.ts'
import { findSubject } from '../../store/callbacks/callback-subjects.ts'
import type { OwedCallback } from '../../store/callbacks/callbacks.ts'
import type { Begun } from '../../store/callbacks/sendings.ts'
import { isEndReported, isHeldElsewhere } from '../../store/payments/authorisations.ts'
import type { CallbackTarget } from './callback-target.ts'
import type { CallbackContext } from './context.ts'
import { beginPause, endPause } from './endpoint-pause.ts'
import { recordAttempt } from './record-attempt.ts'

type Delivered = {
  /** False when the node may not act any more: nothing was sent, and nothing is recorded. */
  readonly isSent: boolean
  /** It says nothing about the receiver. */
  readonly isOurFault: boolean
  /** Or there was nothing to deliver it to. */
  readonly isDelivered: boolean
  /** It has to go out once more at once: a resend was asked for while the attempt was under way. */
  readonly again?: OwedCallback
}

const NOT_SENT: Delivered = { isSent: false, isOurFault: true, isDelivered: false }

type Progress = {
  readonly isStopped: () => boolean
  /** The receiver has it and is free; the record is still to be written. */
  readonly acknowledged: () => void
}

/**
 * One attempt, noted before it begins and recorded whatever came of it, with the date of the next
 * one. A retry waits in the database, held by nobody, so that a resend finds it free.
 */
export async function deliverCallback(
  ctx: CallbackContext,
  owed: OwedCallback,
  target: CallbackTarget,
  { isStopped, acknowledged }: Progress,
): Promise<Delivered> {
  const at = ctx.clock.now()
  const node = ctx.node.id()
  if (await isSentElsewhere(ctx, owed, node)) return NOT_SENT
  const subject = await subjectToTell(ctx, owed)
  const url = subject === undefined ? '' : target.url
  const { noteEnded } = owed
  const { ended } = await noted(ctx, owed, { node, at, url })
  // Others may send it from the moment on that this node is taken for dead.
  if (ended === undefined || ctx.node.id() !== node || !ctx.node.mayAct()) {
    // What is owed by its note alone keeps it until it has a row.
    if (noteEnded === undefined) ended?.()
    return NOT_SENT
  }
  const delivery = subject === undefined ? NOTHING_SENT : await attempt(ctx, subject, target)
  if (delivery.fault === 'NOT_SENT') {
    if (noteEnded === undefined) ended()
    return NOT_SENT
  }
  if (delivery.httpStatus !== undefined && isAcknowledged(delivery.httpStatus)) {
    acknowledged()
    ctx.lastUses.address(owed.subject.merchantId, target.kind, url)
  }
  const conclude = async (): Promise<Attempt> => {
    const outcome = subject === undefined ? OVER : await outcomeOf(ctx, owed, target, delivery)
    return attemptOf({ owed, holder: node, at, url }, delivery, outcome)
  }
  const { status, resend } = await recordAttempt(ctx, conclude, isStopped)
  ended()
  const { traceparent } = traceOf(owed.subject)
  ctx.measure.callback(MEASURED[status], delivery.durationMs, traceparent)
  const sent = {
    isSent: true,
    isOurFault: delivery.fault !== undefined,
    isDelivered: status === 'DELIVERED' || status === 'NO_ADDRESS',
  }
  if (!resend) return sent
  const { noteEnded: _, ...stored } = owed
  const fresh = { tries: 0, attempts: owed.attempts + 1, roundStartedAt: ctx.clock.now() }
  return { ...sent, again: { ...stored, ...fresh } }
}

/** Attempts are noted before they begin; the first may have been together with what it reports. */
async function noted(
  ctx: CallbackContext,
  owed: OwedCallback,
  sending: { readonly node: NodeId; readonly at: number; readonly url: string },
): Promise<Begun> {
  if (owed.noteEnded !== undefined) return { ended: owed.noteEnded }
  return sending.url === '' ? UNNOTED : ctx.writes.sendings.add({ owed, ...sending })
}

/** Callbacks of one payment never overlap, also when two nodes have one each in hand. */
async function isSentElsewhere(
  ctx: CallbackContext,
  owed: OwedCallback,
  node: NodeId,
): Promise<boolean> {
  const { subject, state } = owed
  const hasOthers = 'authorizationUrl' in subject && subject.authorizationUrl !== undefined
  if (!hasOthers || isOnTheWay(subject, state)) return false
  return isHeldElsewhere(ctx.db, owed, node, ctx.clock.now())
}

const MEASURED = {
  DELIVERED: 'delivered',
  PENDING: 'failed',
  GIVEN_UP: 'given_up',
  PAUSED: 'paused',
  NO_ADDRESS: 'no_address',
} as const satisfies Readonly<Record<CallbackStatus, string>>

/** Nothing when the outcome may have been reported: the last word must not be an earlier state. */
async function subjectToTell(
  ctx: CallbackContext,
  { subject, state }: OwedCallback,
): Promise<CallbackSubject | undefined> {
  if (!isOnTheWay(subject, state)) return subject
  const { merchantId, kind, id, key } = subject
  const now = await findSubject(ctx.db, merchantId, kind, id)
  if (now === undefined || now.key !== key) return undefined
  const isTooLate =
    !isOnTheWay(now, now.state) && (await isEndReported(ctx.db, merchantId, key, ctx.node.id()))
  return isTooLate ? undefined : subjectAsOf(now, state)
}

/** Nothing leaves the house, so nothing can be cut off. */
const UNNOTED: Begun = { ended: () => {} }
const NOTHING_SENT: Delivery = { durationMs: 0 }
const OVER = {
  status: 'GIVEN_UP',
  reason: 'the outcome of the payment was reported meanwhile',
} as const

async function attempt(
  ctx: CallbackContext,
  subject: CallbackSubject,
  { merchant, url }: CallbackTarget,
): Promise<Delivery> {
  if (merchant !== undefined && url !== '') return ctx.callbacks.send(subject, merchant, url)
  const reason = `no callback address is set for a ${SUBJECT_WORDS[subject.kind]}`
  return { durationMs: 0, reason }
}

type Outcome = Pick<Attempt, 'status' | 'reason' | 'nextAt'>

/** What follows from the attempt, and why, in plain words. */
async function outcomeOf(
  ctx: CallbackContext,
  owed: OwedCallback,
  target: CallbackTarget,
  { httpStatus, retryAfter, reason }: Delivery,
): Promise<Outcome> {
  if (httpStatus !== undefined && isAcknowledged(httpStatus)) {
    if (target.pausedMs !== undefined) await endPause(ctx, target)
    return { status: 'DELIVERED' }
  }
  if (target.url === '' && target.merchant?.hasListener) {
    return { status: 'NO_ADDRESS', reason: FOR_THE_LISTENER }
  }
  if (httpStatus === GONE) {
    if (target.kind === 'statement') return { status: 'PAUSED', reason: GONE_FOR_ONE }
    if (await beginPause(ctx, target, owed.roundStartedAt))
      return { status: 'PAUSED', reason: GONE_FOR_ALL }
  }
  const asked = retryAfterMs(retryAfter, ctx.clock.realNow())
  const now = ctx.clock.now()
  const nextAt = nextAttemptAt(owed.tries + 1, owed.roundStartedAt, now, ctx.random(), asked)
  const why = reason ?? refusalOf(httpStatus ?? 0, asked)
  return nextAt === undefined
    ? { status: 'GIVEN_UP', reason: why }
    : { status: 'PENDING', reason: why, nextAt }
}

const FOR_THE_LISTENER = 'no callback address is set; it is there for a client that listens'
const GONE_FOR_ALL =
  'the receiver answered with 410 (gone): the endpoint is paused until its address is saved again ' +
  'or a resend is asked for'
const GONE_FOR_ONE =
  'the receiver answered with 410 (gone): this callback is paused until it is sent again'

function refusalOf(httpStatus: number, askedMs: number | undefined): string {
  if (httpStatus >= 300 && httpStatus < 400) {
    return `the receiver answered with a redirect (${httpStatus}); redirects are not followed`
  }
  const answered = `the receiver answered with ${httpStatus} instead of a 2xx`
  if (askedMs === undefined) return answered
  return `${answered} and asked to wait ${Math.ceil(askedMs / 1000)} s`
}

/** Field by field: every callback comes by here, and to spread what may be absent takes far longer. */
function attemptOf(
  { owed, holder, at, url }: Pick<Attempt, 'owed' | 'holder' | 'at' | 'url'>,
  { durationMs, signedAt, keyId, signature, httpStatus, answer }: Delivery,
  { status, reason, nextAt }: Outcome,
): Attempt {
  const ms = Math.round(durationMs)
  const attempt: Writable<Attempt> = { owed, holder, at, url, durationMs: ms, status }
  if (signedAt !== undefined) attempt.signedAt = signedAt
  if (keyId !== undefined) attempt.keyId = keyId
  if (signature !== undefined) attempt.signature = signature
  if (httpStatus !== undefined) attempt.httpStatus = httpStatus
  if (answer !== undefined) attempt.answer = storable(answer)
  if (reason !== undefined) attempt.reason = reason
  if (nextAt !== undefined) attempt.nextAt = nextAt
  return attempt
}

/** A receiver may answer anything; what cannot be stored as text is left out. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\u0000', '')
