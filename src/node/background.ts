import type { Log } from '../usecases/context.ts'
import { createHourCounter } from '../usecases/payments/count-hours.ts'
import { forgetFloats } from '../usecases/payments/open-float.ts'
import { createStatusMails } from '../usecases/people/status-mails.ts'
import { createPeopleSweep } from '../usecases/people/sweep.ts'
import type { MembershipEvents } from '../workers/membership.ts'
import { createWorkers, type Workers } from '../workers/workers.ts'
import type { NodeContext } from './context.ts'
import { createMaintenance } from './maintenance.ts'
import { createSettingsWatch } from './settings-watch.ts'

/** What a node does besides answering requests: the workers, and what follows each heartbeat. */
export type Background = {
  readonly workers: Workers
  readonly onMembership: MembershipEvents
  /** Writes what was only counted so far; the workers have stopped before. */
  stop(): Promise<void>
}

/** `renew` makes the node leave and join again, when it is unknown what became of a write. */
export function createBackground(ctx: NodeContext, log: Log, renew: () => void): Background {
  const workers = createWorkers(ctx, log, renew)
  const settings = createSettingsWatch(ctx, workers, log)
  const sweepPeople = createPeopleSweep(ctx)
  const hours = createHourCounter(ctx, log)
  const statusMails = createStatusMails(ctx, log)
  // An operator may take half a minute to answer, and the heartbeat must not wait for it.
  let isLooking = false
  const lookAfterAccounts = (): void => {
    if (isLooking || !ctx.operators.hasAny()) return
    isLooking = true
    ctx.operators
      .lookAfter()
      .catch((err) => log.warn({ err }, 'the operator accounts were not looked after'))
      .finally(() => {
        isLooking = false
      })
  }
  const unreachable = (error: Error): void => {
    log.warn({ reason: error.message }, 'the database cannot be reached')
    renew()
  }
  const listening = createMaintenance(settings.keepListening, unreachable)
  const maintenance = createMaintenance(async () => {
    await ctx.db.space.check()
    await workers.sweep()
    await ctx.legacyUsage.flush()
    await ctx.signatureChecks.flush()
    await ctx.usedSignatures.sweep()
    await ctx.lastUses.flush()
    await ctx.requestLog.flush()
    await ctx.requestLog.sweep()
    await sweepPeople()
    lookAfterAccounts()
    hours.wake()
    statusMails.wake()
  }, unreachable)
  return {
    workers,
    onMembership: {
      heartbeat: async ({ configVersion, clockOffsetMs }) => {
        await settings.follow(configVersion, clockOffsetMs)
        // On its own: it must not wait until a busy node is through with the rest.
        await listening.run()
        await maintenance.run()
      },
      unreachable: settings.distrust,
      lost: () => {
        workers.forget()
        settings.distrust()
        // The database may have lost its latest rows.
        ctx.writes.accept.forget()
        forgetFloats(ctx)
      },
    },
    stop: async () => {
      await ctx.legacyUsage.flush().catch(() => {})
      await ctx.signatureChecks.flush().catch(() => {})
      await ctx.lastUses.flush(true).catch(() => {})
      await ctx.requestLog.flush()
      await statusMails.stop()
      await ctx.people.behind.close()
      await ctx.people.mailer.close()
      await listening.stop()
      await maintenance.stop()
      await hours.stop()
      await settings.stop()
    },
  }
}
