import type { CallbackKind } from '../../domain/accounts/merchant.ts'
import type { MerchantId } from '../../domain/ids.ts'
import { findMerchant, setCallbackUrl } from '../../store/accounts/merchants.ts'
import { lockEndpoints } from '../../store/callbacks/endpoints.ts'
import { announceChange } from '../../store/cluster/service-state.ts'
import type { Database, Db } from '../../store/engine/database.ts'
import type { Change } from '../people/change.ts'

/** Undefined as address removes it; a kind that is not named stays. */
export type CallbackUrls = ReadonlyMap<CallbackKind, string | undefined>

/**
 * Saves addresses, each of them or none: the first one refused is answered, with why. Saving an
 * address again ends its pause.
 */
export async function saveCallbackUrls(
  database: Database,
  order: {
    readonly merchantId: MerchantId
    readonly urls: CallbackUrls
    readonly refusalOf: (url: string) => string | undefined
    /** In the same transaction. */
    readonly record?: (tx: Db, change: Change) => Promise<void>
  },
): Promise<{ readonly kind: CallbackKind; readonly problem: string } | undefined> {
  for (const [kind, url] of order.urls) {
    const problem = url === undefined ? undefined : order.refusalOf(url)
    if (problem !== undefined) return { kind, problem }
  }
  await database.inTransaction(async (tx) => {
    const change = await storeCallbackUrls(tx, order.merchantId, order.urls)
    await order.record?.(tx, change)
  })
  return undefined
}

/** In a transaction of the caller, who has checked the addresses, and who records the change. */
export async function storeCallbackUrls(
  tx: Db,
  merchantId: MerchantId,
  urls: CallbackUrls,
): Promise<Change> {
  await lockEndpoints(tx, merchantId)
  const former = (await findMerchant(tx, merchantId))?.callbackUrls ?? {}
  for (const [kind, url] of urls) await setCallbackUrl(tx, merchantId, kind, url)
  await announceChange(tx)
  return {
    action: 'callback URL changed',
    object: [...urls.keys()].join(', '),
    before: Object.fromEntries([...urls.keys()].map((kind) => [kind, former[kind] ?? null])),
    after: Object.fromEntries([...urls].map(([kind, url]) => [kind, url ?? null])),
  }
}
