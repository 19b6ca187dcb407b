import type { Delivery } from '../callbacks/send.ts'
import { type CallbackStatus, isAcknowledged, nextAttemptAt } from '../domain/callback.ts'
import { callbackUrlOf, SUBJECT_WORDS } from '../domain/callback-subject.ts'
import type { Attempt, OwedCallback } from '../store/callbacks.ts'
import type { Context } from './context.ts'

/**
 * One attempt, recorded whatever came of it, and the date of the next one. A retry waits in the
 * database, held by nobody, so that a resend finds it free. Answers the callback when it has to go
 * out once more at once, because a resend was asked for while the attempt was under way.
 */
export async function deliverCallback(
  ctx: Context,
  owed: OwedCallback,
): Promise<OwedCallback | undefined> {
  const at = ctx.clock.now()
  const { url, delivery } = await attempt(ctx, owed)
  const delivered = delivery.httpStatus !== undefined && isAcknowledged(delivery.httpStatus)
  const now = ctx.clock.now()
  const nextAt = delivered ? undefined : nextAttempt(ctx, owed, now)
  const status = delivered ? 'DELIVERED' : nextAt === undefined ? 'GIVEN_UP' : 'PENDING'
  const record = attemptOf(owed, { at, url, delivery, status, nextAt })
  const { resend } = await ctx.writes.attempts.add(record)

  ctx.measure.callback(MEASURED[status], delivery.durationMs)
  if (!resend) return undefined
  return { ...owed, tries: 0, attempts: owed.attempts + 1, roundStartedAt: now }
}

const MEASURED: Readonly<Record<CallbackStatus, 'delivered' | 'failed' | 'given_up'>> = {
  DELIVERED: 'delivered',
  PENDING: 'failed',
  GIVEN_UP: 'given_up',
}

async function attempt(
  ctx: Context,
  owed: OwedCallback,
): Promise<{ url: string; delivery: Delivery }> {
  const { subject } = owed
  const merchant = await ctx.merchants.byId(subject.merchantId)
  const url = callbackUrlOf(subject, merchant)
  if (merchant === undefined || url === undefined) {
    const reason = `no callback address is set for a ${SUBJECT_WORDS[subject.kind]}`
    return { url: '', delivery: { durationMs: 0, reason } }
  }
  return { url, delivery: await ctx.callbacks.send(subject, merchant, url) }
}

function nextAttempt(ctx: Context, owed: OwedCallback, now: number): number | undefined {
  return nextAttemptAt(owed.tries + 1, owed.roundStartedAt, now, ctx.random())
}

function attemptOf(
  owed: OwedCallback,
  result: {
    at: number
    url: string
    delivery: Delivery
    status: CallbackStatus
    nextAt: number | undefined
  },
): Attempt {
  const { at, url, delivery, status, nextAt } = result
  const { durationMs, signedAt, keyId, signature, httpStatus, answer } = delivery
  const reason = delivery.reason ?? refusalOf(httpStatus)
  return {
    owed,
    at,
    url,
    status,
    durationMs: Math.round(durationMs),
    ...(signedAt === undefined ? {} : { signedAt }),
    ...(keyId === undefined ? {} : { keyId }),
    ...(signature === undefined ? {} : { signature }),
    ...(httpStatus === undefined ? {} : { httpStatus }),
    ...(answer === undefined ? {} : { answer: storable(answer) }),
    ...(reason === undefined ? {} : { reason }),
    ...(nextAt === undefined ? {} : { nextAt }),
  }
}

function refusalOf(httpStatus: number | undefined): string | undefined {
  if (httpStatus === undefined || isAcknowledged(httpStatus)) return undefined
  if (httpStatus >= 300 && httpStatus < 400) {
    return `the receiver answered with a redirect (${httpStatus}); redirects are not followed`
  }
  return `the receiver answered with ${httpStatus} instead of a 2xx`
}

/** A receiver may answer anything; what cannot be stored as text is left out. */
const storable = (text: string): string => text.toWellFormed().replaceAll('\u0000', '')
