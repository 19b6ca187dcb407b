import type { NodeId } from '../../domain/ids.ts'
import type { OperatorIds, Payment } from '../../domain/payments/payment.ts'
import { plain, quoted } from '../engine/columns.ts'
import type { Db } from '../engine/database.ts'
import { createGroup, type Group } from '../engine/group.ts'

/**
 * What is learnt about a payment on its way: what the operator calls it, or that it goes through
 * another account, because nothing has left for the first one.
 */
export type Routing = {
  readonly payment: Payment
  readonly node: NodeId
  readonly ids?: OperatorIds
  readonly to?: { readonly account: string; readonly reference: string }
}

/** Answers false where the node does not hold the payment in this state any more. */
export function createRoutingGroup(db: Db): Group<Routing, boolean> {
  return createGroup({ write: (items) => route(db, items), maxItems: 256, maxInFlight: 1 })
}

async function route(db: Db, items: readonly Routing[]): Promise<readonly boolean[]> {
  // Rows are locked in one order by every group, so groups wait for each other, never in a circle.
  const sorted = items.toSorted((a, b) => (a.payment.id < b.payment.id ? -1 : 1))
  const rows = await db.query<{ key: string }>(
    `update payments p
     set operator_account = coalesce(i.account, p.operator_account),
         provider_reference = coalesce(i.reference, p.provider_reference),
         -- What the first operator called it means nothing to the second.
         operator_ids = case when i.account is not null then i.ids
           else coalesce(p.operator_ids || i.ids, i.ids, p.operator_ids) end
     from unnest($1::int[], $2::text[], $3::uuid[], $4::uuid[], $5::text[], $6::int[], $7::jsonb[],
                 $8::text[], $9::text[])
       as i (merchant_id, kind, id, key, state, node, ids, account, reference)
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
      quoted(sorted, ({ ids }) => ids && JSON.stringify(ids)),
      quoted(sorted, ({ to }) => to?.account),
      quoted(sorted, ({ to }) => to?.reference),
    ],
    'route',
  )
  const done = new Set(rows.map((row) => row.key))
  return items.map(({ payment }) => done.has(payment.key))
}

/** What an operator calls a payment, learnt from its callback by whichever node receives it. */
export async function storeIds(db: Db, payment: Payment, ids: OperatorIds): Promise<void> {
  await db.query(
    `update payments set operator_ids = coalesce(operator_ids || $5::jsonb, $5::jsonb)
     where merchant_id = $1 and kind = $2 and id = $3 and key = $4`,
    [payment.merchantId, payment.kind, payment.id, payment.key, JSON.stringify(ids)],
    'store-operator-ids',
  )
}
