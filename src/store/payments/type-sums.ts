import type { PaymentKind } from '../../domain/payments/payment-state.ts'
import { PAYMENT_KINDS } from '../../domain/payments/payment-state.ts'
import { present } from '../../domain/present.ts'
import { type MovementType, movementType } from '../../domain/statements/statement-file.ts'
import type { Db } from '../engine/database.ts'
import { sqlList } from '../engine/sql-list.ts'
import type { WalletPeriod } from './movements.ts'

/** How often, and by how much in all, one type of movement moved a wallet; numbers as text. */
export type TypeSum = {
  readonly type: MovementType
  readonly isCredit: boolean
  readonly count: number
  readonly amount: string
}

type Row = {
  readonly cause: string
  readonly kind: PaymentKind | null
  readonly is_split: boolean | null
  readonly is_credit: boolean
  readonly count: number
  readonly amount: string
}

/** Reads every movement of the period: for days that are not over, or were not summed up yet. */
export async function sumMovements(tx: Db, period: WalletPeriod): Promise<readonly TypeSum[]> {
  const { merchantId, wallet, startAt, endAt } = period
  if (startAt >= endAt) return []
  const rows = await tx.query<Row>(
    `select t.cause, p.kind, p.split_id is not null as is_split, t.credit = $2 as is_credit,
            count(*)::int as count, sum(t.amount)::text as amount
     from transfers t
     left join lateral (
       select kind, split_id from payments
       where merchant_id = t.merchant_id and kind in (${sqlList(PAYMENT_KINDS)})
         and id = t.payment_id and key = t.key
       offset 0) p on true
     where t.merchant_id = $1 and (t.debit = $2 or t.credit = $2)
       and t.at >= to_timestamp($3::float8 / 1000) and t.at < to_timestamp($4::float8 / 1000)
     group by 1, 2, 3, 4`,
    [merchantId, wallet, startAt, endAt],
  )
  return rows.map(({ cause, kind, is_split, is_credit, count, amount }) => ({
    type: movementType({
      cause,
      ...present({ payment: kind && { kind, ...(is_split && { splitId: '' }) } }),
    }),
    isCredit: is_credit,
    count,
    amount,
  }))
}

export type SummedDay = {
  /** The day begins at this moment; it is a day of UTC. */
  readonly startAt: number
  /** Names the state of the day that the sums are of. */
  readonly seen: string
  /** Null: nobody has summed it up as it is now. */
  readonly sums: readonly TypeSum[] | null
}

/** The days of a period on which the wallet moved. The period consists of whole days. */
export async function findSummedDays(
  tx: Db,
  { merchantId, wallet, startAt, endAt }: WalletPeriod,
): Promise<readonly SummedDay[]> {
  return tx.query<SummedDay>(
    `select (extract(epoch from d.day) * 1000)::float8 as "startAt", d.xmin::text as seen, c.sums
     from account_days d
     left join account_day_types c on c.merchant_id = d.merchant_id and c.account = d.account
       and c.day = d.day and c.seen = d.xmin::text
     where d.merchant_id = $1 and d.account = $2
       and d.day >= (to_timestamp($3::float8 / 1000) at time zone 'UTC')::date
       and d.day < (to_timestamp($4::float8 / 1000) at time zone 'UTC')::date
     order by d.day`,
    [merchantId, wallet, startAt, endAt],
  )
}

/** Keeps what was summed up, for the next reader. */
export async function keepSums(
  db: Db,
  { merchantId, wallet }: Pick<WalletPeriod, 'merchantId' | 'wallet'>,
  days: readonly SummedDay[],
): Promise<void> {
  if (days.length === 0) return
  await db.query(
    `insert into account_day_types (merchant_id, account, day, seen, sums)
     select $1, $2, (to_timestamp(d.start_at / 1000) at time zone 'UTC')::date, d.seen, d.sums
     from unnest($3::float8[], $4::text[], $5::jsonb[]) d (start_at, seen, sums)
     on conflict (merchant_id, account, day) do update
     set seen = excluded.seen, sums = excluded.sums`,
    [
      merchantId,
      wallet,
      days.map(({ startAt }) => startAt),
      days.map(({ seen }) => seen),
      days.map(({ sums }) => JSON.stringify(sums)),
    ],
  )
}
