import { performance } from 'node:perf_hooks'
import { LIMITS } from '../../domain/timing.ts'

/** Whether one kind of write has as much to do as it can do: see decision 0007. */
type Saturation = {
  began(items: number): void
  ended(): void
  isReached(): boolean
}

/** The time, and how much of it this thread has spent waiting for something to do. */
type Clock = { readonly nowMs: () => number; readonly idleMs: () => number }

/** Fewer items a second are no load, however many share a write. */
const BUSY_PER_SECOND = 1500
/**
 * Items per write; few of them mean that the database keeps up. On two processors, 64 connections that
 * send as much as it can take make 16 to 25 per write. Nine tenths of that make 10 to 15, and 2 to 5 once
 * accepted payments wait. Between the two limits the answer stays as it is.
 */
const BUSY_ITEMS = { begin: 16, end: 8 }
const RATE_OVER_MS = 100

export function createSaturation(clock: Clock = CLOCK): Saturation {
  let inFlight = 0
  let itemsPerSecond = 0
  let writesPerSecond = 0
  let beganAt = Number.NEGATIVE_INFINITY
  let idleAtEnd = Number.NEGATIVE_INFINITY
  let hasLargeGroups = false
  return {
    began: (items) => {
      const now = clock.nowMs()
      const fading = Math.exp((beganAt - now) / RATE_OVER_MS)
      itemsPerSecond = itemsPerSecond * fading + (items * 1000) / RATE_OVER_MS
      writesPerSecond = writesPerSecond * fading + 1000 / RATE_OVER_MS
      const itemsInEach = itemsPerSecond / writesPerSecond
      hasLargeGroups = itemsInEach >= (hasLargeGroups ? BUSY_ITEMS.end : BUSY_ITEMS.begin)
      beganAt = now
      inFlight += 1
    },
    ended: () => {
      inFlight -= 1
      idleAtEnd = clock.idleMs()
    },
    isReached: () =>
      itemsPerSecond >= BUSY_PER_SECOND &&
      hasLargeGroups &&
      // Of one large write that takes long, nothing follows about what comes in.
      clock.nowMs() - beganAt < RATE_OVER_MS &&
      // A busy thread takes longer for the answers and the next requests than the gap is long, so
      // only the time that it waits counts.
      (inFlight > 0 || clock.idleMs() - idleAtEnd < LIMITS.groupBusyMs),
  }
}

const CLOCK: Clock = {
  nowMs: () => performance.now(),
  idleMs: () => performance.eventLoopUtilization().idle,
}
