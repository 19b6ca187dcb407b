import type { MerchantId, PaymentKey } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'

/** What the database knows of one payment beside its row, for people. */
export type StateChange = { readonly state: string; readonly atMs: number }

export async function findTimeline(
  db: Db,
  merchantId: MerchantId,
  key: PaymentKey,
): Promise<readonly StateChange[]> {
  return db.query<StateChange>(
    `select state, (extract(epoch from at) * 1000)::float8 as "atMs" from payment_timeline
     where merchant_id = $1 and payment_key = $2 order by at`,
    [merchantId, key],
  )
}

/** Doubt about a payment, and who ended it. */
export type Doubt = {
  readonly cause: string
  readonly openedMs: number
  readonly closedMs: number | null
  readonly resolution: string | null
  readonly by: string | null
  readonly note: string | null
}

export async function findDoubts(
  db: Db,
  merchantId: MerchantId,
  key: PaymentKey,
): Promise<readonly Doubt[]> {
  return db.query<Doubt>(
    `select cause, (extract(epoch from opened_at) * 1000)::float8 as "openedMs",
       (extract(epoch from closed_at) * 1000)::float8 as "closedMs", resolution,
       resolved_by as by, note
     from cases where merchant_id = $1 and payment_key = $2 order by opened_at, number`,
    [merchantId, key],
  )
}

export type Posting = {
  readonly cause: string
  readonly debit: string
  readonly credit: string
  readonly amount: string
  readonly atMs: number
}

export async function findPostings(
  db: Db,
  merchantId: MerchantId,
  key: PaymentKey,
): Promise<readonly Posting[]> {
  return db.query<Posting>(
    `select cause, debit, credit, amount::text as amount,
            (extract(epoch from at) * 1000)::float8 as "atMs"
     from transfers where merchant_id = $1 and key = $2 order by at`,
    [merchantId, key],
  )
}
