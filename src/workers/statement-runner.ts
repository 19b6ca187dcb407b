import { claimExport } from '../store/statements/exports.ts'
import { releaseFile } from '../store/statements/held-files.ts'
import { claimStatement } from '../store/statements/statements.ts'
import type { Log } from '../usecases/context.ts'
import type { StatementContext } from '../usecases/statements/context.ts'
import { writeExport } from '../usecases/statements/write-export.ts'
import { writeStatement } from '../usecases/statements/write-statement.ts'
import { createFileRunner, type FileRunner } from './file-runner.ts'
import type { Trouble } from './trouble.ts'

/** Statements that programs asked for. */
export const createStatementRunner = (
  ctx: StatementContext,
  log: Log,
  trouble: Trouble,
): FileRunner =>
  createFileRunner(
    ctx,
    {
      claim: () => claimStatement(ctx.db, ctx.node.id(), ctx.clock.now()),
      write: (held, signal) => writeStatement(ctx, held, signal),
      release: (held, dueAt, counts) => releaseFile(ctx.db, held, dueAt, counts),
      nameOf: ({ statement }) => ({ statementKey: statement.key }),
      failed: 'a statement could not be written',
    },
    log,
    trouble,
  )

/** Files that people asked for on the dashboard. */
export const createExportRunner = (ctx: StatementContext, log: Log, trouble: Trouble): FileRunner =>
  createFileRunner(
    ctx,
    {
      claim: () => claimExport(ctx.db, ctx.node.id(), ctx.clock.now()),
      write: (held, signal) => writeExport(ctx, held, signal),
      release: (held, dueAt, counts) => releaseFile(ctx.db, held, dueAt, counts),
      nameOf: (held) => ({ exportId: held.export.id }),
      failed: 'an export could not be written',
    },
    log,
    trouble,
  )
