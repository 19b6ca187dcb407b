import type { MerchantId, PaymentId, PaymentKey } from '../../domain/ids.ts'
import { KIND_OF } from '../../domain/payments/payment-state.ts'
import type { OperationType } from '../../domain/provider.ts'
import { plain, quoted } from '../engine/columns.ts'
import { type Database, type Db, isTaken, untilItPasses } from '../engine/database.ts'
import { createGroup, type Group } from '../engine/group.ts'
import { APPROVAL_COLUMNS, type ApprovalRow } from './approvals.ts'

/** The simulated operator's book. It is the operator's memory, not ours: nothing else reads it. */
export type BookedOrder = {
  readonly merchantId: MerchantId
  readonly paymentKey: PaymentKey
  readonly reference: string
  readonly operation: OperationType
  readonly phoneNumber: string
  readonly provider: string
  readonly amount: string
  readonly currency: string
  readonly receivedAt: number
  /** Only where the number does not say it by itself. */
  readonly story: unknown
  readonly paymentId: PaymentId
  /** Whether the payment is notified, or shown on a phone: only then the order keeps its identifier. */
  readonly isFollowed: boolean
  readonly notifyAt: number | undefined
}

/** `asked` above one: the operator had this reference already. */
export type Booking = { readonly asked: number; readonly receivedAt: number }

/**
 * Orders wait for the write before theirs and for a connection. A process that was stopped in that
 * time and goes on much later must not send them any more: `maySend` is asked again when nothing
 * is left to wait for, and orders that come too late are not booked.
 */
export function createBookingGroup(
  database: Database,
  maySend: () => boolean,
): Group<BookedOrder, Booking | undefined> {
  return createGroup({
    write: (orders) =>
      untilItPasses(
        () =>
          database.onConnection(async (db) =>
            maySend() ? bookOrders(db, orders) : orders.map(() => undefined),
          ),
        isTaken,
      ),
    maxItems: 256,
    maxInFlight: 2,
  })
}

const PAYMENT = `payments p on p.merchant_id = i.merchant_id and p.kind = i.kind
       and p.id = i.payment_id and p.key = i.payment_key`

/**
 * An order whose payment was wiped in the sandbox is not booked. Of two with one reference at the same
 * moment one fails (`isTaken`), and the caller tries again.
 */
export async function bookOrders(
  db: Db,
  orders: readonly BookedOrder[],
): Promise<readonly (Booking | undefined)[]> {
  const rows = await db.query<{
    merchant_id: number
    reference: string
    asked: number
    ms: number
  }>(
    `with input as materialized (
     select * from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::numeric[],
                 $7::text[], $8::float8[], $9::jsonb[], $10::uuid[], $11::float8[], $12::text[],
                 $13::uuid[], $14::boolean[])
       as i (merchant_id, reference, operation, phone_number, provider, amount, currency, ms, story,
             payment_id, notify_ms, kind, payment_key, is_followed)
     ), booked as (
     insert into sandbox_orders
       (merchant_id, reference, operation, phone_number, provider, amount, currency, received_at,
        story, payment_id, notify_at, asked)
     select i.merchant_id, i.reference, i.operation, i.phone_number, i.provider, i.amount,
            i.currency, to_timestamp(i.ms / 1000), i.story,
            case when i.is_followed then i.payment_id end, to_timestamp(i.notify_ms / 1000), 1
     from input i join ${PAYMENT}
     -- "on conflict" would write a second record for each row to the log.
     where not exists (
       select from sandbox_orders o
       where o.merchant_id = i.merchant_id and o.reference = i.reference)
     returning merchant_id, reference
     ), others as (
     select merchant_id, reference, kind, payment_id, payment_key from input i
     -- Nothing to look for when all of them were booked.
     where (select count(*) from booked) < (select count(*) from input)
       and not exists (
         select from booked b where b.merchant_id = i.merchant_id and b.reference = i.reference)
     ), again as (
     update sandbox_orders o set asked = o.asked + 1
     from others i join ${PAYMENT}
     where o.merchant_id = i.merchant_id and o.reference = i.reference
     returning o.merchant_id, o.reference, o.asked,
       (extract(epoch from o.received_at) * 1000)::float8 as ms)
     select * from again
     union all
     select merchant_id, reference, 0, 0 from others i
     where not exists (
       select from again a where a.merchant_id = i.merchant_id and a.reference = i.reference)`,
    [
      plain(orders, (one) => one.merchantId),
      plain(orders, (one) => one.reference),
      plain(orders, (one) => one.operation),
      plain(orders, (one) => one.phoneNumber),
      plain(orders, (one) => one.provider),
      plain(orders, (one) => one.amount),
      plain(orders, (one) => one.currency),
      plain(orders, (one) => one.receivedAt),
      quoted(orders, ({ story }) => (story === undefined ? undefined : JSON.stringify(story))),
      plain(orders, (one) => one.paymentId),
      plain(orders, (one) => one.notifyAt),
      plain(orders, (one) => KIND_OF[one.operation]),
      plain(orders, (one) => one.paymentKey),
      plain(orders, (one) => one.isFollowed),
    ],
    'book-orders',
  )
  const byReference = new Map(rows.map((row) => [`${row.merchant_id}/${row.reference}`, row]))
  return orders.map((one) => {
    const row = byReference.get(`${one.merchantId}/${one.reference}`)
    if (row?.asked === 0) return undefined
    return { asked: row?.asked ?? 1, receivedAt: row?.ms ?? one.receivedAt }
  })
}

export type FoundOrder = ApprovalRow & {
  readonly receivedAt: number
  readonly story: unknown
  readonly paymentId: PaymentId | null
}

export async function findOrder(
  db: Db,
  merchantId: MerchantId,
  reference: string,
): Promise<FoundOrder | undefined> {
  const [row] = await db.query<FoundOrder>(
    `select (extract(epoch from o.received_at) * 1000)::float8 as "receivedAt", o.story,
       o.payment_id as "paymentId", ${APPROVAL_COLUMNS}
     from sandbox_orders o
     left join sandbox_approvals a
       on a.merchant_id = o.merchant_id and a.reference = o.reference
     where o.merchant_id = $1 and o.reference = $2`,
    [merchantId, reference],
    'find-order',
  )
  return row
}

type OrderNotification = {
  readonly merchantId: MerchantId
  readonly reference: string
  readonly operation: OperationType
  readonly paymentId: PaymentId
  readonly story: unknown
  readonly verdict: string | null
}

/** Where such orders lie, and the column that says when; only those that wait have a value there. */
export const NOTIFICATIONS_DUE = { table: 'sandbox_orders', at: 'notify_at' } as const

/** Orders about which the operator has something to say by itself, by now. */
export async function findNotifications(
  db: Db,
  now: number,
): Promise<readonly OrderNotification[]> {
  return db.query<OrderNotification>(
    `select o.merchant_id as "merchantId", o.reference, o.operation, o.payment_id as "paymentId",
       o.story, a.verdict
     from sandbox_orders o
     left join sandbox_approvals a
       on a.merchant_id = o.merchant_id and a.reference = o.reference
     where o.notify_at <= to_timestamp($1::float8 / 1000)
     order by o.notify_at limit 100`,
    [now],
    'find-notifications',
  )
}

export async function forgetNotifications(
  db: Db,
  notifications: readonly { readonly merchantId: MerchantId; readonly reference: string }[],
): Promise<void> {
  await db.query(
    `update sandbox_orders o set notify_at = null
     from unnest($1::int[], $2::text[]) as i (merchant_id, reference)
     where o.merchant_id = i.merchant_id and o.reference = i.reference`,
    [notifications.map((one) => one.merchantId), notifications.map((one) => one.reference)],
  )
}
