import type { MerchantId, PaymentKey } from '../../domain/ids.ts'
import type { AccountName } from '../../domain/payments/ledger.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import type { Db } from '../engine/database.ts'
import { POST_TRANSFERS, POSTED_WHOLE } from '../engine/posting.ts'

/** Doubt about outcomes. Cases of an unknown outcome are opened and closed by `advance.ts`. */
export type Case = {
  readonly merchantId: MerchantId
  readonly paymentKey: PaymentKey
  readonly cause: keyof CaseLoad
  readonly kind: Payment['kind']
  readonly paymentId: string
  readonly openedMs: number
  readonly said: 'COMPLETED' | 'FAILED' | null
}

const COLUMNS = `merchant_id as "merchantId", payment_key as "paymentKey", cause, kind,
  payment_id as "paymentId", (extract(epoch from opened_at) * 1000)::float8 as "openedMs", said`

/** An operator contradicts itself. Repeated, it is the same case. Answers whether it is new. */
export async function openContradiction(
  db: Db,
  payment: Payment,
  said: 'COMPLETED' | 'FAILED',
  now: number,
): Promise<boolean> {
  const rows = await db.query(
    `insert into cases (merchant_id, payment_key, cause, kind, payment_id, opened_at, said)
     values ($1, $2, 'CONTRADICTION', $3, $4, to_timestamp($5::float8 / 1000), $6)
     on conflict do nothing returning 1`,
    [payment.merchantId, payment.key, payment.kind, payment.id, now, said],
  )
  return rows.length === 1
}

/** Oldest first. */
export async function listOpenCases(db: Db, limit: number): Promise<readonly Case[]> {
  return db.query<Case>(
    `select ${COLUMNS} from cases where closed_at is null order by opened_at limit $1`,
    [limit],
  )
}

/** The open contradiction about a payment; there are few, so the open ones are looked through. */
export async function findOpenContradiction(
  db: Db,
  paymentKey: string,
): Promise<(Case & { readonly said: 'COMPLETED' | 'FAILED' }) | undefined> {
  const [row] = await db.query<Case & { readonly said: 'COMPLETED' | 'FAILED' }>(
    `select ${COLUMNS} from cases
     where closed_at is null and payment_key = $1 and cause = 'CONTRADICTION'`,
    [paymentKey],
  )
  return row
}

const CASE_CAUSES = ['UNKNOWN_OUTCOME', 'CONTRADICTION'] as const

export type CaseLoad = Readonly<
  Record<(typeof CASE_CAUSES)[number], { readonly open: number; readonly oldestMs: number }>
>

/** How many cases are open, and how old the oldest is, for each cause. */
export async function findCaseLoad(db: Db, now: number): Promise<CaseLoad> {
  type Row = { cause: keyof CaseLoad; open: string; opened: number }
  const rows = await db.query<Row>(
    `select cause, count(*) as open, extract(epoch from min(opened_at))::float8 * 1000 as opened
     from cases where closed_at is null group by 1`,
    [],
    'case-load',
  )
  const loadOf = (cause: keyof CaseLoad) => {
    const row = rows.find((one) => one.cause === cause)
    return row === undefined
      ? { open: 0, oldestMs: 0 }
      : { open: Number(row.open), oldestMs: Math.max(0, now - row.opened) }
  }
  return {
    UNKNOWN_OUTCOME: loadOf('UNKNOWN_OUTCOME'),
    CONTRADICTION: loadOf('CONTRADICTION'),
  }
}

export type CaseClosing = {
  readonly payment: Payment
  readonly resolution: 'CORRECTED' | 'DISMISSED'
  readonly by: string
  readonly note: string
  readonly now: number
  readonly transfer?: { readonly debit: AccountName; readonly credit: AccountName }
}

/** Whether a deposit was refunded, or is being; refunds of it wait until this transaction ends. */
export async function isRefunded(tx: Db, deposit: Payment): Promise<boolean> {
  await tx.query(
    `select from payments where merchant_id = $1 and kind = 'deposit' and id = $2
     for no key update`,
    [deposit.merchantId, deposit.id],
  )
  const rows = await tx.query(
    `select from payments where merchant_id = $1 and refund_of = $2 and state <> 'FAILED' limit 1`,
    [deposit.merchantId, deposit.id],
  )
  return rows.length > 0
}

/** Closes a contradiction, once, together with the transfer that sets the books right. */
export async function closeContradiction(db: Db, closing: CaseClosing): Promise<boolean> {
  const { payment, resolution, by, note, now, transfer } = closing
  const rows = await db.query(
    `with closed as (
       update cases set closed_at = to_timestamp($3::float8 / 1000), resolution = $4,
         resolved_by = $5, note = $6
       where merchant_id = $1 and payment_key = $2 and cause = 'CONTRADICTION'
         and closed_at is null
       returning merchant_id, payment_key, payment_id, closed_at
     ), postings as (
       select merchant_id, payment_key as key, payment_id, 'CORRECTION' as cause,
              $7::text as debit, $8::text as credit, $9::numeric as amount, closed_at as at
       from closed where $7::text is not null
     ), ${POST_TRANSFERS}
     select 1 from closed where ${POSTED_WHOLE}`,
    [
      payment.merchantId,
      payment.key,
      now,
      resolution,
      by,
      note,
      transfer?.debit ?? null,
      transfer?.credit ?? null,
      payment.amount,
    ],
  )
  return rows.length === 1
}
