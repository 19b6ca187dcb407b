import { type MerchantId, type NodeId, type PaymentKey, UNHELD } from '../../domain/ids.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import { FINAL_STATES } from '../../domain/payments/payment-state.ts'
import { mayBeUnderWay, type OwedCallback } from '../callbacks/callbacks.ts'
import { plain, quoted } from '../engine/columns.ts'
import type { Db } from '../engine/database.ts'
import { createGroup, type Group } from '../engine/group.ts'
import { sqlList } from '../engine/sql-list.ts'

/** Where a customer approves a payment, with the callback that reports it. */
export type Authorisation = {
  /** With the address in it, and with what the operator calls it: without that, nobody can ask. */
  readonly payment: Payment
  readonly at: number
  readonly callbackHolder?: NodeId
}

/** Answers false where the address was known already, or the payment has left the state. */
export function createAuthoriseGroup(db: Db): Group<Authorisation, boolean> {
  return createGroup({
    write: (items) => authorise(db, items),
    maxItems: 256,
    maxInFlight: 1,
  })
}

async function authorise(db: Db, items: readonly Authorisation[]): Promise<readonly boolean[]> {
  // Rows are locked in one order by every group, so groups wait for each other, never in a circle.
  const sorted = items.toSorted((a, b) => (a.payment.id < b.payment.id ? -1 : 1))
  const rows = await db.query<{ key: string }>(
    AUTHORISE,
    [
      plain(sorted, ({ payment }) => payment.merchantId),
      plain(sorted, ({ payment }) => payment.kind),
      plain(sorted, ({ payment }) => payment.id),
      plain(sorted, ({ payment }) => payment.key),
      plain(sorted, ({ payment }) => payment.state),
      quoted(sorted, ({ payment }) => payment.authorizationUrl),
      plain(sorted, ({ at }) => at),
      plain(sorted, ({ callbackHolder }) => callbackHolder),
      quoted(sorted, ({ payment: { operatorIds } }) => operatorIds && JSON.stringify(operatorIds)),
    ],
    'authorise',
  )
  const done = new Set(rows.map((row) => row.key))
  return items.map(({ payment }) => done.delete(payment.key))
}

// Of two that learn the address one stores it, and only that one owes the callback.
const AUTHORISE = `
with input as materialized (
  select i.*, to_timestamp(at_ms / 1000) as at from unnest(
    $1::int[], $2::text[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::float8[], $8::int[],
    $9::jsonb[])
  as i (merchant_id, kind, id, key, state, url, at_ms, callback_holder, operator_ids)
), stored as (
  update payments p set authorization_url = i.url,
    operator_ids = coalesce(p.operator_ids || i.operator_ids, i.operator_ids, p.operator_ids)
  from input i
  where p.merchant_id = i.merchant_id and p.kind = i.kind and p.id = i.id and p.key = i.key
    and p.state = i.state and p.authorization_url is null
  returning i.*
), owed as (
  insert into callbacks
    (merchant_id, payment_key, state, kind, payment_id, created_at, status, holder, due_at,
     round_started_at, tries, attempts, resend)
  select merchant_id, key, state, kind, id, at, 'PENDING', callback_holder, at, at, 0, 0, false
  from stored where callback_holder is not null
  on conflict do nothing
)
select key from stored`

/** Whether a callback of this payment that reports another state may be under way elsewhere. */
export async function isHeldElsewhere(
  db: Db,
  { subject, state }: OwedCallback,
  node: NodeId,
  now: number,
): Promise<boolean> {
  const rows = await db.query(
    `select from callbacks c where merchant_id = $1 and payment_key = $2 and state <> $3
       and due_at is not null and holder <> $4
       and ${mayBeUnderWay('c', 'to_timestamp($5::float8 / 1000)')}`,
    [subject.merchantId, subject.key, state, node, now],
  )
  return rows.length > 0
}

/** Whether the end may have been reported, or is being reported by another node at this moment. */
export async function isEndReported(
  db: Db,
  merchantId: MerchantId,
  key: PaymentKey,
  node: NodeId,
): Promise<boolean> {
  const rows = await db.query(
    `select from callbacks
     where merchant_id = $1 and payment_key = $2 and state in (${sqlList(FINAL_STATES)})
       and (attempts > 0 or tries > 0 or (holder <> ${UNHELD} and holder <> $3))`,
    [merchantId, key, node],
  )
  return rows.length > 0
}
