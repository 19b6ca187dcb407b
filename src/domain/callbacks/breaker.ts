import { LIMITS } from '../timing.ts'

/**
 * How many attempts an endpoint may have under way at once. One that keeps failing is tried by one
 * attempt at a time; each success doubles that, so that a receiver that has just come back is not
 * run over by what has gathered meanwhile.
 */
export type Breaker = {
  /** Attempts that failed in a row. */
  readonly failures: number
  readonly limit: number
  /** Since when it is open; absent while the endpoint is trusted. */
  readonly openedAt?: number
}

/** About half of them are on their way; the others wait for their note to be written. */
export const ATTEMPTS_AT_ONCE = 128
export const OPENS_AFTER = 10

/**
 * With so many under way to all endpoints together, each has few at once: a node that starts more than it
 * can finish within their deadline would take its own slowness for theirs. Few and not none, since they
 * may be under way to others that hang.
 */
export const UNDER_WAY_MANY = 2000
const FEW_AT_ONCE = 8

/** How many an endpoint may have under way now. */
export const placesOf = ({ limit }: Breaker, underWay: number): number =>
  underWay < UNDER_WAY_MANY ? limit : Math.min(limit, FEW_AT_ONCE)

export const TRUSTED: Breaker = { failures: 0, limit: ATTEMPTS_AT_ONCE }

export function afterAttempt(breaker: Breaker, isDelivered: boolean, now: number): Breaker {
  if (isDelivered) {
    return breaker.limit === ATTEMPTS_AT_ONCE && breaker.failures === 0
      ? breaker
      : { failures: 0, limit: Math.min(ATTEMPTS_AT_ONCE, breaker.limit * 2) }
  }
  const failures = breaker.failures + 1
  if (failures < OPENS_AFTER) return { ...breaker, failures }
  return { failures, limit: 1, openedAt: breaker.openedAt ?? now }
}

export const isOpen = (breaker: Breaker): boolean => breaker.openedAt !== undefined

/**
 * How long what finds no place in the lane of an open breaker is deferred: the more there is, the
 * longer, so that it does not come back all at once, neither to us nor to the receiver.
 */
export function deferMs(deferredBefore: number): number {
  const { deferAtLeastMs, deferAtMostMs, deferEachMs } = LIMITS
  return Math.min(deferAtMostMs, deferAtLeastMs + deferredBefore * deferEachMs)
}
