import type { MerchantId, PaymentId } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'

/** Questions to a customer. The first verdict stands: every change names what it changes. */
export type ApprovalRow = {
  readonly askedOn: 'PHONE' | 'PAGE' | null
  readonly shownMs: number | null
  readonly expiresMs: number | null
  readonly verdict: 'APPROVED' | 'DECLINED' | 'EXPIRED' | null
  readonly decidedMs: number | null
}

export const APPROVAL_COLUMNS = `
  a.asked_on as "askedOn", a.verdict,
  (extract(epoch from a.shown_at) * 1000)::float8 as "shownMs",
  (extract(epoch from a.expires_at) * 1000)::float8 as "expiresMs",
  (extract(epoch from a.decided_at) * 1000)::float8 as "decidedMs"`

type Named = { readonly merchantId: MerchantId; readonly reference: string }

type NewApproval = Named & {
  readonly paymentId: PaymentId | undefined
  readonly phoneNumber: string
  readonly askedOn: 'PHONE' | 'PAGE'
  readonly openedAt: number
  readonly shownAt: number | undefined
  readonly expiresAt: number
}

/** Undefined when nobody takes care of the number any more. The row makes others wait in line. */
export async function lockPhone(
  tx: Db,
  merchantId: MerchantId,
  phoneNumber: string,
): Promise<{ readonly mode: string } | undefined> {
  const [row] = await tx.query<{ mode: string }>(
    `select mode from sandbox_phones where merchant_id = $1 and phone_number = $2 for update`,
    [merchantId, phoneNumber],
    'lock-phone',
  )
  return row
}

/**
 * False when the phone asks about another order. To be called with the phone locked. An order
 * from before a reset asks nobody.
 */
export async function openApproval(tx: Db, one: NewApproval): Promise<boolean> {
  await tx.query(
    `update sandbox_approvals set verdict = 'EXPIRED', decided_at = expires_at
     where merchant_id = $1 and phone_number = $2 and verdict is null and asked_on = 'PHONE'
       and expires_at <= to_timestamp($3::float8 / 1000)`,
    [one.merchantId, one.phoneNumber, one.openedAt],
  )
  const rows = await tx.query(
    `insert into sandbox_approvals
       (merchant_id, reference, phone_number, asked_on, opened_at, shown_at, expires_at)
     select p.merchant_id, $2, $3, $4, to_timestamp($5::float8 / 1000),
            to_timestamp($6::float8 / 1000), to_timestamp($7::float8 / 1000)
     from payments p
     where p.merchant_id = $1 and p.kind = 'deposit' and p.id = $8 and p.provider_reference = $2
     on conflict do nothing returning reference`,
    [
      one.merchantId,
      one.reference,
      one.phoneNumber,
      one.askedOn,
      one.openedAt,
      one.shownAt ?? null,
      one.expiresAt,
      one.paymentId ?? null,
    ],
  )
  return rows.length === 1
}

/**
 * Gives the verdict, and has the operator speak at `notifyAt`. False when there was one already, or
 * when the time was over.
 */
export async function decideApproval(
  db: Db,
  one: Named & {
    readonly verdict: 'APPROVED' | 'DECLINED'
    readonly now: number
    readonly notifyAt: number | undefined
  },
): Promise<boolean> {
  const rows = await db.query(
    `with decided as (
       update sandbox_approvals
       set verdict = $3, decided_at = to_timestamp($4::float8 / 1000)
       where merchant_id = $1 and reference = $2 and verdict is null
         and expires_at > to_timestamp($4::float8 / 1000)
       returning merchant_id, reference
     ), notified as (
       update sandbox_orders o set notify_at = to_timestamp($5::float8 / 1000)
       from decided d where o.merchant_id = d.merchant_id and o.reference = d.reference
     )
     select reference from decided`,
    [one.merchantId, one.reference, one.verdict, one.now, one.notifyAt ?? null],
  )
  return rows.length === 1
}

/** Nobody answered in time. */
export async function expireApproval(db: Db, one: Named, now: number): Promise<void> {
  await db.query(
    `update sandbox_approvals
     set verdict = 'EXPIRED', decided_at = to_timestamp($3::float8 / 1000)
     where merchant_id = $1 and reference = $2 and verdict is null
       and expires_at <= to_timestamp($3::float8 / 1000)`,
    [one.merchantId, one.reference, now],
  )
}

/** Answers how many wrong PINs there were with this one; undefined when nothing is asked. */
export async function countWrongPin(db: Db, one: Named): Promise<number | undefined> {
  const [row] = await db.query<{ wrong_pins: number }>(
    `update sandbox_approvals set wrong_pins = wrong_pins + 1
     where merchant_id = $1 and reference = $2 and verdict is null returning wrong_pins`,
    [one.merchantId, one.reference],
  )
  return row?.wrong_pins
}

/** Somebody dialled for it: it is on the screen from now on. */
export async function showApproval(db: Db, one: Named, now: number): Promise<boolean> {
  const rows = await db.query(
    `update sandbox_approvals set shown_at = to_timestamp($3::float8 / 1000)
     where merchant_id = $1 and reference = $2 and verdict is null
       and expires_at > to_timestamp($3::float8 / 1000) returning reference`,
    [one.merchantId, one.reference, now],
  )
  return rows.length === 1
}
