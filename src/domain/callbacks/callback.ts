/**
 * When a callback is owed and when it is tried again. Delays count from the attempt before; the
 * last one repeats until the window closes, with an attempt at its very end. Jitter only shortens, so "after 5 s" is never later.
 */
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  15 * SECOND,
  45 * SECOND,
  2 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  1 * HOUR,
  3 * HOUR,
  6 * HOUR,
  12 * HOUR,
  24 * HOUR,
]
export const RETRY_WINDOW_MS = 7 * DAY
const JITTER = 0.1

/** NO_ADDRESS: nothing was sent, because it is there for a client that listens. */
export const CALLBACK_STATUSES = [
  'PENDING',
  'DELIVERED',
  'GIVEN_UP',
  'PAUSED',
  'NO_ADDRESS',
] as const
export type CallbackStatus = (typeof CALLBACK_STATUSES)[number]

/**
 * Undefined when the window has closed: the callback is given up, and a resend stays possible. What
 * the receiver asks for in `Retry-After` is the least to wait, never a reason to come sooner.
 */
export function nextAttemptAt(
  tries: number,
  firstAttemptAt: number,
  now: number,
  random: number,
  askedMs = 0,
): number | undefined {
  const delay = RETRY_DELAYS_MS[Math.min(tries, RETRY_DELAYS_MS.length) - 1] ?? 5 * SECOND
  const at = now + Math.max(askedMs, Math.round(delay * (1 - JITTER * random)))
  const end = firstAttemptAt + RETRY_WINDOW_MS
  if (now >= end || now + askedMs > end) return undefined
  return Math.min(at, end)
}

/** Any 2xx says that the receiver has it; everything else, redirects included, does not. */
export function isAcknowledged(httpStatus: number): boolean {
  return httpStatus >= 200 && httpStatus < 300
}

/** Gone: the receiver wants nothing more, and its endpoint is paused. */
export const GONE = 410
