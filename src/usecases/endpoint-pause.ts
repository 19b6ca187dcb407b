import type { SubjectKind } from '../domain/callback-subject.ts'
import type { MerchantId } from '../domain/ids.ts'
import { liftPauseOf, pauseEndpoint } from '../store/endpoints.ts'
import { announceChange } from '../store/service-state.ts'
import type { CallbackTarget } from './callback-target.ts'
import type { Context } from './context.ts'

/** A pause is a setting of the merchant: stored, announced, and known to every node at once. */

/** Answers whether the endpoint is paused now; not so when its address was saved meanwhile. */
export async function beginPause(
  ctx: Context,
  { merchantId, kind, url, saves }: CallbackTarget,
): Promise<boolean> {
  const endpoint = { merchantId, kind, url, saves }
  const result = await ctx.db.inTransaction(async (tx) => {
    const paused = await pauseEndpoint(tx, endpoint, ctx.clock.now())
    if (paused === 'PAUSED') await announceChange(tx)
    return paused
  })
  if (result === 'PAUSED') ctx.merchants.forget()
  return result !== 'SAVED_SINCE'
}

/** What waits for it is owed again by the nodes, within a second or so. */
export async function endPause(
  ctx: Pick<Context, 'db' | 'merchants'>,
  merchantId: MerchantId,
  kinds: readonly SubjectKind[],
): Promise<void> {
  const lifted = await ctx.db.inTransaction(async (tx) => {
    const wasPaused = await liftPauseOf(tx, merchantId, kinds)
    if (wasPaused) await announceChange(tx)
    return wasPaused
  })
  if (lifted) ctx.merchants.forget()
}
