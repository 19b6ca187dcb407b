import {
  type BulkRow,
  type DraftRow,
  PROMISED_BULK_STATES,
  REFUSED_ROW_STATES,
} from '../../domain/bulk/bulk-payout.ts'
import type { MerchantId } from '../../domain/ids.ts'
import type { PaymentState } from '../../domain/payments/payment-state.ts'
import type { Db } from '../engine/database.ts'
import { sqlList } from '../engine/sql-list.ts'

/** A row, and the payout that came of it. */
export type SentRow = BulkRow & {
  readonly payoutState: PaymentState | null
  readonly payoutFailure: string | null
  readonly providerTransactionId: string | null
}

export type StoredRow = DraftRow & { readonly country: string | undefined }

/** Adds rows, or puts them in place of those with the same number. */
export async function putRows(
  tx: Db,
  merchantId: MerchantId,
  bulkId: string,
  rows: readonly StoredRow[],
): Promise<void> {
  await tx.query(
    `insert into bulk_payout_rows (merchant_id, bulk_id, number, payout_id, fields, country)
     select $1, $2, x.number, x.payout_id, x.fields, x.country
     from jsonb_to_recordset($3::jsonb)
       as x(number int, payout_id text, fields jsonb, country text)
     on conflict (merchant_id, bulk_id, number) do update
       set payout_id = excluded.payout_id, fields = excluded.fields, country = excluded.country`,
    [
      merchantId,
      bulkId,
      JSON.stringify(
        rows.map(({ number, payoutId, fields, country }) => ({
          number,
          payout_id: payoutId,
          fields,
          country,
        })),
      ),
    ],
  )
}

export async function deleteRow(
  tx: Db,
  merchantId: MerchantId,
  bulkId: string,
  number: number,
): Promise<void> {
  await tx.query(
    'delete from bulk_payout_rows where merchant_id = $1 and bulk_id = $2 and number = $3',
    [merchantId, bulkId, number],
  )
}

const COLUMNS = `r.number, r.payout_id as "payoutId", r.fields, r.state,
  r.failure_code as "failureCode", r.failure_message as "failureMessage"`

/** All of them, in their order. */
export async function readRows(
  db: Db,
  merchantId: MerchantId,
  bulkId: string,
): Promise<readonly BulkRow[]> {
  return db.query<BulkRow>(
    `select ${COLUMNS} from bulk_payout_rows r
     where merchant_id = $1 and bulk_id = $2 order by number`,
    [merchantId, bulkId],
  )
}

/** A payout belongs to a row that was accepted; one with the identifier of a duplicate is another's. */
const WITH_PAYOUT = `
  from bulk_payout_rows r
  left join payments p on r.state = 'ACCEPTED' and p.merchant_id = r.merchant_id
    and p.kind = 'payout' and p.id = case when r.state = 'ACCEPTED' then r.payout_id::uuid end
  where r.merchant_id = $1 and r.bulk_id = $2`

/** Those after a number, each with its payout. */
export async function readSentRows(
  db: Db,
  merchantId: MerchantId,
  bulkId: string,
  after: number,
  limit: number,
): Promise<readonly SentRow[]> {
  return db.query<SentRow>(
    `select ${COLUMNS}, p.state as "payoutState", p.failure_code as "payoutFailure",
       p.provider_transaction_id as "providerTransactionId"
     ${WITH_PAYOUT} and r.number > $3 order by r.number limit $4`,
    [merchantId, bulkId, after, limit],
  )
}

export type BulkProgress = {
  readonly total: number
  readonly waiting: number
  readonly refused: number
  readonly open: number
  readonly completed: number
  readonly failed: number
}

/** How far it is: each row counts once. */
export async function readProgress(
  db: Db,
  merchantId: MerchantId,
  bulkId: string,
): Promise<BulkProgress> {
  const [row] = await db.query<BulkProgress>(
    `select count(*)::int as total, count(*) filter (where r.state = 'WAITING')::int as waiting,
       count(*) filter (where r.state in (${sqlList(REFUSED_ROW_STATES)}))::int as refused,
       count(*) filter (where p.due_at is not null)::int as open,
       count(*) filter (where p.state = 'COMPLETED')::int as completed,
       count(*) filter (where p.state = 'FAILED')::int as failed
     ${WITH_PAYOUT}`,
    [merchantId, bulkId],
    'bulk-progress',
  )
  return row ?? { total: 0, waiting: 0, refused: 0, open: 0, completed: 0, failed: 0 }
}

/** Which of these identifiers belong to a payout, or to a row that will be one. */
export async function findUsedIds(
  db: Db,
  merchantId: MerchantId,
  bulkId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(
    `select id::text as id from payments
     where merchant_id = $1 and kind = 'payout' and id = any($3::uuid[])
     union
     select lower(r.payout_id) from bulk_payouts b
     join bulk_payout_rows r on r.merchant_id = b.merchant_id and r.bulk_id = b.id
     where b.merchant_id = $1 and b.id <> $2 and b.state in (${sqlList(PROMISED_BULK_STATES)})
       and r.state = 'WAITING' and lower(r.payout_id) = any($3::uuid[]::text[])`,
    [merchantId, bulkId, ids],
  )
  return new Set(rows.map(({ id }) => id))
}

type Promised = {
  readonly country: string
  readonly currency: string
  readonly provider: string
  readonly amount: string
}

/** What others that are approved will still take. */
export async function readPromised(
  db: Db,
  merchantId: MerchantId,
  bulkId: string,
): Promise<readonly Promised[]> {
  return db.query<Promised>(
    `select r.country, r.fields ->> 'currency' as currency, r.fields ->> 'provider' as provider,
       sum((r.fields ->> 'amount')::numeric)::text as amount
     from bulk_payouts b
     join bulk_payout_rows r on r.merchant_id = b.merchant_id and r.bulk_id = b.id
     where b.merchant_id = $1 and b.id <> $2 and b.state in (${sqlList(PROMISED_BULK_STATES)})
       and r.state = 'WAITING' and r.country is not null
     group by 1, 2, 3`,
    [merchantId, bulkId],
  )
}
