import type { NodeTiming } from '../domain/timing.ts'

/** Whether many payments come in for a short time: see decision 0040. */
type Burst = { isOn(): boolean }

/** `waitedMs`: how long the payment that is due for the longest time has waited. */
export function createBurst(
  isAccepting: () => boolean,
  waitedMs: () => number,
  { burstForMs, burstOverMs }: Pick<NodeTiming, 'burstForMs' | 'burstOverMs'>,
  realNow: () => number = () => performance.now(),
): Burst {
  let beganAt = Number.NEGATIVE_INFINITY
  let seenAt = Number.NEGATIVE_INFINITY
  return {
    isOn: () => {
      if (!isAccepting()) return false
      const now = realNow()
      if (now - seenAt > burstOverMs) beganAt = now
      seenAt = now
      // Bursts may follow each other, and no payment waits for longer than one of them.
      return now - beganAt < burstForMs && waitedMs() < burstForMs
    },
  }
}
