import type { Log } from '../usecases/context.ts'

/** Work behind the answers: it fails nothing, holds up nobody, and cannot pile up. */
type Behind = {
  run(work: () => Promise<void>): void
  /** Waits for what is under way. */
  close(): Promise<void>
}

export function createBehind(
  log: Log,
  limits: {
    /** For the log: what was not done. */
    readonly failed: string
    readonly atOnce: number
    readonly waitingMax: number
  },
): Behind {
  const { failed, atOnce, waitingMax } = limits
  const waiting: (() => Promise<void>)[] = []
  let running = 0
  let idle: (() => void)[] = []

  const next = (): void => {
    const work = running < atOnce ? waiting.shift() : undefined
    if (work === undefined) {
      if (running === 0) for (const done of idle.splice(0)) done()
      return
    }
    running += 1
    work()
      // The address of a person must not be in the log, and texts of mail servers repeat it.
      .catch((error) => log.warn({ code: error?.code }, failed))
      .finally(() => {
        running -= 1
        next()
      })
  }

  return {
    run: (work) => {
      if (waiting.length >= waitingMax) {
        log.warn({ waiting: waiting.length }, `${failed}: too many wait`)
        return
      }
      waiting.push(work)
      next()
    },
    close: async () => {
      if (running === 0 && waiting.length === 0) return
      await new Promise<void>((resolve) => {
        idle = [...idle, resolve]
      })
    },
  }
}
