import { READABLE_MS } from '../domain/hosted/page-session.ts'
import { FILE_KEPT_MS } from '../domain/statements/statement.ts'
import { LIFETIMES } from '../domain/timing.ts'
import { releasePaused } from '../store/callbacks/endpoints.ts'
import { dueSweeps, type KeptSince } from '../store/cluster/due-sweeps.ts'
import { dueWork } from '../store/cluster/due-work.ts'
import { freeOrphans } from '../store/cluster/takeover.ts'
import { isConnectionLoss } from '../store/engine/database.ts'
import { removeOldSessions } from '../store/hosted/page-sessions.ts'
import { removeOldPieces } from '../store/statements/file-pieces.ts'
import type { CallbackContext } from '../usecases/callbacks/context.ts'
import { forgetListeners } from '../usecases/callbacks/listen.ts'
import { stepReplay } from '../usecases/callbacks/replay-callbacks.ts'
import type { Log, WorkIntake } from '../usecases/context.ts'
import type { HostedContext } from '../usecases/hosted/context.ts'
import { expireDueCheckouts } from '../usecases/hosted/expire-checkout.ts'
import { readNotification } from '../usecases/payments/read-notification.ts'
import type { StatementContext } from '../usecases/statements/context.ts'
import { type BulkRunner, createBulkRunner } from './bulk-runner.ts'
import { type CallbackRunner, createCallbackRunner } from './callback-runner.ts'
import { createClaimLoop } from './claim-loop.ts'
import type { FileRunner } from './file-runner.ts'
import { createPaymentRunner, type PaymentRunner } from './payment-runner.ts'
import { createExportRunner, createStatementRunner } from './statement-runner.ts'

type WorkerContext = HostedContext & CallbackContext & StatementContext

/** Everything that works in the background of one node. */
export type Workers = WorkIntake & {
  start(): void
  /** Frees the work of dead nodes; part of every heartbeat. */
  sweep(): Promise<void>
  forget(): void
  stop(): Promise<void>
  readonly payments: PaymentRunner
  readonly callbacks: CallbackRunner
}

export function createWorkers(ctx: WorkerContext, log: Log, renew: () => void): Workers {
  const trouble = {
    isOutage: isConnectionLoss,
    report: (error: unknown) => {
      log.warn({ reason: (error as Error).message }, 'work was interrupted by the database')
      renew()
    },
  }
  const payments = createPaymentRunner(ctx, log, trouble)
  const callbacks = createCallbackRunner(ctx, log, trouble)
  const statements = createStatementRunner(ctx, log, trouble)
  const files = createExportRunner(ctx, log, trouble)
  const bulkPayouts = createBulkRunner(ctx, log, trouble)
  const runners = { payments, callbacks, statements, files, bulkPayouts }
  const { start, claim, stop } = createClaimLoop({
    everyMs: ctx.timing.claimEveryMs,
    settleWithinMs: ctx.timing.settleWithinMs,
    round: () => claimDue(ctx, runners, log),
    mayAct: ctx.node.mayAct,
    failed: trouble.report,
  })

  return {
    payments,
    callbacks,
    start,
    sweep: async () => {
      const since = keptSince(ctx)
      const due = await dueSweeps(ctx.db, since)
      const freed = due.orphans ? await freeOrphans(ctx.db, ctx.clock.now()) : 0
      if (freed > 0) log.warn({ freed }, 'work of a dead node is free again')
      const released = due.paused ? await releasePaused(ctx.db, ctx.clock.now()) : 0
      if (freed + released > 0) await claim()
      if (due.statements) await removeOldPieces(ctx.db, 'statements', since.statements)
      if (due.exports) await removeOldPieces(ctx.db, 'exports', since.exports)
      if (due.listeners) await forgetListeners(ctx, since.listeners)
      if (due.sessions) await removeOldSessions(ctx.db, since.sessions)
    },
    hasRoom: () => payments.room() > 0 && callbacks.room() > 0 && ctx.node.mayAct(),
    takePayment: payments.take,
    takeCallback: callbacks.take,
    deliversAtOnce: callbacks.deliversAtOnce,
    breakerOf: callbacks.breakerOf,
    wake: () => {
      payments.wake()
      void claim()
    },
    startOver: renew,
    interrupted: (error) => {
      if (trouble.isOutage(error)) trouble.report(error)
    },
    forget: () => {
      payments.forget()
      callbacks.forget()
      statements.forget()
      bulkPayouts.forget()
      files.forget()
    },
    stop: async () => {
      await stop()
      // Before the payments that it starts.
      await bulkPayouts.stop()
      // In this order: a payment that ends now may still owe a callback.
      await Promise.all([payments.stop(), statements.stop(), files.stop()])
      await callbacks.stop()
    },
  }
}

const keptSince = ({ clock }: WorkerContext): KeptSince => ({
  statements: clock.now() - FILE_KEPT_MS,
  exports: clock.now() - LIFETIMES.exportFileMs,
  listeners: clock.realNow() - LIFETIMES.listenerMs,
  sessions: clock.now() - READABLE_MS,
})

type Runners = {
  readonly payments: PaymentRunner
  readonly callbacks: CallbackRunner
  readonly bulkPayouts: BulkRunner
  readonly statements: FileRunner
  /** What people asked for. */
  readonly files: FileRunner
}

/** A round over what is due; answers how much of it there was. */
async function claimDue(
  ctx: WorkerContext,
  { payments, callbacks, statements, files, bulkPayouts }: Runners,
  log: Log,
): Promise<number> {
  const due = await dueWork(ctx.db, { now: ctx.clock.now(), offsetMs: ctx.clock.offsetMs() })
  const expired = due.checkouts ? await expireDueCheckouts(ctx) : 0
  // Meanwhile the node may have lost its name, and what nobody holds can be claimed twice.
  const payment = due.payments && ctx.node.mayAct() ? await payments.claim() : 0
  const replayed = due.replays ? await stepReplay(ctx) : 0
  const callback = due.callbacks && ctx.node.mayAct() ? await callbacks.claim() : 0
  const statement = due.statements && ctx.node.mayAct() ? await statements.claim() : 0
  const bulk = due.bulkPayouts && ctx.node.mayAct() ? await bulkPayouts.claim() : 0
  const file = due.exports && ctx.node.mayAct() ? await files.claim() : 0
  const read = due.notifications ? await readNotifications(ctx, log) : 0
  return expired + payment + replayed + callback + statement + bulk + file + read
}

/** What operators reported without being asked; answers how many messages there were. */
async function readNotifications(ctx: WorkerContext, log: Log): Promise<number> {
  const notifications = await ctx.notifications.waiting()
  for (const one of notifications) await readNotification(ctx, log, one)
  if (notifications.length > 0) await ctx.notifications.acknowledge(notifications)
  return notifications.length
}
