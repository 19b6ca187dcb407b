import type { MerchantId } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'

/** `field` is empty for the call itself. */
export type UsageCount = {
  readonly merchantId: MerchantId
  readonly call: string
  readonly field: string
  readonly count: number
  readonly lastUsed: number
}

export async function addUsage(db: Db, counts: readonly UsageCount[]): Promise<void> {
  // In one order, so that two nodes that write at once never wait for each other in a circle.
  const sorted = counts.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  await db.query(
    `insert into legacy_usage as u (merchant_id, call, field, count, last_used)
     select merchant_id, call, field, count, to_timestamp(ms / 1000)
     from unnest($1::int[], $2::text[], $3::text[], $4::bigint[], $5::float8[])
       as i (merchant_id, call, field, count, ms)
     on conflict (merchant_id, call, field) do update
     set count = u.count + excluded.count, last_used = greatest(u.last_used, excluded.last_used)`,
    [
      sorted.map((one) => one.merchantId),
      sorted.map((one) => one.call),
      sorted.map((one) => one.field),
      sorted.map((one) => one.count),
      sorted.map((one) => one.lastUsed),
    ],
    'addUsage',
  )
}

const keyOf = ({ merchantId, call, field }: UsageCount): string => `${merchantId} ${call} ${field}`

export type Usage = {
  readonly merchant: string
  readonly call: string
  readonly field: string
  readonly count: number
  readonly lastUsedMs: number
}

/** Of one merchant, or of all. */
export async function findUsage(db: Db, merchantId?: MerchantId): Promise<readonly Usage[]> {
  return db.query<Usage>(
    `select m.slug as merchant, u.call, u.field, u.count::float8 as count,
            (extract(epoch from u.last_used) * 1000)::float8 as "lastUsedMs"
     from legacy_usage u join merchants m using (merchant_id)
     where $1::int is null or u.merchant_id = $1
     order by m.merchant_id, u.call, u.field`,
    [merchantId ?? null],
  )
}
