import { claimBulk, type HeldBulk, releaseBulk } from '../store/bulk/sending.ts'
import { sendStep } from '../usecases/bulk/send-bulk.ts'
import type { Log } from '../usecases/context.ts'
import type { PaymentContext } from '../usecases/payments/context.ts'
import { settled } from './settled.ts'
import type { Trouble } from './trouble.ts'

/** Sends bulk payouts, one step at a time, so that other payments hardly notice. */
export type BulkRunner = {
  /** Claims one that is due, unless a step is under way; answers how many came. */
  claim(): Promise<number>
  /** A step under way ends: the node holds nothing under its former name. */
  forget(): void
  /** The step under way ends early, and the rest is given back. */
  stop(): Promise<void>
}

export function createBulkRunner(ctx: PaymentContext, log: Log, trouble: Trouble): BulkRunner {
  const { now } = ctx.clock
  let sending: AbortController | undefined
  let epoch = 0
  let stopped = false

  async function run(held: HeldBulk, stopping: AbortController): Promise<void> {
    try {
      await sendStep(ctx, held, stopping.signal)
    } catch (error) {
      await retryLater(held, error)
    } finally {
      sending = undefined
    }
  }

  async function retryLater(held: HeldBulk, error: unknown): Promise<void> {
    if (trouble.isOutage(error)) return trouble.report(error)
    log.error({ err: error, bulkId: held.id }, 'a bulk payout could not be sent')
    const dueAt = now() + ctx.timing.retryAfterBugMs
    await releaseBulk(ctx.db, held, { dueAt }).catch((lost) => trouble.report(lost))
  }

  return {
    claim: async () => {
      if (sending !== undefined || stopped) return 0
      const startedIn = epoch
      const held = await claimBulk(ctx.db, ctx.node.id(), now())
      if (held === undefined || startedIn !== epoch) return 0
      sending = new AbortController()
      void run(held, sending)
      return 1
    },
    forget: () => {
      epoch += 1
      sending?.abort()
    },
    stop: async () => {
      stopped = true
      sending?.abort()
      await settled(() => sending === undefined, ctx.timing.settleWithinMs)
    },
  }
}
