import type { Merchant } from '../../domain/accounts/merchant.ts'
import { awaitHeartbeats } from '../../store/cluster/nodes.ts'
import { announceChange } from '../../store/cluster/service-state.ts'
import { type Db, untilItPasses } from '../../store/engine/database.ts'
import { forgetHoursAfter } from '../../store/payments/hours.ts'
import { lockClock, moveClock } from '../../store/sandbox/clock.ts'
import { datePausesBack, othersAreWaiting } from '../../store/sandbox/reset.ts'
import type { SandboxContext } from './context.ts'
import { type ControlRefusal, change, resetMerchant } from './controls.ts'

/** Every node follows: the announcement makes it read the new offset at once. */
export async function advanceClock(ctx: SandboxContext, byMs: number): Promise<void> {
  const { offset, version } = await ctx.inTurn(() =>
    ctx.db.inTransaction(async (tx) => ({
      offset: await moveClock(tx, byMs),
      version: await announceChange(tx),
    })),
  )
  ctx.clock.setOffset(offset, version)
  ctx.work.wake()
}

/**
 * Back on real time, and the merchant starts over: time never runs backwards for a payment. The
 * payments are wiped last, once no node is left that dates new ones by the former clock. A call that
 * was cut off in between is made good by calling again.
 */
export async function resetClock(
  ctx: SandboxContext,
  merchant: Merchant,
): Promise<ControlRefusal | undefined> {
  const moved = await ctx.inTurn(() =>
    untilItPasses(() => ctx.db.inTransaction((tx) => putClockBack(ctx, tx, merchant))),
  )
  if (moved === undefined) return OTHERS_ARE_WAITING
  ctx.clock.setOffset(moved.offset, moved.version)
  ctx.work.startOver()
  await awaitHeartbeats(ctx.db, ctx.node.id)
  await resetMerchant(ctx, merchant)
  // Pauses are settings of merchants, and stay: what is sent again from now on comes after them.
  await change(ctx, async (tx) => {
    await datePausesBack(tx, ctx.clock.now())
    await forgetHoursAfter(tx, ctx.clock.now())
  })
  return undefined
}

const OTHERS_ARE_WAITING: ControlRefusal = {
  field: 'clock',
  problem:
    'it is one for the whole sandbox, and another merchant has payments, pages or callbacks under ' +
    'way. Move the clock on until they are over, or reset that merchant (POST /sandbox/reset)',
}

/** Undefined where another merchant would see time run backwards. */
async function putClockBack(ctx: SandboxContext, tx: Db, merchant: Merchant) {
  const isAhead = (await lockClock(tx)) > 0
  if (isAhead && (await othersAreWaiting(tx, merchant.id, ctx.clock.realNow()))) return undefined
  const offset = await moveClock(tx, undefined)
  return { offset, version: await announceChange(tx) }
}
