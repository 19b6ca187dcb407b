import type { Amount } from '../../domain/amount.ts'
import type { MerchantId } from '../../domain/ids.ts'
import type { Movement } from '../../domain/statements/statement-file.ts'
import type { Db } from '../engine/database.ts'
import {
  amountOf,
  MOVEMENTS,
  type MovementRow,
  RANK,
  toMovement,
  type WalletPeriod,
} from './movements.ts'

/** Where a movement stands among those of its wallet: by time, then as in `movements.ts`. */
export type Place = {
  /** Microseconds since 1970, as text. */
  readonly at: string
  readonly rank: number
  readonly key: string
  readonly cause: string
}

/** Behind everything that is before a moment. */
export const placeAt = (ms: number): Place => ({
  at: `${Math.round(ms)}000`,
  rank: -1,
  key: '00000000-0000-0000-0000-000000000000',
  cause: '',
})

/** The rank of a cause, as the database orders it. */
const RANKS: Readonly<Record<string, number>> = { ACCEPTED: 1, FAILED: 2 }
export const placeOf = (at: string, key: string, cause: string): Place => ({
  at,
  rank: RANKS[cause] ?? 0,
  key,
  cause,
})

const momentOf = (parameter: string): string =>
  `('epoch'::timestamptz + ${parameter}::bigint * interval '1 microsecond')`

/** The balance right before a place: days are summed up already, so only one day is looked at. */
export async function balanceBefore(
  tx: Db,
  { merchantId, wallet }: Pick<WalletPeriod, 'merchantId' | 'wallet'>,
  { at, rank, key, cause }: Place,
): Promise<Amount> {
  const [row] = await tx.query<{ balance: string }>(
    `with place as (select ${momentOf('$3')} as at),
     day as (select at, (at at time zone 'UTC')::date as date from place)
     select (coalesce((select sum(d.change) from account_days d, day
                       where d.merchant_id = $1 and d.account = $2 and d.day < day.date), 0)
           + coalesce((select sum(case when t.credit = $2 then t.amount else -t.amount end)
                       from transfers t, day
                       where t.merchant_id = $1 and (t.debit = $2 or t.credit = $2)
                         and t.at >= day.date::timestamp at time zone 'UTC' and t.at <= day.at
                         and (t.at, ${RANK}, t.key, t.cause) < (day.at, $4::int, $5::uuid, $6::text)
                      ), 0))::text as balance`,
    [merchantId, wallet, at, rank, key, cause],
  )
  return amountOf(row?.balance ?? '')
}

type PlacedMovement = { readonly movement: Movement; readonly place: Place }

/** Movements of the period before a place, the latest first, at most `limit`. */
export async function movementsBefore(
  tx: Db,
  { merchantId, wallet, startAt, endAt }: WalletPeriod,
  { at, rank, key, cause }: Place,
  limit: number,
): Promise<readonly PlacedMovement[]> {
  const rows = await tx.query<MovementRow>(
    `${MOVEMENTS}
       and t.at <= ${momentOf('$5')}
       and (t.at, ${RANK}, t.key, t.cause) < (${momentOf('$5')}, $6::int, $7::uuid, $8::text)
     order by t.at desc, ${RANK} desc, t.key desc, t.cause desc limit $9`,
    [merchantId, wallet, startAt, endAt, at, rank, key, cause, limit],
  )
  return rows.map((row) => ({
    movement: toMovement(row),
    place: placeOf(row.at_us, row.key, row.cause),
  }))
}

export type WalletState = {
  readonly country: string
  readonly currency: string
  readonly provider: string | null
  readonly available: string
  readonly reserved: string
  /** When money last moved; only its day is known where the movement is archived. */
  readonly movedAt: number | null
}

/**
 * The wallets of a merchant. The day of the last movement is known, so only that one is searched.
 * `countries`: none means all.
 */
export async function findWalletStates(
  db: Db,
  merchantId: MerchantId,
  countries: readonly string[],
): Promise<readonly WalletState[]> {
  return db.query<WalletState>(
    `select a.country, a.currency, a.provider, a.balance::text as available,
            coalesce(r.balance, 0)::text as reserved,
            round(extract(epoch from coalesce(m.at, d.day::timestamp at time zone 'UTC')) * 1000)::float8
              as "movedAt"
     from accounts a
     left join accounts r
       on r.merchant_id = a.merchant_id and r.account = 'reserve' || substr(a.account, 7)
     left join lateral (
       select d.day from account_days d
       where d.merchant_id = a.merchant_id and d.account = a.account
       order by d.day desc limit 1) d on true
     left join lateral (
       select t.at from transfers t
       where t.merchant_id = a.merchant_id and (t.debit = a.account or t.credit = a.account)
         and t.at >= d.day::timestamp at time zone 'UTC'
         and t.at < (d.day + 1)::timestamp at time zone 'UTC'
       order by t.at desc limit 1) m on true
     where a.merchant_id = $1 and a.type = 'wallet' and ($2 = '{}'::text[] or a.country = any ($2))
     order by a.account`,
    [merchantId, countries],
  )
}
