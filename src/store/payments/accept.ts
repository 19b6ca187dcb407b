import type { NodeId } from '../../domain/ids.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import { objects, plain, quoted } from '../engine/columns.ts'
import type { Db } from '../engine/database.ts'
import { createGroup, type Group } from '../engine/group.ts'
import { createRecent } from '../engine/recent.ts'

/** A payment to be stored, already held by the node that goes on with it (or by none). */
export type Acceptance = { readonly payment: Payment; readonly holder: NodeId }

/** `createdAt` is that of the payment that exists now, whichever request stored it. */
type Accepted = { readonly isNew: boolean; readonly createdAt: number }

/**
 * `forget` drops what is remembered: payments that were accepted can be gone, wiped in the sandbox or
 * lost with the database server that had them.
 */
export type AcceptGroup = Group<Acceptance, Accepted> & { forget(): void }

const REMEMBERED = 20_000

/**
 * What was accepted a moment ago is remembered, because most repeats come soon: they are answered
 * without the database, unless it may be another one by now (`isSure`).
 */
export function createAcceptGroup(
  db: Db,
  onWritten: (size: number) => void,
  isSure: () => boolean,
): AcceptGroup {
  let recent = createRecent<number>(REMEMBERED)
  const group = createGroup<Acceptance, Accepted>({
    write: (items) => accept(db, items),
    maxItems: 256,
    maxInFlight: 2,
    ownerOf: ({ payment }) => payment.merchantId,
    onWritten,
  })
  return {
    ...group,
    forget: () => {
      recent = createRecent(REMEMBERED)
    },
    add: async (item) => {
      const name = identity(item.payment)
      // What was written before something was forgotten must not be remembered after it.
      const remembered = recent
      const earlier = isSure() ? remembered.get(name) : undefined
      if (earlier !== undefined) return { isNew: false, createdAt: earlier }
      const accepted = await group.add(item)
      remembered.set(name, accepted.createdAt)
      return accepted
    },
  }
}

/** The primary key is the idempotency: of simultaneous requests with one id, one row is made. */
async function accept(db: Db, items: readonly Acceptance[]): Promise<readonly Accepted[]> {
  // Rows are made in one order by every group, so groups wait for each other, never in a circle.
  const sorted = items.toSorted((a, b) => (a.payment.id < b.payment.id ? -1 : 1))
  const [inserted] = await db.query<{ keys: readonly string[] | null }>(
    INSERT,
    [...columnsOf(sorted), items.length],
    'accept',
  )
  if (inserted?.keys === null) return items.map(asNew)
  const keys = new Set(inserted?.keys)
  const repeats = items.filter((item) => !keys.has(item.payment.key))
  const stored = await findStored(db, repeats)
  return items.map((item) => {
    const { key, createdAt } = item.payment
    if (keys.has(key)) return asNew(item)
    const found = stored.get(identity(item.payment))
    // Under its own key: this very item was written by a try that failed later on.
    return { isNew: found?.key === key, createdAt: found?.createdAt ?? createdAt }
  })
}

const asNew = (item: Acceptance): Accepted => ({ isNew: true, createdAt: item.payment.createdAt })
const identity = ({ merchantId, kind, id }: Payment): string => `${merchantId}/${kind}/${id}`

type Stored = { readonly key: string; readonly createdAt: number }

/** A second statement on purpose: it sees rows that were committed while the first one ran. */
async function findStored(
  db: Db,
  items: readonly Acceptance[],
): Promise<ReadonlyMap<string, Stored>> {
  type Row = { merchant_id: number; kind: string; id: string; key: string; created_ms: number }
  const rows = await db.query<Row>(
    FIND_STORED,
    [
      plain(items, ({ payment }) => payment.merchantId),
      plain(items, ({ payment }) => payment.kind),
      plain(items, ({ payment }) => payment.id),
    ],
    'accept-find',
  )
  return new Map(
    rows.map((row) => [
      `${row.merchant_id}/${row.kind}/${row.id}`,
      { key: row.key, createdAt: Math.round(row.created_ms) },
    ]),
  )
}

function columnsOf(items: readonly Acceptance[]): unknown[] {
  return [
    plain(items, ({ payment }) => payment.merchantId),
    plain(items, ({ payment }) => payment.kind),
    plain(items, ({ payment }) => payment.id),
    quoted(items, ({ payment }) =>
      payment.idAsSent === payment.id ? undefined : payment.idAsSent,
    ),
    plain(items, ({ payment }) => payment.key),
    plain(items, ({ payment }) => payment.generation),
    plain(items, ({ payment }) => payment.createdAt),
    plain(items, ({ payment }) => payment.amount),
    plain(items, ({ payment }) => payment.currency),
    plain(items, ({ payment }) => payment.country),
    plain(items, ({ payment }) => payment.provider),
    plain(items, ({ payment }) => payment.phoneNumber),
    quoted(items, ({ payment }) => payment.details.preAuthorisationCode),
    plain(items, ({ holder }) => holder),
    quoted(items, ({ payment }) => payment.providerReference),
    objects(items, ({ payment }) => storedDetails(payment)),
  ]
}

/** The one-time code has a column of its own: it is removed when the payment ends. */
function storedDetails({ details }: Payment): object {
  if (details.preAuthorisationCode === undefined) return details
  const { preAuthorisationCode: _, ...rest } = details
  return rest
}

const INSERT = `
with input as (
  select * from rows from (
    unnest($1::int[], $2::text[], $3::uuid[], $4::text[], $5::uuid[], $6::text[], $7::float8[],
      $8::numeric[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[], $14::int[],
      $15::text[]),
    jsonb_array_elements($16::jsonb))
  as i (merchant_id, kind, id, id_as_sent, key, generation, created_ms, amount, currency, country,
        provider, phone_number, pre_authorisation_code, holder, provider_reference, details)
), inserted as (
  insert into payments
    (merchant_id, kind, id, id_as_sent, key, generation, created_at, amount, currency, country,
     provider, phone_number, pre_authorisation_code, details, state, holder, due_at,
     provider_reference)
  select merchant_id, kind, id, id_as_sent, key, generation, to_timestamp(created_ms / 1000), amount,
         currency, country, provider, phone_number, pre_authorisation_code, details, 'ACCEPTED',
         holder, to_timestamp(created_ms / 1000), provider_reference
  from input
  on conflict (merchant_id, kind, id) do nothing
  returning key
)
-- Nothing to distinguish when all of them are new.
select case when count(*) < $17::int then coalesce(array_agg(key::text), '{}') end as keys
from inserted`

const FIND_STORED = `
select p.merchant_id, p.kind, p.id, p.key,
       (extract(epoch from p.created_at) * 1000)::float8 as created_ms
from unnest($1::int[], $2::text[], $3::uuid[]) as i (merchant_id, kind, id)
join payments p using (merchant_id, kind, id)`
