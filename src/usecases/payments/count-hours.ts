import type { MerchantId } from '../../domain/ids.ts'
import { endOfHoursOver } from '../../domain/payments/hours.ts'
import { countHours, merchantsToCount } from '../../store/payments/hours.ts'
import type { Context, Log } from '../context.ts'

/** Counts payments of hours that are over, behind everything else: see `domain/payments/hours.ts`. */
type HourCounter = {
  /** Called now and then. Begins a round once a minute, and waits for nothing. */
  wake(): void
  /** Waits for what is under way. */
  stop(): Promise<void>
}

type CounterContext = Pick<Context, 'db' | 'clock' | 'timing'>

export function createHourCounter(ctx: CounterContext, log: Log): HourCounter {
  const { clock, timing } = ctx
  let nextAt = clock.realNow() + timing.countHoursEveryMs
  let offsetMs = clock.offsetMs()
  let isStopped = false
  let round: Promise<void> | undefined

  const count = async (): Promise<void> => {
    // The test clock was moved since the last round: payments dated before may still be on their way
    // to the database.
    if (clock.offsetMs() !== offsetMs) {
      offsetMs = clock.offsetMs()
      return
    }
    await countOver(ctx, () => isStopped)
  }
  return {
    wake: () => {
      if (isStopped || round !== undefined || clock.realNow() < nextAt) return
      nextAt = clock.realNow() + timing.countHoursEveryMs
      round = count()
        .catch((err) => log.warn({ err }, 'the payments of past hours were not counted'))
        .finally(() => {
          round = undefined
        })
    },
    stop: async () => {
      isStopped = true
      await round
    },
  }
}

/** All hours of all merchants that are over and not counted yet, some at a time. */
async function countOver(ctx: CounterContext, isEnough: () => boolean) {
  const endMs = (): number => endOfHoursOver(ctx.clock.now())
  for (const merchantId of await merchantsToCount(ctx.db, endMs())) {
    while (!isEnough() && (await countStep(ctx, merchantId, endMs))) {
      // A long past takes several steps.
    }
  }
}

/** An hour of a large merchant takes longer than statements of a node usually may. */
const countStep = (
  { db }: CounterContext,
  merchantId: MerchantId,
  endMs: () => number,
): Promise<boolean> => db.inLongTransaction((tx) => countHours(tx, merchantId, endMs))
