import { LIMITS } from '../timing.ts'

/**
 * Payments are counted by hours of UTC, so that figures over months need not read every payment. An
 * hour is counted once, when it is over and none of its payments is open any more. Everything else is
 * counted anew each time.
 */
export const HOUR_MS = 3_600_000

export const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS) * HOUR_MS

/** No payment that begins from now on belongs to an hour before this. */
export const endOfHoursOver = (now: number): number => hourOf(now - LIMITS.storedWithinMs)

/** Which hours of a merchant are counted: all before `untilMs` but the open ones. */
export type CountedHours = { readonly untilMs: number; readonly openHours: readonly number[] }

/** A stretch of time of which figures are wanted; `toMs` is not included. */
export type Period = { readonly fromMs: number; readonly toMs: number }

/** A part of the period of that number. */
type Part = Period & { readonly period: number }

export type Parts = { readonly counted: readonly Part[]; readonly live: readonly Part[] }

/** What of the periods is counted already, in whole hours, and what has to be looked at. */
export function partsOf(periods: readonly Period[], hours: CountedHours | undefined): Parts {
  const open = new Set(hours?.openHours)
  const untilMs = hours?.untilMs ?? Number.NEGATIVE_INFINITY
  const counted: Part[] = []
  const live: Part[] = []
  for (const [period, { fromMs, toMs }] of periods.entries()) {
    for (let at = fromMs; at < toMs; at = hourOf(at) + HOUR_MS) {
      const next = Math.min(hourOf(at) + HOUR_MS, toMs)
      const isWhole = next - at === HOUR_MS
      const isCounted = isWhole && at < untilMs && !open.has(at)
      addTo(isCounted ? counted : live, { period, fromMs: at, toMs: next })
    }
  }
  return { counted, live }
}

/** Hours that follow each other are one part. */
function addTo(parts: Part[], next: Part): void {
  const last = parts.at(-1)
  if (last?.period === next.period && last.toMs === next.fromMs) {
    parts[parts.length - 1] = { ...last, toMs: next.toMs }
  } else {
    parts.push(next)
  }
}
