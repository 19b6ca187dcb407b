import { monitorEventLoopDelay } from 'node:perf_hooks'
import { UPKEEP } from '../domain/upkeep-timing.ts'

/** How late the event loop was, in seconds. */
export type LoopDelays = { readonly median: number; readonly p99: number; readonly max: number }

/**
 * Watches the delays of the event loop in windows of a minute or more. Reading does not empty a
 * window, so that every reader sees the same: the last window that is over, or the first while it
 * lasts. A window is closed by the first reading after its minute.
 */
export function watchLoop(now: () => number): { delays(): LoopDelays; stop(): void } {
  const loop = monitorEventLoopDelay({ resolution: UPKEEP.loopMeasuredEveryMs })
  loop.enable()
  let startedAt = now()
  let closed: LoopDelays | undefined
  const read = (): LoopDelays => ({
    median: seconds(loop.percentile(50)),
    p99: seconds(loop.percentile(99)),
    max: seconds(loop.max),
  })
  return {
    delays: () => {
      if (now() - startedAt >= UPKEEP.loopWindowMs) {
        closed = read()
        loop.reset()
        startedAt = now()
      }
      return closed ?? read()
    },
    stop: () => loop.disable(),
  }
}

/** The meter counts its own interval in; only what comes on top is a delay. */
const seconds = (nanos: number): number =>
  Math.max(0, nanos / 1e9 - UPKEEP.loopMeasuredEveryMs / 1000)
