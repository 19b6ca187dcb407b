import type { CallbackKind } from '../../domain/accounts/merchant.ts'
import type { MerchantId } from '../../domain/ids.ts'
import { setCallbackUrl } from '../../store/accounts/merchants.ts'
import { lockEndpoints } from '../../store/callbacks/endpoints.ts'
import { announceChange } from '../../store/cluster/service-state.ts'
import type { Database, Db } from '../../store/engine/database.ts'

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
  },
): Promise<{ readonly kind: CallbackKind; readonly problem: string } | undefined> {
  for (const [kind, url] of order.urls) {
    const problem = url === undefined ? undefined : order.refusalOf(url)
    if (problem !== undefined) return { kind, problem }
  }
  await database.inTransaction((tx) => storeCallbackUrls(tx, order.merchantId, order.urls))
  return undefined
}

/** In a transaction of the caller, who has checked the addresses. */
export async function storeCallbackUrls(
  tx: Db,
  merchantId: MerchantId,
  urls: CallbackUrls,
): Promise<void> {
  await lockEndpoints(tx, merchantId)
  for (const [kind, url] of urls) await setCallbackUrl(tx, merchantId, kind, url)
  await announceChange(tx)
}
