import { LIMITS } from '../domain/timing.ts'

/**
 * How much one node asks of one account: so many requests at once, so many a second. Those beyond
 * wait their turn. Requests that fail on the way, one after the other, are counted as well.
 */
export type Gate = {
  /** Runs the work when it is its turn; answers undefined where it had to wait for too long. */
  pass<T>(work: () => Promise<T>): Promise<T | undefined>
  /** How many wait or are under way. */
  load(): number
}

type GateLimits = { readonly atOnce: number; readonly perSecond: number }

export function createGate({ atOnce, perSecond }: GateLimits, now: () => number): Gate {
  const line: { start: (isTurn: boolean) => void; since: number }[] = []
  let running = 0
  /** When the next request may leave. */
  let nextAt = Number.NEGATIVE_INFINITY
  let timer: NodeJS.Timeout | undefined

  const letIn = (): void => {
    clearTimeout(timer)
    timer = undefined
    while (line.length > 0 && running < atOnce) {
      const at = now()
      const first = line[0]
      if (first !== undefined && at - first.since > LIMITS.operatorTurnMs) {
        line.shift()?.start(false)
        continue
      }
      if (at < nextAt) {
        timer = setTimeout(letIn, Math.ceil(nextAt - at))
        return
      }
      // A second that was quiet does not become a burst later.
      nextAt = Math.max(nextAt, at - 1000 / perSecond) + 1000 / perSecond
      running += 1
      line.shift()?.start(true)
    }
  }

  return {
    pass: async (work) => {
      const isTurn = await new Promise<boolean>((start) => {
        line.push({ start, since: now() })
        letIn()
      })
      if (!isTurn) return undefined
      try {
        return await work()
      } finally {
        running -= 1
        letIn()
      }
    },
    load: () => running + line.length,
  }
}
