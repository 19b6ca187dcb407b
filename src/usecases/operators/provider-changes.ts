import type { MerchantId } from '../../domain/ids.ts'
import { listChangesFor, listSince, type ShownChange } from '../../store/operators/health.ts'
import type { Context } from '../context.ts'

export type { ShownChange }

const SHOWN_AT_MOST = 100

/** Since when a merchant's providers are as they are, and what changed lately. */
export async function readProviderChanges(
  { db }: Pick<Context, 'db'>,
  merchantId: MerchantId,
  providers: readonly string[],
): Promise<{ readonly since: readonly ShownChange[]; readonly history: readonly ShownChange[] }> {
  const [since, history] = await Promise.all([
    listSince(db, merchantId),
    listChangesFor(db, merchantId, providers, SHOWN_AT_MOST),
  ])
  return { since, history }
}
