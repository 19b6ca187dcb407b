import { ATTEMPTS_MAX } from '../../domain/hosted/checkout.ts'
import type { MerchantId, PaymentId, PaymentKey } from '../../domain/ids.ts'
import type { AccountName } from '../../domain/payments/ledger.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import type { PaymentState } from '../../domain/payments/payment-state.ts'
import type { Db } from '../engine/database.ts'
import { POST_TRANSFERS, POSTED_WHOLE } from '../engine/posting.ts'
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from './payment-rows.ts'

/** Doubt about outcomes. Cases of an unknown outcome are opened and closed by `advance.ts`. */
export type Case = {
  readonly merchantId: MerchantId
  readonly paymentKey: PaymentKey
  readonly cause: keyof CaseLoad
  readonly kind: Payment['kind']
  readonly paymentId: string
  readonly openedMs: number
  readonly reported: Word | null
  /** What the operator says by now. */
  readonly lastReported: Word | null
}

type Word = 'COMPLETED' | 'FAILED'

const COLUMNS = `merchant_id as "merchantId", payment_key as "paymentKey", cause, kind,
  payment_id as "paymentId", (extract(epoch from opened_at) * 1000)::float8 as "openedMs", reported,
  last_reported as "lastReported"`

const DISPUTE = `
  coalesce(bool_or(c.closed_at is null), false) as is_open,
  (array_agg(c.reported order by c.number desc) filter (where c.resolution = 'CORRECTED'))[1] as outcome`

/** The same of all payments that there is one about, for reports. */
export const DISPUTES = `
  select c.merchant_id, c.payment_key as key, ${DISPUTE} from cases c
  where c.cause = 'CONTRADICTION' group by 1, 2`

/**
 * What the operator's changes of mind come to about the payment of this alias: whether a person has
 * to decide, and the outcome that the last correction put right; null where there was none.
 */
export const disputeOf = (payment: string): string => `
  select ${DISPUTE} from cases c
  where c.merchant_id = ${payment}.merchant_id and c.payment_key = ${payment}.key
    and c.cause = 'CONTRADICTION'`

/** Nobody else decides about the payment, refunds included, until the transaction ends. */
export async function lockForDispute(tx: Db, payment: Payment): Promise<void> {
  const { merchantId, kind, id, refundOf } = payment
  await tx.query(
    `select from payments where merchant_id = $1 and kind = $2 and id = $3 for no key update`,
    [merchantId, refundOf === undefined ? kind : 'deposit', refundOf ?? id],
  )
}

/**
 * An operator speaks about a payment that is over, which is locked. A repeated word changes nothing.
 * Another one is kept with the case that is open, or opens one, unless it agrees with the books.
 * Answers whether there is a new case.
 */
export async function openContradiction(
  tx: Db,
  payment: Payment,
  reported: Word,
  now: number,
): Promise<boolean> {
  const { merchantId, key, kind, id, state } = payment
  type Row = { number: number | null; last: Word | null; is_open: boolean; outcome: Word | null }
  const [row] = await tx.query<Row>(
    `select d.is_open, d.outcome, l.number, l.last from payments p
     cross join lateral (${disputeOf('p')}) d
     left join lateral (
       select c.number, coalesce(c.last_reported, c.reported) as last from cases c
       where c.merchant_id = p.merchant_id and c.payment_key = p.key
         and c.cause = 'CONTRADICTION'
       order by c.number desc limit 1) l on true
     where p.merchant_id = $1 and p.kind = $2 and p.id = $3 and p.key = $4`,
    [merchantId, kind, id, key],
  )
  // The sandbox can wipe what happened.
  if (row === undefined || reported === (row.last ?? state)) return false
  if (row.is_open || reported === (row.outcome ?? state)) {
    await tx.query(
      `update cases set last_reported = $4
       where merchant_id = $1 and payment_key = $2 and cause = 'CONTRADICTION' and number = $3`,
      [merchantId, key, row.number, reported],
    )
    return false
  }
  await tx.query(
    `insert into cases
       (merchant_id, payment_key, cause, number, kind, payment_id, opened_at, reported, last_reported)
     values ($1, $2, 'CONTRADICTION', $3, $4, $5, to_timestamp($6::float8 / 1000), $7, $7)`,
    [merchantId, key, (row.number ?? 0) + 1, kind, id, now, reported],
  )
  await holdCheckout(tx, payment, now)
  return true
}

/**
 * A checkout waits while a person decides about an attempt that failed and was paid after all, and
 * completes if it was. It goes on when it is due; see `expireCheckouts`. Two statements: the second
 * sees all that was decided before.
 */
async function holdCheckout(
  tx: Db,
  { merchantId, checkoutId }: Payment,
  now: number,
): Promise<void> {
  if (checkoutId === undefined) return
  const checkout = [merchantId, checkoutId]
  await tx.query('select from checkouts where merchant_id = $1 and id = $2 for update', checkout)
  await tx.query(
    `update checkouts o set on_hold = h.is_held, paid_attempt = h.paid,
       due_at = case when o.state <> 'WAITING_PAYMENT' then null
         when h.paid is not null or o.expiry_asked_at is not null or o.attempts >= ${ATTEMPTS_MAX}
         then h.at else greatest(o.expires_at, h.at) end
     from (
       select coalesce(bool_or(${HOLDS_CHECKOUT}), false) as is_held,
              (array_agg(p.id order by p.created_at desc) filter (where ${PAID_AFTER_ALL}))[1] as paid,
              to_timestamp($3::float8 / 1000) as at
       from payments p cross join lateral (${disputeOf('p')}) d
       where p.merchant_id = $1 and p.checkout_id = $2) h
     where o.merchant_id = $1 and o.id = $2`,
    [...checkout, now],
  )
}

/** Of an attempt `p` and its dispute `d`. */
export const PAID_AFTER_ALL = `p.state = 'FAILED' and d.outcome = 'COMPLETED'`
export const HOLDS_CHECKOUT = `p.state = 'FAILED' and (d.is_open or d.outcome = 'COMPLETED')`

/** A payment, and whether its operator ever took back its word. */
export async function findWithDispute(
  db: Db,
  merchantId: MerchantId,
  kind: Payment['kind'],
  id: PaymentId,
): Promise<{ readonly payment: Payment; readonly wasDisputed: boolean } | undefined> {
  const [row] = await db.query<PaymentRow & { was_disputed: boolean }>(
    `select ${PAYMENT_COLUMNS}, exists (
       select from cases c where c.merchant_id = p.merchant_id and c.payment_key = p.key
         and c.cause = 'CONTRADICTION') as was_disputed
     from payments p where merchant_id = $1 and kind = $2 and id = $3`,
    [merchantId, kind, id],
    'find-with-dispute',
  )
  return row && { payment: toPayment(row), wasDisputed: row.was_disputed }
}

/** What a payment that is over came to, corrections included, and whether that is in doubt. */
export async function findOutcome(db: Db, { merchantId, kind, id, state }: Payment) {
  type Row = { readonly outcome: PaymentState; readonly isDisputed: boolean }
  const [row] = await db.query<Row>(
    `select coalesce(d.outcome, p.state) as outcome, d.is_open as "isDisputed"
     from payments p cross join lateral (${disputeOf('p')}) d
     where p.merchant_id = $1 and p.kind = $2 and p.id = $3`,
    [merchantId, kind, id],
  )
  return row ?? { outcome: state, isDisputed: false }
}

/** Oldest first. */
export async function listOpenCases(db: Db, limit: number): Promise<readonly Case[]> {
  return db.query<Case>(
    `select ${COLUMNS} from cases where closed_at is null order by opened_at limit $1`,
    [limit],
  )
}

/** The open case about a payment; there are few, so the open ones are looked through. */
export async function findOpenCase(db: Db, paymentKey: string): Promise<Case | undefined> {
  const [row] = await db.query<Case>(
    `select ${COLUMNS} from cases where closed_at is null and payment_key = $1`,
    [paymentKey],
  )
  return row
}

/** Says who ended a payment of which the operator reported nothing, and why. */
export async function signUnknown(
  tx: Db,
  { merchantId, key }: Payment,
  { by, note }: Pick<CaseClosing, 'by' | 'note'>,
): Promise<void> {
  await tx.query(
    `update cases set resolved_by = $3, note = $4
     where merchant_id = $1 and payment_key = $2 and cause = 'UNKNOWN_OUTCOME'`,
    [merchantId, key, by, note],
  )
}

const CASE_CAUSES = ['UNKNOWN_OUTCOME', 'CONTRADICTION'] as const

type CaseLoad = Readonly<
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

type CaseClosing = {
  readonly payment: Payment
  readonly resolution: 'CORRECTED' | 'DISMISSED'
  readonly by: string
  readonly note: string
  readonly now: number
  readonly transfer?: { readonly debit: AccountName; readonly credit: AccountName }
}

/** A refund `p` with its dispute `d` that gives money back, or may yet. */
export const TAKES_FROM_DEPOSIT = `
  (p.due_at is not null or d.is_open or coalesce(d.outcome, p.state) = 'COMPLETED')`

/** Whether a deposit, which is locked, was refunded or may be. */
export async function isRefunded(tx: Db, { merchantId, id }: Payment): Promise<boolean> {
  const rows = await tx.query(
    `select from payments p cross join lateral (${disputeOf('p')}) d
     where p.merchant_id = $1 and p.refund_of = $2 and ${TAKES_FROM_DEPOSIT} limit 1`,
    [merchantId, id],
  )
  return rows.length > 0
}

/** Whether this refund is more than what the others leave of its deposit, which is locked. */
export async function isTooMuch(tx: Db, refund: Payment): Promise<boolean> {
  const rows = await tx.query(
    `select from payments deposit
     join payments p on p.merchant_id = deposit.merchant_id and p.refund_of = deposit.id
     cross join lateral (${disputeOf('p')}) d
     where deposit.merchant_id = $1 and deposit.kind = 'deposit' and deposit.id = $2
       and p.key <> $3 and ${TAKES_FROM_DEPOSIT}
     group by deposit.amount having sum(p.amount) + $4::numeric > deposit.amount`,
    [refund.merchantId, refund.refundOf, refund.key, refund.amount],
  )
  return rows.length > 0
}

/** The cause of the transfer that closed the case of this number. */
export const correctionCause = (number: string): string =>
  `'CORRECTION' || case when ${number} > 1 then '_' || ${number} else '' end`

/** Closes a contradiction, once, together with the transfer that sets the books right. */
export async function closeContradiction(tx: Db, closing: CaseClosing): Promise<boolean> {
  const { payment, resolution, by, note, now, transfer } = closing
  const rows = await tx.query(
    `with closed as (
       update cases set closed_at = to_timestamp($3::float8 / 1000), resolution = $4,
         resolved_by = $5, note = $6
       where merchant_id = $1 and payment_key = $2 and cause = 'CONTRADICTION'
         and closed_at is null
       returning merchant_id, payment_key, payment_id, number, closed_at
     ), postings as (
       select merchant_id, payment_key as key, payment_id, ${correctionCause('number')} as cause,
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
  await holdCheckout(tx, payment, now)
  return rows.length === 1
}
