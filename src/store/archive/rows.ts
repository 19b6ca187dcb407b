import type { ArchivedTransfer, Companion } from '../../domain/archive/manifest.ts'
import type { MerchantId } from '../../domain/ids.ts'
import { present } from '../../domain/present.ts'
import type { MovedPayment } from '../../domain/statements/statement-file.ts'
import type { Db } from '../engine/database.ts'
import { ALL_MOVEMENTS, type MovementRow, toMovement } from '../payments/movements.ts'
import { keysOf, type Slice, TABLES } from './slices.ts'

/** The rows of a year as its files have them. */
export type TransferLine = ArchivedTransfer<MovedPayment>

type Row = MovementRow & {
  readonly debit: string
  readonly credit: string
  readonly payment_id: string | null
}

/** Every transfer of a slice in the order of statements, with what is known of its payment. */
export async function readTransfers(db: Db, slice: Slice): Promise<readonly TransferLine[]> {
  const { merchantId, startAt, endAt } = slice
  const rows = await db.query<Row>(ALL_MOVEMENTS, [merchantId, startAt, endAt])
  return rows.map((row) => {
    const { payment } = toMovement(row)
    const { key, cause, debit, credit, amount, payment_id: paymentId } = row
    return {
      ...{ key, cause, at: isoMicros(row.at_us), debit, credit, amount },
      ...present({ paymentId, payment }),
    }
  })
}

function isoMicros(atMicros: string): string {
  const ms = Number(atMicros.slice(0, -3))
  return `${new Date(ms).toISOString().slice(0, -1)}${atMicros.slice(-3)}Z`
}

/** Rows as they are, each as a text of JSON. */
export async function readCompanions(
  db: Db,
  companion: Companion,
  slice: Slice,
): Promise<readonly string[]> {
  const rows = await db.query<{ line: string }>(
    `select to_jsonb(c)::text as line from ${TABLES[companion]} c
     where merchant_id = $1 and payment_key >= $2 and payment_key < $3 order by payment_key`,
    keysOf(slice),
  )
  return rows.map(({ line }) => line)
}

export type AccountSum = {
  readonly account: string
  readonly transfers: number
  readonly change: string
}

/** What the transfers of a slice come to for each account, as the database adds it up. */
export async function sumTransfers(db: Db, slice: Slice): Promise<readonly AccountSum[]> {
  return db.query<AccountSum>(
    `select account, count(*)::float8 as transfers, sum(change)::text as change from (
       select debit as account, -amount as change from transfers where ${OF_SLICE}
       union all select credit, amount from transfers where ${OF_SLICE}) each
     group by 1`,
    [slice.merchantId, slice.startAt, slice.endAt],
  )
}

const OF_SLICE = `merchant_id = $1
  and at >= to_timestamp($2::float8 / 1000) and at < to_timestamp($3::float8 / 1000)`

export async function countCompanions(db: Db, companion: Companion, slice: Slice): Promise<number> {
  const [row] = await db.query<{ rows: number }>(
    `select count(*)::float8 as rows from ${TABLES[companion]}
     where merchant_id = $1 and payment_key >= $2 and payment_key < $3`,
    keysOf(slice),
  )
  return row?.rows ?? 0
}

export type AccountYear = {
  readonly account: string
  readonly opening: string
  readonly change: string
}

/** By the days of each account, which are kept apart from the transfers. */
export async function accountYears(
  db: Db,
  merchantId: MerchantId,
  year: number,
): Promise<readonly AccountYear[]> {
  return db.query<AccountYear>(
    `select account,
       coalesce(sum(change) filter (where day < make_date($2, 1, 1)), 0)::text as opening,
       coalesce(sum(change) filter (where day >= make_date($2, 1, 1)), 0)::text as change
     from account_days where merchant_id = $1 and day < make_date($2 + 1, 1, 1)
     group by 1 order by 1`,
    [merchantId, year],
  )
}
