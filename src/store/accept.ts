import type { NodeId } from '../domain/ids.ts'
import type { Payment } from '../domain/payment.ts'
import type { Db } from './database.ts'
import { createGroup, type Group } from './group.ts'

/** A payment to be stored, already held by the node that goes on with it (or by none). */
export type Acceptance = { readonly payment: Payment; readonly holder: NodeId }

/** `createdAt` is that of the payment that exists now, whoever stored it. */
export type Accepted = { readonly isNew: boolean; readonly createdAt: number }

export function createAcceptGroup(
  db: Db,
  onWritten: (size: number) => void,
): Group<Acceptance, Accepted> {
  return createGroup({
    write: (items) => accept(db, items),
    maxItems: 256,
    maxInFlight: 2,
    onWritten,
  })
}

/** The primary key is the idempotency: of simultaneous requests with one id, one row is made. */
async function accept(db: Db, items: readonly Acceptance[]): Promise<readonly Accepted[]> {
  const inserted = await db.query<{ key: string }>(INSERT, columnsOf(items), 'accept')
  const keys = inserted.length === items.length ? undefined : new Set(inserted.map(keyOf))
  if (keys === undefined) return items.map(asNew)
  const repeats = items.filter((item) => !keys.has(item.payment.key))
  const earlier = await findCreated(db, repeats)
  return items.map((item) => {
    if (keys.has(item.payment.key)) return asNew(item)
    const createdAt = earlier.get(identity(item.payment))
    return { isNew: false, createdAt: createdAt ?? item.payment.createdAt }
  })
}

const keyOf = (row: { key: string }): string => row.key
const asNew = (item: Acceptance): Accepted => ({ isNew: true, createdAt: item.payment.createdAt })
const identity = ({ merchantId, kind, id }: Payment): string => `${merchantId}/${kind}/${id}`

/** A second statement on purpose: it sees rows that were committed while the first one ran. */
async function findCreated(
  db: Db,
  items: readonly Acceptance[],
): Promise<ReadonlyMap<string, number>> {
  type Row = { merchant_id: number; kind: string; id: string; created_ms: number }
  const rows = await db.query<Row>(
    FIND_CREATED,
    [
      items.map((item) => item.payment.merchantId),
      items.map((item) => item.payment.kind),
      items.map((item) => item.payment.id),
    ],
    'accept-find',
  )
  return new Map(
    rows.map((row) => [`${row.merchant_id}/${row.kind}/${row.id}`, Math.round(row.created_ms)]),
  )
}

function columnsOf(items: readonly Acceptance[]): unknown[] {
  const payments = items.map((item) => item.payment)
  return [
    payments.map((one) => one.merchantId),
    payments.map((one) => one.kind),
    payments.map((one) => one.id),
    payments.map((one) => (one.idAsSent === one.id ? null : one.idAsSent)),
    payments.map((one) => one.key),
    payments.map((one) => one.generation),
    payments.map((one) => one.createdAt),
    payments.map((one) => one.amount),
    payments.map((one) => one.currency),
    payments.map((one) => one.country),
    payments.map((one) => one.provider),
    payments.map((one) => one.phoneNumber),
    payments.map((one) => one.details.preAuthorisationCode ?? null),
    payments.map(detailsOf),
    items.map((item) => item.holder),
  ]
}

/** The one-time code has a column of its own: it is removed when the payment ends. */
function detailsOf(payment: Payment): string {
  const { preAuthorisationCode: _, ...details } = payment.details
  return JSON.stringify(details)
}

const INSERT = `
with input as (
  select * from unnest(
    $1::int[], $2::text[], $3::uuid[], $4::text[], $5::uuid[], $6::text[], $7::float8[],
    $8::numeric[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::jsonb[],
    $15::int[])
  as i (merchant_id, kind, id, id_as_sent, key, generation, created_ms, amount, currency, country,
        provider, phone_number, pre_authorisation_code, details, holder)
), inserted as (
  insert into payments
    (merchant_id, kind, id, id_as_sent, key, generation, created_at, amount, currency, country,
     provider, phone_number, pre_authorisation_code, details, state, holder, due_at)
  select merchant_id, kind, id, id_as_sent, key, generation, to_timestamp(created_ms / 1000), amount,
         currency, country, provider, phone_number, pre_authorisation_code, details, 'ACCEPTED',
         holder, to_timestamp(created_ms / 1000)
  from input
  on conflict (merchant_id, kind, id) do nothing
  returning merchant_id, key, created_at
), line as (
  insert into payment_events (merchant_id, payment_key, state, at)
  select merchant_id, key, 'ACCEPTED', created_at from inserted
)
select key from inserted`

const FIND_CREATED = `
select p.merchant_id, p.kind, p.id,
       (extract(epoch from p.created_at) * 1000)::float8 as created_ms
from unnest($1::int[], $2::text[], $3::uuid[]) as i (merchant_id, kind, id)
join payments p using (merchant_id, kind, id)`
