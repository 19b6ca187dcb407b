import type { NodeId } from '../../domain/ids.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import { plain } from '../engine/columns.ts'
import type { Db } from '../engine/database.ts'
import { createGroup, type Group } from '../engine/group.ts'

/** Since when the outcome of a payment is unknown; undefined once its operator answers again. */
export type Doubt = {
  readonly payment: Payment
  readonly node: NodeId
  readonly since: number | undefined
}

/** Answers false where the node does not hold the payment in this state any more. */
export function createDoubtGroup(db: Db): Group<Doubt, boolean> {
  return createGroup({ write: (items) => doubt(db, items), maxItems: 256, maxInFlight: 1 })
}

async function doubt(db: Db, items: readonly Doubt[]): Promise<readonly boolean[]> {
  // Rows are locked in one order by every group, so groups wait for each other, never in a circle.
  const sorted = items.toSorted((a, b) => (a.payment.id < b.payment.id ? -1 : 1))
  const rows = await db.query<{ key: string }>(
    `update payments p set unknown_since = to_timestamp(i.since_ms / 1000)
     from unnest($1::int[], $2::text[], $3::uuid[], $4::uuid[], $5::text[], $6::int[], $7::float8[])
       as i (merchant_id, kind, id, key, state, node, since_ms)
     where p.merchant_id = i.merchant_id and p.kind = i.kind and p.id = i.id and p.key = i.key
       and p.state = i.state and p.holder = i.node
     returning p.key`,
    [
      plain(sorted, ({ payment }) => payment.merchantId),
      plain(sorted, ({ payment }) => payment.kind),
      plain(sorted, ({ payment }) => payment.id),
      plain(sorted, ({ payment }) => payment.key),
      plain(sorted, ({ payment }) => payment.state),
      plain(sorted, ({ node }) => node),
      plain(sorted, ({ since }) => since),
    ],
    'doubt',
  )
  const done = new Set(rows.map((row) => row.key))
  return items.map(({ payment }) => done.has(payment.key))
}
