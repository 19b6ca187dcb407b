import type { Context, Log } from '../usecases/context.ts'
import type { Writing } from '../usecases/statements/stored-file.ts'
import { settled } from './settled.ts'
import type { Trouble } from './trouble.ts'

/** Writes files in the background, one at a time, so that payments hardly notice. */
export type FileRunner = {
  /** Claims a file that waits, unless one is being written; answers how many came. */
  claim(): Promise<number>
  /** What is being written is dropped: the node holds nothing under its former name. */
  forget(): void
  /** What is being written is given back: a long one would not be ended in time. */
  stop(): Promise<void>
}

/** One kind of file: statements, or exports. */
type FileWork<Held> = {
  readonly claim: () => Promise<Held | undefined>
  readonly write: (held: Held, signal: AbortSignal) => Promise<Writing>
  readonly release: (held: Held, dueAt: number, counts: boolean) => Promise<void>
  /** For the log. */
  readonly nameOf: (held: Held) => object
  readonly failed: string
}

export function createFileRunner<Held>(
  ctx: Context,
  work: FileWork<Held>,
  log: Log,
  trouble: Trouble,
): FileRunner {
  const { now } = ctx.clock
  let writing: AbortController | undefined
  let epoch = 0
  let stopped = false

  async function run(held: Held, stopping: AbortController): Promise<void> {
    try {
      const writes = await work.write(held, stopping.signal)
      if (writes === 'STOPPED') await work.release(held, now(), false)
    } catch (error) {
      await retryLater(held, error)
    } finally {
      writing = undefined
      // A callback may be owed now, and the next one may be waiting.
      if (!stopped) ctx.work.wake()
    }
  }

  async function retryLater(held: Held, error: unknown): Promise<void> {
    if (trouble.isOutage(error)) return trouble.report(error)
    log.error({ err: error, ...work.nameOf(held) }, work.failed)
    const dueAt = now() + ctx.timing.retryAfterBugMs
    await work.release(held, dueAt, true).catch((lost) => trouble.report(lost))
  }

  return {
    claim: async () => {
      if (writing !== undefined || stopped) return 0
      const startedIn = epoch
      const held = await work.claim()
      if (held === undefined || startedIn !== epoch) return 0
      writing = new AbortController()
      void run(held, writing)
      return 1
    },
    forget: () => {
      epoch += 1
      writing?.abort()
    },
    stop: async () => {
      stopped = true
      writing?.abort()
      await settled(() => writing === undefined, ctx.timing.settleWithinMs)
    },
  }
}
