import { yearEnd, yearStart } from '../../domain/archive/years.ts'
import { keyAt } from '../../domain/callbacks/replay.ts'
import type { MerchantId } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'

/** What of a year, or of an earlier one, is not over; each is a number of rows. */
export type Obstacles = {
  readonly payments: number
  readonly checkouts: number
  readonly callbacks: number
  readonly replays: number
  readonly cases: number
}

/** All of these are few, and have indexes of their own. */
export async function findObstacles(
  db: Db,
  merchantId: MerchantId,
  year: number,
): Promise<Obstacles> {
  const [row] = await db.query<Obstacles>(
    `select
       (select count(*)::int from payments where merchant_id = $1 and due_at is not null
          and (key < $2 or created_at < to_timestamp($3::float8 / 1000))) as payments,
       (select count(*)::int from checkouts
        where merchant_id = $1 and ended_at is null and key < $2) as checkouts,
       (select count(*)::int from callbacks where merchant_id = $1 and payment_key < $2
          and due_at is not null)
       + (select count(*)::int from callbacks where merchant_id = $1 and payment_key < $2
          and status = 'PAUSED')
       + (select count(*)::int from callbacks_in_hand
          where merchant_id = $1 and payment_key < $2) as callbacks,
       (select count(*)::int from callback_replays
        where merchant_id = $1 and due_at is not null) as replays,
       (select count(*)::int from cases
        where merchant_id = $1 and closed_at is null and payment_key < $2) as cases`,
    [merchantId, keyAt(yearEnd(year)), yearEnd(year)],
  )
  return row ?? { payments: 0, checkouts: 0, callbacks: 0, replays: 0, cases: 0 }
}

/** Whether something of an earlier year is still in the database; it goes first. */
export async function hasEarlier(db: Db, merchantId: MerchantId, year: number): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(
    `select exists (select from transfers
                    where merchant_id = $1 and at < to_timestamp($2::float8 / 1000))
       or exists (select from payment_events where merchant_id = $1 and payment_key < $3)
       or exists (select from callbacks where merchant_id = $1 and payment_key < $3) as found`,
    [merchantId, yearStart(year), keyAt(yearStart(year))],
  )
  return row?.found ?? false
}
