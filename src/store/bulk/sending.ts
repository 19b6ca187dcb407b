import {
  BULK_MACHINE,
  type BulkRow,
  type BulkRowState,
  type BulkState,
} from '../../domain/bulk/bulk-payout.ts'
import { type MerchantId, type NodeId, UNHELD } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'

/** A bulk payout that one node sends a part of. */
export type HeldBulk = {
  readonly merchantId: MerchantId
  readonly id: string
  readonly holder: NodeId
  readonly approvedAt: number
  /** When all of it had been handed over. */
  readonly sentAt: number | null
}

/** Takes the one that has waited longest; two nodes never get the same one. */
export async function claimBulk(db: Db, node: NodeId, now: number): Promise<HeldBulk | undefined> {
  const [held] = await db.query<HeldBulk>(
    `with due as (
       select merchant_id, id from bulk_payouts
       where holder = ${UNHELD} and due_at <= to_timestamp($2::float8 / 1000)
       order by due_at limit 1 for update skip locked
     )
     update bulk_payouts b set holder = $1, state = '${BULK_MACHINE.APPROVED.begin}' from due
     where b.merchant_id = due.merchant_id and b.id = due.id
     returning b.merchant_id as "merchantId", b.id, b.holder,
       (extract(epoch from b.decided_at) * 1000)::float8 as "approvedAt",
       (extract(epoch from b.sent_at) * 1000)::float8 as "sentAt"`,
    [node, now],
    'claim-bulk',
  )
  return held
}

/** The next rows that have no answer yet. */
export async function nextRows(
  db: Db,
  { merchantId, id }: HeldBulk,
  limit: number,
): Promise<readonly BulkRow[]> {
  return db.query<BulkRow>(
    `select number, payout_id as "payoutId", fields, state, failure_code as "failureCode",
       failure_message as "failureMessage"
     from bulk_payout_rows
     where merchant_id = $1 and bulk_id = $2 and state = 'WAITING' order by number limit $3`,
    [merchantId, id, limit],
    'next-bulk-rows',
  )
}

export type RowAnswer = {
  readonly number: number
  readonly state: Exclude<BulkRowState, 'WAITING'>
  readonly code?: string
  readonly message?: string
}

/** The first answer stays: the next one says duplicate, of our own request. */
export async function recordAnswers(
  db: Db,
  { merchantId, id }: HeldBulk,
  answers: readonly RowAnswer[],
  now: number,
): Promise<void> {
  await db.query(
    `update bulk_payout_rows r set state = x.state, failure_code = x.code,
       failure_message = x.message, sent_at = to_timestamp($4::float8 / 1000)
     from jsonb_to_recordset($3::jsonb) as x(number int, state text, code text, message text)
     where r.merchant_id = $1 and r.bulk_id = $2 and r.number = x.number and r.state = 'WAITING'`,
    [merchantId, id, JSON.stringify(answers), now],
    'record-bulk-answers',
  )
}

/** Gives it back until it goes on. */
export async function releaseBulk(
  db: Db,
  { merchantId, id, holder }: HeldBulk,
  { dueAt, sentAt }: { readonly dueAt: number; readonly sentAt?: number | undefined },
): Promise<void> {
  await db.query(
    `update bulk_payouts set holder = ${UNHELD}, due_at = to_timestamp($4::float8 / 1000),
       sent_at = coalesce(sent_at, to_timestamp($5::float8 / 1000))
     where merchant_id = $1 and id = $2 and holder = $3 and state = 'SENDING'`,
    [merchantId, id, holder, dueAt, sentAt ?? null],
    'release-bulk',
  )
}

export async function endBulk(
  db: Db,
  { merchantId, id, holder }: HeldBulk,
  state: BulkState,
  now: number,
): Promise<void> {
  await db.query(
    `update bulk_payouts set holder = ${UNHELD}, due_at = null, state = $4,
       ended_at = to_timestamp($5::float8 / 1000),
       sent_at = coalesce(sent_at, to_timestamp($5::float8 / 1000))
     where merchant_id = $1 and id = $2 and holder = $3 and state = 'SENDING'`,
    [merchantId, id, holder, state, now],
    'end-bulk',
  )
}
