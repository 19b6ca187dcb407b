import { LIMITS } from '../domain/timing.ts'

/** One timer for the earliest of many moments on a clock that may be moved. */
type Alarm = {
  /** Makes sure that `ring` is called no later than this moment of the clock. */
  setFor(at: number | undefined): void
  stop(): void
}

export function createAlarm(now: () => number, ring: () => void): Alarm {
  let timer: NodeJS.Timeout | undefined
  let setAt = Number.POSITIVE_INFINITY

  const clear = (): void => {
    clearTimeout(timer)
    timer = undefined
    setAt = Number.POSITIVE_INFINITY
  }

  return {
    setFor: (at) => {
      if (at === undefined || at >= setAt) return
      clear()
      setAt = at
      timer = setTimeout(
        () => {
          clear()
          ring()
        },
        Math.min(Math.max(at - now(), 0), LIMITS.alarmAtMostMs),
      )
    },
    stop: clear,
  }
}
