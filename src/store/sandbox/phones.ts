import type { MerchantId } from '../../domain/ids.ts'
import type { OperationType } from '../../domain/provider.ts'
import { type Database, type Db, isTaken, untilItPasses } from '../engine/database.ts'
import { APPROVAL_COLUMNS, type ApprovalRow, lockPhone, openApproval } from './approvals.ts'
import { type BookedOrder, type Booking, bookOrders } from './orders.ts'

/** Phones of the sandbox: what is set for them, what they are asked, which messages they got. */
export type PhoneKey = { readonly merchantId: MerchantId; readonly phoneNumber: string }

/** Of a merchant `m`: what is set for each number. */
export const PHONE_STORIES_OF_MERCHANT = `
  select jsonb_object_agg(phone_number,
    jsonb_strip_nulls(jsonb_build_object('mode', mode, 'story', story)))
  from sandbox_phones s where s.merchant_id = m.merchant_id`

export async function setPhone(
  db: Db,
  { merchantId, phoneNumber }: PhoneKey,
  setting: { readonly mode: string; readonly story?: unknown },
): Promise<void> {
  const story = setting.story === undefined ? null : JSON.stringify(setting.story)
  await db.query(
    `insert into sandbox_phones (merchant_id, phone_number, mode, story) values ($1, $2, $3, $4)
     on conflict (merchant_id, phone_number) do update
     set mode = excluded.mode, story = excluded.story`,
    [merchantId, phoneNumber, setting.mode, story],
  )
}

/**
 * Books an order that needs the phone. What comes of it is decided while the phone is locked, so
 * that two orders never both find it free. Where nobody takes care of the number any more, the
 * order is booked like any other.
 */
export async function bookWithPhone(
  database: Database,
  order: BookedOrder,
  maySend: () => boolean,
  decide: (tx: Db) => Promise<unknown>,
): Promise<Booking | undefined> {
  const book = async (tx: Db): Promise<Booking | undefined> => {
    const phone = await lockPhone(tx, order.merchantId, order.phoneNumber)
    // Asked here, when nothing is left to wait for.
    if (!maySend()) return undefined
    const [booking] = await bookOrders(tx, [order])
    if (phone?.mode !== 'interactive' || booking?.asked !== 1) return booking
    const story = await decide(tx)
    if (story !== undefined) {
      await tx.query(
        'update sandbox_orders set story = $3 where merchant_id = $1 and reference = $2',
        [order.merchantId, order.reference, JSON.stringify(story)],
      )
    }
    return booking
  }
  return untilItPasses(() => database.inTransaction(book), isTaken)
}

/** The story of an order that finds the phone busy; undefined when its question is open now. */
export async function askOrRefuse(
  tx: Db,
  order: BookedOrder,
  question: {
    readonly askedOn: 'PHONE' | 'PAGE'
    readonly shownAt: number | undefined
    readonly expiresAt: number
    readonly whenBusy: unknown
  },
): Promise<unknown> {
  const { askedOn, shownAt, expiresAt, whenBusy } = question
  const { merchantId, reference, phoneNumber, paymentId, receivedAt: openedAt } = order
  const named = { merchantId, reference, phoneNumber, paymentId }
  const isAsked = await openApproval(tx, { ...named, askedOn, openedAt, shownAt, expiresAt })
  return isAsked ? undefined : whenBusy
}

/** True once for each code, while it is valid. */
export async function useCode(
  tx: Db,
  { merchantId, phoneNumber }: PhoneKey,
  code: string,
  now: number,
): Promise<boolean> {
  const rows = await tx.query(
    `delete from sandbox_codes where merchant_id = $1 and phone_number = $2 and code = $3
       and expires_at > to_timestamp($4::float8 / 1000) returning code`,
    [merchantId, phoneNumber, code, now],
  )
  return rows.length === 1
}

/** False when the phone has such a code already. What has expired is removed. */
export async function keepCode(
  db: Db,
  { merchantId, phoneNumber }: PhoneKey,
  code: string,
  { now, expiresAt }: { readonly now: number; readonly expiresAt: number },
): Promise<boolean> {
  await db.query(
    `delete from sandbox_codes where merchant_id = $1 and phone_number = $2
       and expires_at <= to_timestamp($3::float8 / 1000)`,
    [merchantId, phoneNumber, now],
  )
  const rows = await db.query(
    `insert into sandbox_codes (merchant_id, phone_number, code, made_at, expires_at)
     values ($1, $2, $3, to_timestamp($4::float8 / 1000), to_timestamp($5::float8 / 1000))
     on conflict do nothing returning code`,
    [merchantId, phoneNumber, code, now, expiresAt],
  )
  return rows.length === 1
}

export type PhoneOrder = ApprovalRow & {
  readonly merchantId: MerchantId
  readonly phoneNumber: string
  readonly reference: string
  readonly operation: OperationType
  readonly provider: string
  readonly amount: string
  readonly currency: string
  readonly receivedMs: number
  readonly story: unknown
  /** As the merchant wrote it. */
  readonly paymentId: string
  readonly customerMessage: string | null
}

/** A phone shows its latest orders only, so that an old one is read as fast as a new one. */
const ORDERS_SHOWN = 50

/** The latest orders of each phone, oldest first; one question for all of them. */
export async function findPhoneOrders(
  db: Db,
  phones: readonly PhoneKey[],
): Promise<readonly PhoneOrder[]> {
  return db.query<PhoneOrder>(
    `select o.merchant_id as "merchantId", o.phone_number as "phoneNumber", o.reference,
       o.operation, o.provider, o.amount::text as amount, o.currency, o.story,
       (extract(epoch from o.received_at) * 1000)::float8 as "receivedMs",
       coalesce(p.id_as_sent, o.payment_id::text) as "paymentId",
       p.details ->> 'customerMessage' as "customerMessage", ${APPROVAL_COLUMNS}
     from unnest($1::int[], $2::text[]) as i (merchant_id, phone_number)
     cross join lateral (
       select * from sandbox_orders s
       where s.merchant_id = i.merchant_id and s.phone_number = i.phone_number
         and s.payment_id is not null
       order by s.received_at desc limit ${ORDERS_SHOWN}) o
     left join sandbox_approvals a
       on a.merchant_id = o.merchant_id and a.reference = o.reference
     left join payments p on p.merchant_id = o.merchant_id and p.kind = lower(o.operation)
       and p.id = o.payment_id
     order by o.received_at, o.reference`,
    [phones.map((one) => one.merchantId), phones.map((one) => one.phoneNumber)],
    'find-phone-orders',
  )
}
