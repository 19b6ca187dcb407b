import type { SubjectKind } from '../../domain/callbacks/callback-subject.ts'
import type { MerchantId } from '../../domain/ids.ts'
import { liftPause, liftPauseOf, pauseEndpoint } from '../../store/callbacks/endpoints.ts'
import { announceChange } from '../../store/cluster/service-state.ts'
import type { Db } from '../../store/engine/database.ts'
import type { Context } from '../context.ts'
import type { CallbackTarget } from './callback-target.ts'

/** A pause is a setting of the merchant: stored, announced, and known to every node at once. */

/** Answers whether the endpoint is paused now; not so when its address was saved meanwhile. */
export async function beginPause(
  ctx: Context,
  { merchantId, kind, url, saves }: CallbackTarget,
  askedMs: number,
): Promise<boolean> {
  const endpoint = { merchantId, kind, url, saves, askedMs }
  const result = await ctx.db.inTransaction(async (tx) => {
    const paused = await pauseEndpoint(tx, endpoint, ctx.clock.now())
    if (paused === 'PAUSED') await announceChange(tx)
    return paused
  })
  if (result === 'PAUSED') ctx.merchants.forget()
  return result !== 'SAVED_SINCE'
}

/** What waits for it is owed again by the nodes, within a second or so. */
export function endPause(
  ctx: Context,
  { merchantId, url }: Pick<CallbackTarget, 'merchantId' | 'url'>,
): Promise<void> {
  return lift(ctx, (tx) => liftPause(tx, merchantId, url))
}

/** The same for the address of a kind, whatever it is. */
export function endPauseOf(ctx: Context, merchantId: MerchantId, kind: SubjectKind): Promise<void> {
  return lift(ctx, (tx) => liftPauseOf(tx, merchantId, kind))
}

async function lift(ctx: Context, work: (tx: Db) => Promise<boolean>): Promise<void> {
  const lifted = await ctx.db.inTransaction(async (tx) => {
    const wasPaused = await work(tx)
    if (wasPaused) await announceChange(tx)
    return wasPaused
  })
  if (lifted) ctx.merchants.forget()
}
