import type { MerchantId } from '../domain/ids.ts'
import { plain, quoted } from './columns.ts'
import type { Db } from './database.ts'
import { createGroup, type Group } from './group.ts'

/** The simulated operator's book. It is the operator's memory, not ours: nothing else reads it. */
export type BookedOrder = {
  readonly merchantId: MerchantId
  readonly reference: string
  readonly operation: string
  readonly phoneNumber: string
  readonly provider: string
  readonly amount: string
  readonly currency: string
  readonly receivedAt: number
  readonly story: string | undefined
}

/** `asked` above one: the operator had this reference already. */
export type Booking = { readonly asked: number; readonly receivedAt: number }

/**
 * Orders wait for the write before theirs. A process that was stopped in that moment and goes on
 * much later must not send them any more: `maySend` is asked again when the write begins, and
 * orders that come too late are not booked.
 */
export function createBookingGroup(
  db: Db,
  maySend: () => boolean,
): Group<BookedOrder, Booking | undefined> {
  return createGroup({
    write: (orders) =>
      maySend() ? book(db, orders) : Promise.resolve(orders.map(() => undefined)),
    maxItems: 256,
    maxInFlight: 2,
  })
}

async function book(db: Db, orders: readonly BookedOrder[]): Promise<readonly Booking[]> {
  const rows = await db.query<{
    merchant_id: number
    reference: string
    asked: number
    ms: number
  }>(
    `insert into sandbox_orders as o
       (merchant_id, reference, operation, phone_number, provider, amount, currency, received_at,
        story, asked)
     select merchant_id, reference, operation, phone_number, provider, amount, currency,
            to_timestamp(ms / 1000), story, 1
     from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::text[], $6::numeric[],
                 $7::text[], $8::float8[], $9::jsonb[])
       as i (merchant_id, reference, operation, phone_number, provider, amount, currency, ms, story)
     on conflict (merchant_id, reference) do update set asked = o.asked + 1
     returning merchant_id, reference, asked,
       (extract(epoch from received_at) * 1000)::float8 as ms`,
    [
      plain(orders, (one) => one.merchantId),
      plain(orders, (one) => one.reference),
      plain(orders, (one) => one.operation),
      plain(orders, (one) => one.phoneNumber),
      plain(orders, (one) => one.provider),
      plain(orders, (one) => one.amount),
      plain(orders, (one) => one.currency),
      plain(orders, (one) => one.receivedAt),
      quoted(orders, (one) => one.story),
    ],
    'book-orders',
  )
  const byReference = new Map(rows.map((row) => [`${row.merchant_id}/${row.reference}`, row]))
  return orders.map((one) => {
    const row = byReference.get(`${one.merchantId}/${one.reference}`)
    return { asked: row?.asked ?? 1, receivedAt: row?.ms ?? one.receivedAt }
  })
}

export type FoundOrder = { readonly receivedAt: number; readonly story: unknown }

export async function findOrder(
  db: Db,
  merchantId: MerchantId,
  reference: string,
): Promise<FoundOrder | undefined> {
  const [row] = await db.query<FoundOrder>(
    `select (extract(epoch from received_at) * 1000)::float8 as "receivedAt", story
     from sandbox_orders where merchant_id = $1 and reference = $2`,
    [merchantId, reference],
    'find-order',
  )
  return row
}
