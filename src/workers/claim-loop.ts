import { settled } from './settled.ts'

/** Claims what is due in the database, in rounds, one at a time. */
type ClaimLoop = {
  start(): void
  /** Claims until nothing more is due; asked meanwhile, it goes once more. */
  claim(): Promise<void>
  stop(): Promise<void>
}

type ClaimLoopOptions = {
  readonly everyMs: number
  readonly settleWithinMs: number
  /** Answers how much there was. */
  readonly round: () => Promise<number>
  readonly mayAct: () => boolean
  readonly failed: (error: unknown) => void
}

export function createClaimLoop(options: ClaimLoopOptions): ClaimLoop {
  const { round, mayAct, failed } = options
  let timer: NodeJS.Timeout | undefined
  let claiming = false
  let again = false
  let stopped = false

  async function claim(): Promise<void> {
    again = true
    if (claiming) return
    claiming = true
    while (again && !stopped && mayAct()) {
      again = false
      try {
        if ((await round()) > 0) again = true
      } catch (error) {
        failed(error)
        break
      }
    }
    claiming = false
  }

  return {
    start: () => {
      timer = setInterval(() => void claim(), options.everyMs)
    },
    claim,
    stop: async () => {
      stopped = true
      clearInterval(timer)
      await settled(() => !claiming, options.settleWithinMs)
    },
  }
}
