import type { MerchantId } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'

/** What became of signatures, by merchant, day and verdict. */
export type CheckCount = {
  readonly merchantId: MerchantId
  readonly day: string
  readonly verdict: string
  readonly count: number
  readonly lastAt: number
}

export async function addChecks(db: Db, counts: readonly CheckCount[]): Promise<void> {
  // In one order, so that two nodes that write at once never wait for each other in a circle.
  const sorted = counts.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  await db.query(
    `insert into signature_checks as c (merchant_id, day, verdict, count, last_at)
     select merchant_id, day, verdict, count, to_timestamp(ms / 1000)
     from unnest($1::int[], $2::date[], $3::text[], $4::bigint[], $5::float8[])
       as i (merchant_id, day, verdict, count, ms)
     on conflict (merchant_id, day, verdict) do update
     set count = c.count + excluded.count, last_at = greatest(c.last_at, excluded.last_at)`,
    [
      sorted.map((one) => one.merchantId),
      sorted.map((one) => one.day),
      sorted.map((one) => one.verdict),
      sorted.map((one) => one.count),
      sorted.map((one) => one.lastAt),
    ],
    'addChecks',
  )
}

const keyOf = ({ merchantId, day, verdict }: CheckCount): string =>
  `${merchantId} ${day} ${verdict}`

export async function deleteChecksBefore(db: Db, day: string): Promise<void> {
  await db.query('delete from signature_checks where day < $1::date', [day])
}

export type CheckSum = {
  readonly verdict: string
  readonly count: number
  readonly lastMs: number
}

/** The sum of the days from `day` on, the most frequent verdict first. */
export async function sumChecks(
  db: Db,
  merchantId: MerchantId,
  day: string,
): Promise<readonly CheckSum[]> {
  return db.query<CheckSum>(
    `select verdict, sum(count)::float8 as count,
            (extract(epoch from max(last_at)) * 1000)::float8 as "lastMs"
     from signature_checks where merchant_id = $1 and day >= $2::date
     group by verdict order by 2 desc, verdict`,
    [merchantId, day],
  )
}
