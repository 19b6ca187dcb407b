import { performance } from 'node:perf_hooks'

const OVER_MS = 100
/** With less than the rest of the time to wait in, the thread has no time left. */
const FULL = 0.95

/** Whether requests come in so fast that the thread has had no time left lately. */
export function createSaturation(isAccepting: () => boolean): () => boolean {
  let since = performance.eventLoopUtilization()
  let lookedAt = performance.now()
  let isFull = false
  return () => {
    if (!isAccepting()) return false
    const now = performance.now()
    if (now - lookedAt < OVER_MS) return isFull
    const current = performance.eventLoopUtilization()
    isFull = performance.eventLoopUtilization(current, since).utilization >= FULL
    since = current
    lookedAt = now
    return isFull
  }
}
