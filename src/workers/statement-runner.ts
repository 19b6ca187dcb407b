import { FILE_KEPT_MS } from '../domain/statements/statement.ts'
import { removeOldPieces } from '../store/statements/statement-pieces.ts'
import {
  claimStatement,
  type HeldStatement,
  releaseStatement,
} from '../store/statements/statements.ts'
import type { Log } from '../usecases/context.ts'
import type { StatementContext } from '../usecases/statements/context.ts'
import { writeStatement } from '../usecases/statements/write-statement.ts'
import { settled } from './settled.ts'
import type { Trouble } from './trouble.ts'

/** Writes the files of statements, one at a time, so that payments hardly notice. */
export type StatementRunner = {
  /** Claims a statement that waits, unless one is being written; answers how many came. */
  claim(): Promise<number>
  /** Removes some of what is too old to be kept. */
  tidy(): Promise<void>
  /** What is being written is dropped: the node holds nothing under its former name. */
  forget(): void
  /** What is being written is given back: a long one would not be ended in time. */
  stop(): Promise<void>
}

export function createStatementRunner(
  ctx: StatementContext,
  log: Log,
  trouble: Trouble,
): StatementRunner {
  const { now } = ctx.clock
  let writing: AbortController | undefined
  let epoch = 0
  let stopped = false

  async function run(held: HeldStatement, stopping: AbortController): Promise<void> {
    try {
      const writes = await writeStatement(ctx, held, stopping.signal)
      if (writes === 'STOPPED') await releaseStatement(ctx.db, held, now(), false)
    } catch (error) {
      await retryLater(held, error)
    } finally {
      writing = undefined
      // The callback of this one is owed now, and the next one may be waiting.
      if (!stopped) ctx.work.wake()
    }
  }

  async function retryLater(held: HeldStatement, error: unknown): Promise<void> {
    if (trouble.isOutage(error)) return trouble.report(error)
    log.error({ err: error, statementKey: held.statement.key }, 'a statement could not be written')
    const dueAt = now() + ctx.timing.retryAfterBugMs
    await releaseStatement(ctx.db, held, dueAt, true).catch((lost) => trouble.report(lost))
  }

  return {
    claim: async () => {
      if (writing !== undefined || stopped) return 0
      const startedIn = epoch
      const held = await claimStatement(ctx.db, ctx.node.id(), now())
      if (held === undefined || startedIn !== epoch) return 0
      writing = new AbortController()
      void run(held, writing)
      return 1
    },
    tidy: () => removeOldPieces(ctx.db, now() - FILE_KEPT_MS),
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
