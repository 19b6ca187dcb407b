import { findCallbackLoad } from '../store/callbacks/endpoints.ts'
import { findQueueAge } from '../store/cluster/work-state.ts'
import { findCaseLoad } from '../store/payments/cases.ts'
import type { Context } from '../usecases/context.ts'
import type { Workers } from '../workers/workers.ts'
import type { GaugeState } from './metrics.ts'

/** How much there is to do, when somebody asks; what the database does not answer counts as none. */
export async function readGauges(
  ctx: Context,
  workers: Workers,
): Promise<Omit<GaugeState, 'isJoined'>> {
  // The oldest payment that is due may lie in memory or still in the database.
  const inDatabase = await findQueueAge(ctx.db, ctx.clock.now()).catch(() => 0)
  const cases = await findCaseLoad(ctx.db, ctx.clock.now()).catch(() => ({}))
  const callbacks = await findCallbackLoad(ctx.db, ctx.clock.now()).catch(() => NO_LOAD)
  return {
    paymentsHeld: workers.payments.waiting(),
    callbacksHeld: workers.callbacks.waiting(),
    queueAgeSeconds: Math.max(workers.payments.lag(), inDatabase) / 1000,
    cases,
    openBreakers: workers.callbacks.openBreakers(),
    pausedEndpoints: callbacks.pausedEndpoints,
    callbackAgeSeconds: callbacks.oldestPendingMs / 1000,
  }
}

const NO_LOAD = { pausedEndpoints: 0, oldestPendingMs: 0 }
