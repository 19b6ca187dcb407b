import type { MerchantId, NodeId } from '../../domain/ids.ts'
import { UNHELD } from '../../domain/ids.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import { KIND_OF, OPERATION_OF } from '../../domain/payments/payment-state.ts'
import type { OperationType } from '../../domain/provider.ts'
import { plain } from '../engine/columns.ts'
import type { Db } from '../engine/database.ts'
import { createGroup, type Group } from '../engine/group.ts'

/** A payment that shall wait in line, and the node that holds it until then. */
export type Parking = { readonly payment: Payment; readonly node: NodeId }

/**
 * Puts payments in line until their provider works again. False where it works again by now: the
 * row that says so is locked while we look, so a switch is either seen here, or it comes after us
 * and finds the payment in line. Nothing can be left behind in between.
 */
export function createParkGroup(db: Db): Group<Parking, boolean> {
  return createGroup({ write: (items) => park(db, items), maxItems: 256, maxInFlight: 2 })
}

async function park(db: Db, items: readonly Parking[]): Promise<readonly boolean[]> {
  const sorted = items.toSorted((a, b) => (a.payment.id < b.payment.id ? -1 : 1))
  const rows = await db.query<{ key: string }>(
    `with input as materialized (
       select * from unnest($1::int[], $2::text[], $3::uuid[], $4::text[], $5::text[], $6::int[])
         as i (merchant_id, kind, id, provider, operation, node)
     ), switches as materialized (
       select a.merchant_id, a.provider, a.operation, a.status
       from (select distinct merchant_id, provider, operation from input) i
       join provider_availability a using (merchant_id, provider, operation)
       order by 1, 2, 3 for share of a
     ), health as materialized (
       select h.provider, h.operation, h.decided_by, h.status
       from (select distinct provider, operation from input) i
       join provider_health h using (provider, operation)
       order by 1, 2, 3 for share of h
     ), gate as (
       select i.merchant_id, i.id, i.kind, i.node, coalesce(
         (select s.status from switches s where s.merchant_id = i.merchant_id
            and s.provider = i.provider and s.operation = i.operation and s.status <> 'OPERATIONAL'),
         (select h.status from health h where h.provider = i.provider
            and h.operation = i.operation order by h.decided_by limit 1)) as status
       from input i
     )
     update payments p set holder = ${UNHELD}, due_at = 'infinity'
     from gate g
     where g.status <> 'OPERATIONAL' and p.merchant_id = g.merchant_id and p.kind = g.kind
       and p.id = g.id and p.state = 'ENQUEUED' and p.holder = g.node
     returning p.key`,
    [
      plain(sorted, ({ payment }) => payment.merchantId),
      plain(sorted, ({ payment }) => payment.kind),
      plain(sorted, ({ payment }) => payment.id),
      plain(sorted, ({ payment }) => payment.provider),
      plain(sorted, ({ payment }) => OPERATION_OF[payment.kind]),
      plain(sorted, ({ node }) => node),
    ],
    'park-enqueued',
  )
  const parked = new Set(rows.map((row) => row.key))
  return items.map(({ payment }) => parked.has(payment.key))
}

/**
 * Comes before a change of availability. A reset of the sandbox takes the payments first and the
 * availability then; every statement that needs both takes them in this order, so none waits in a circle.
 */
export async function enterLine(tx: Db): Promise<void> {
  await tx.query('lock table payments in row exclusive mode')
}

/**
 * The provider works again: what waits in line is due, in the order in which it came. Rows are
 * locked in the order of their identifiers, as by everyone.
 */
export async function releaseEnqueued(
  tx: Db,
  line: { readonly merchantId: MerchantId; readonly provider: string; operation: OperationType },
): Promise<void> {
  await tx.query(
    `with waiting as (
       select id from payments
       where merchant_id = $1 and provider = $2 and kind = $3 and due_at = 'infinity'
         and state = 'ENQUEUED'
       order by id for update
     )
     update payments p set due_at = p.created_at
     from waiting w where p.merchant_id = $1 and p.kind = $3 and p.id = w.id`,
    [line.merchantId, line.provider, KIND_OF[line.operation]],
  )
}
