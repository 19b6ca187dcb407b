import type { MerchantId } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'
import type { ShownChange } from './health.ts'

/** The number of the latest change of provider status. */
export async function latestChange(db: Db): Promise<number> {
  const [row] = await db.query<{ number: number }>(
    'select coalesce(max(number), 0)::float8 as number from provider_health_history',
    [],
    'latest-change',
  )
  return row?.number ?? 0
}

/**
 * The same, when those with smaller numbers have written: numbers are given before the end of a
 * transaction, so that a larger one may be seen first.
 */
export async function settledChange(tx: Db): Promise<number> {
  await tx.query('lock table provider_health_history in share mode')
  return latestChange(tx)
}

type ChangeRange = {
  readonly merchantId: MerchantId
  readonly providers: readonly string[]
  readonly after: number
  readonly upTo: number
}

/** What changed for a merchant, in order. */
export async function listChangesBetween(
  db: Db,
  { merchantId, providers, after, upTo }: ChangeRange,
): Promise<readonly ShownChange[]> {
  return db.query<ShownChange>(
    `select provider, operation, status, (extract(epoch from at) * 1000)::float8 as "sinceMs"
     from provider_health_history
     where (merchant_id is null or merchant_id = $1) and provider = any($2)
       and number > $3 and number <= $4
     order by number`,
    [merchantId, providers, after, upTo],
  )
}
