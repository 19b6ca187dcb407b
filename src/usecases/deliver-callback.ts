import type { Delivery } from '../callbacks/send.ts'
import { type CallbackStatus, GONE, isAcknowledged, nextAttemptAt } from '../domain/callback.ts'
import {
  type CallbackSubject,
  isOnTheWay,
  SUBJECT_WORDS,
  subjectAsOf,
} from '../domain/callback-subject.ts'
import { retryAfterMs } from '../domain/retry-after.ts'
import { isEndTold } from '../store/authorisations.ts'
import { findSubject } from '../store/callback-subjects.ts'
import type { Attempt, OwedCallback } from '../store/callbacks.ts'
import type { CallbackTarget } from './callback-target.ts'
import type { Context } from './context.ts'
import { beginPause, endPause } from './endpoint-pause.ts'

export type Delivered = {
  readonly isDelivered: boolean
  /** It has to go out once more at once: a resend was asked for while the attempt was under way. */
  readonly again?: OwedCallback
}

/**
 * One attempt, recorded whatever came of it, and the date of the next one. A retry waits in the
 * database, held by nobody, so that a resend finds it free.
 */
export async function deliverCallback(
  ctx: Context,
  owed: OwedCallback,
  target: CallbackTarget,
): Promise<Delivered> {
  const at = ctx.clock.now()
  const holder = ctx.node.id()
  const subject = await subjectToTell(ctx, owed)
  const delivery = subject === undefined ? NOTHING_SENT : await attempt(ctx, subject, target)
  const outcome = subject === undefined ? OVER : await outcomeOf(ctx, owed, target, delivery)
  const { resend } = await ctx.writes.attempts.add({
    owed,
    holder,
    at,
    url: subject === undefined ? '' : target.url,
    ...kept(delivery),
    ...outcome,
  })
  ctx.measure.callback(MEASURED[outcome.status], delivery.durationMs)
  const isDelivered = outcome.status === 'DELIVERED'
  if (!resend) return { isDelivered }
  return { isDelivered, again: { ...owed, tries: 0, roundStartedAt: ctx.clock.now() } }
}

const MEASURED = {
  DELIVERED: 'delivered',
  PENDING: 'failed',
  GIVEN_UP: 'given_up',
  PAUSED: 'paused',
} as const satisfies Readonly<Record<CallbackStatus, string>>

/** Nothing when the outcome may have been told: the last word must not be an earlier state. */
async function subjectToTell(
  ctx: Context,
  { subject, state }: OwedCallback,
): Promise<CallbackSubject | undefined> {
  if (!isOnTheWay(subject, state)) return subject
  const { merchantId, kind, id, key } = subject
  const now = await findSubject(ctx.db, merchantId, kind, id)
  if (now === undefined || now.key !== key) return undefined
  const isTooLate =
    !isOnTheWay(now, now.state) && (await isEndTold(ctx.db, merchantId, key, ctx.node.id()))
  return isTooLate ? undefined : subjectAsOf(now, state)
}

const NOTHING_SENT: Delivery = { durationMs: 0 }
const OVER = {
  status: 'GIVEN_UP',
  reason: 'the outcome of the payment was told meanwhile',
} as const

async function attempt(
  ctx: Context,
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
  ctx: Context,
  owed: OwedCallback,
  target: CallbackTarget,
  { httpStatus, retryAfter, reason }: Delivery,
): Promise<Outcome> {
  if (httpStatus !== undefined && isAcknowledged(httpStatus)) {
    if (target.pausedMs !== undefined) await endPause(ctx, target)
    return { status: 'DELIVERED' }
  }
  if (target.url === '' && target.merchant?.hasListener) {
    return { status: 'DELIVERED', reason: FOR_THE_LISTENER }
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

const FOR_THE_LISTENER = 'no callback address is set; it is there for whoever listens'
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
  return `${answered} and asked for ${Math.ceil(askedMs / 1000)} s of patience`
}

function kept(delivery: Delivery): Omit<Attempt, 'owed' | 'holder' | 'at' | 'url' | 'status'> {
  const { durationMs, signedAt, keyId, signature, httpStatus, answer } = delivery
  return {
    durationMs: Math.round(durationMs),
    ...(signedAt === undefined ? {} : { signedAt }),
    ...(keyId === undefined ? {} : { keyId }),
    ...(signature === undefined ? {} : { signature }),
    ...(httpStatus === undefined ? {} : { httpStatus }),
    ...(answer === undefined ? {} : { answer: storable(answer) }),
  }
}

/** A receiver may answer anything; what cannot be stored as text is left out. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\u0000', '')
