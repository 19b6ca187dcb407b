import type { MerchantId, NodeId, PaymentId } from '../../domain/ids.ts'
import { UNHELD } from '../../domain/ids.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import { FINAL_STATES, type PaymentKind } from '../../domain/payments/payment-state.ts'
import { LINEAGE } from '../cluster/lineage.ts'
import type { Db } from '../engine/database.ts'
import { sqlList } from '../engine/sql-list.ts'
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from './payment-rows.ts'

/** Finding payments, and who holds them. Their states are written by `advance.ts` alone. */
export async function findPayment(
  db: Db,
  merchantId: MerchantId,
  kind: PaymentKind,
  id: PaymentId,
): Promise<Payment | undefined> {
  const rows = await db.query<PaymentRow>(
    `select ${PAYMENT_COLUMNS} from payments p where merchant_id = $1 and kind = $2 and id = $3`,
    [merchantId, kind, id],
    'find-payment',
  )
  return rows[0] === undefined ? undefined : toPayment(rows[0])
}

/** The payment that was sent through an account under this reference. */
export async function findAtOperator(
  db: Db,
  account: string,
  reference: string,
): Promise<Payment | undefined> {
  const rows = await db.query<PaymentRow>(
    `select ${PAYMENT_COLUMNS} from payments p
     where operator_account = $1 and provider_reference = $2`,
    [account, reference],
    'find-at-operator',
  )
  return rows[0] === undefined ? undefined : toPayment(rows[0])
}

/**
 * Takes payments that are due and that no node holds; two nodes never get the same one. None where the
 * data are elsewhere than the node knows: what is due there may have been sent.
 */
export async function claimPayments(
  db: Db,
  node: NodeId,
  lineage: string,
  now: number,
  limit: number,
): Promise<readonly Payment[]> {
  const rows = await db.query<PaymentRow>(
    `with due as (
       select merchant_id, kind, id from payments
       where holder = ${UNHELD} and due_at <= to_timestamp($2::float8 / 1000)
         and ${LINEAGE} = $4
       order by due_at limit $3 for update skip locked
     )
     update payments p set holder = $1 from due
     where p.merchant_id = due.merchant_id and p.kind = due.kind and p.id = due.id
     returning ${PAYMENT_COLUMNS}`,
    [node, now, limit, lineage],
    'claim-payments',
  )
  return rows.map(toPayment)
}

/** `isUnsent`: it has not been sent for sure, so the next node need not look it up. */
export type Release = {
  readonly payment: Payment
  readonly dueAt: number
  readonly isUnsent: boolean
}

/** Gives payments back: at shutdown, or because nothing is due for longer than memory is cheap. */
export async function releasePayments(
  db: Db,
  node: NodeId,
  items: readonly Release[],
): Promise<void> {
  await db.query(
    `update payments p set holder = ${UNHELD}, due_at = to_timestamp(i.due_ms / 1000),
       provider_reference =
         case when i.is_unsent and p.state = 'ACCEPTED' then null else p.provider_reference end
     from unnest($2::int[], $3::text[], $4::uuid[], $5::uuid[], $6::float8[], $7::boolean[])
       as i (merchant_id, kind, id, key, due_ms, is_unsent)
     where p.merchant_id = i.merchant_id and p.kind = i.kind and p.id = i.id and p.key = i.key
       and p.holder = $1 and p.state not in (${sqlList(FINAL_STATES)})`,
    [
      node,
      items.map((item) => item.payment.merchantId),
      items.map((item) => item.payment.kind),
      items.map((item) => item.payment.id),
      items.map((item) => item.payment.key),
      items.map((item) => item.dueAt),
      items.map((item) => item.isUnsent),
    ],
    'release-payments',
  )
}

/** Whether the node still holds it, asked right before something that cannot be undone. */
export async function isHeldBy(db: Db, payment: Payment, node: NodeId): Promise<boolean> {
  const rows = await db.query(
    `select from payments where merchant_id = $1 and kind = $2 and id = $3 and key = $4
       and holder = $5 and state = $6 and operator_account is not distinct from $7
       and provider_reference is not distinct from $8`,
    [
      ...[payment.merchantId, payment.kind, payment.id, payment.key, node, payment.state],
      ...[payment.operatorAccount ?? null, payment.providerReference ?? null],
    ],
    'is-held-by',
  )
  return rows.length === 1
}
