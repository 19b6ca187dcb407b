import type { NodeTiming } from '../domain/timing.ts'

/** Whether many payments come in for a short time: see decision 0040. */
type Burst = { isOn(): boolean }

export function createBurst(
  isAccepting: () => boolean,
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
      return now - beganAt < burstForMs
    },
  }
}
