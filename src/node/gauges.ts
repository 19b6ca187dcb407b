import { findCallbackLoad } from '../store/callbacks/endpoints.ts'
import { findQueueAge } from '../store/cluster/work-state.ts'
import { listFloats } from '../store/operators/balances.ts'
import { findCaseLoad } from '../store/payments/cases.ts'
import type { OperatorContext } from '../usecases/operators/context.ts'
import type { Workers } from '../workers/workers.ts'
import type { GaugeState, OperatorGauge } from './metrics.ts'

/** How much there is to do, when somebody asks; what the database does not answer counts as none. */
export async function readGauges(
  ctx: OperatorContext,
  workers: Workers,
): Promise<Omit<GaugeState, 'isJoined'>> {
  // The oldest payment that is due may lie in memory or still in the database.
  const inDatabase = await findQueueAge(ctx.db, ctx.clock.now()).catch(() => 0)
  const cases = await findCaseLoad(ctx.db, ctx.clock.now()).catch(() => ({}))
  const callbacks = await findCallbackLoad(ctx.db, ctx.clock.now()).catch(() => NO_LOAD)
  return {
    operators: await readOperators(ctx),
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

/** Without accounts, the database is not asked. */
async function readOperators(ctx: OperatorContext): Promise<readonly OperatorGauge[]> {
  if (!ctx.operators.hasAny()) return []
  const floats = await listFloats(ctx.db).catch(() => [])
  const now = ctx.clock.now()
  return ctx.operators.all().map(({ account: { name } }) => ({
    account: name,
    isResting: ctx.operators.breakers().some(({ account }) => account === name),
    floats: floats
      .filter(({ account }) => account === name)
      .map(({ currency, stated, difference, atMs }) => ({
        currency,
        stated: Number(stated),
        difference: Number(difference),
        ageSeconds: Math.max(0, now - atMs) / 1000,
      })),
  }))
}
