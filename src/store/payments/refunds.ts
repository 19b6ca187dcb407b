import { parseSum } from '../../domain/amount.ts'
import type { Failure } from '../../domain/failure.ts'
import { invariant } from '../../domain/invariant.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import type { PaymentState } from '../../domain/payments/payment-state.ts'
import type { RefundHistory } from '../../domain/payments/refund.ts'
import type { PaymentTrace } from '../../domain/trace.ts'
import { plain } from '../engine/columns.ts'
import type { Database, Db, Recording } from '../engine/database.ts'
import { createGroup, type Group } from '../engine/group.ts'
import { disputeOf } from './cases.ts'
import { type FundsHold, type HoldResult, hold } from './hold.ts'

/** A refund that is decided under the lock of its deposit: nobody else can refund it meanwhile. */
export type RefundRequest = {
  readonly deposit: Payment
  /** What the refund is part of; its deposit may be part of another trace. */
  readonly trace: PaymentTrace | undefined
  /** Without a history the deposit is not there any more: the sandbox can wipe what happened. */
  readonly decide: (history: RefundHistory | undefined) => FundsHold | Failure
  /** Who asked for it: written together with the refund, or not at all. */
  readonly record?: Recording | undefined
}

export type RefundResult = HoldResult | { readonly result: 'REFUSED'; readonly refusal: Failure }

export function createRefundGroup(database: Database): Group<RefundRequest, RefundResult> {
  return createGroup({
    write: (items) =>
      database.inTransaction(async (tx) => {
        const results = await refund(tx, items)
        const isNew = (at: number): boolean => results[at]?.result === 'NEW'
        await recordAll(
          tx,
          items.filter((_, at) => isNew(at)),
        )
        return results
      }),
    maxItems: 64,
    maxInFlight: 2,
    ownerOf: ({ deposit }) => deposit.merchantId,
  })
}

async function refund(tx: Db, items: readonly RefundRequest[]): Promise<readonly RefundResult[]> {
  const [now, later] = oneForEachDeposit(items)
  const histories = await lockHistories(tx, now)
  const decisions = now.map((item) => {
    const decision = item.decide(histories.get(nameOf(item.deposit)))
    return { item, decision }
  })
  const holds = decisions.map((one) => one.decision).filter((one) => 'payment' in one)
  const heldFunds = holds.length === 0 ? [] : await hold(tx, holds)
  const results = new Map<RefundRequest, RefundResult>()
  for (const { item, decision } of decisions) {
    if ('payment' in decision) results.set(item, resultOf(heldFunds, holds.indexOf(decision)))
    else results.set(item, { result: 'REFUSED', refusal: decision })
  }
  // The second request for a deposit sees what became of the first.
  const rest = later.length === 0 ? [] : await refund(tx, later)
  later.forEach((item, at) => {
    const result = rest[at]
    if (result !== undefined) results.set(item, result)
  })
  return items.map((item) => {
    const result = results.get(item)
    invariant(result !== undefined, 'every refund of the group was decided')
    return result
  })
}

/** In one order by every group: each waits for the audit log of its merchant. */
async function recordAll(tx: Db, items: readonly RefundRequest[]): Promise<void> {
  const inOrder = items.toSorted((a, b) => a.deposit.merchantId - b.deposit.merchantId)
  for (const { record } of inOrder) await record?.(tx)
}

function resultOf(results: readonly HoldResult[], at: number): HoldResult {
  const result = results[at]
  invariant(result !== undefined, 'every hold has a result')
  return result
}

const nameOf = ({ merchantId, id }: Payment): string => `${merchantId}/${id}`

function oneForEachDeposit(
  items: readonly RefundRequest[],
): [readonly RefundRequest[], readonly RefundRequest[]] {
  const seen = new Set<string>()
  const now: RefundRequest[] = []
  const later: RefundRequest[] = []
  for (const item of items) {
    const name = nameOf(item.deposit)
    if (seen.has(name)) later.push(item)
    else now.push(item)
    seen.add(name)
  }
  return [now, later]
}

/** Two statements on purpose: the second sees what was committed while the first one waited. */
async function lockHistories(
  tx: Db,
  items: readonly RefundRequest[],
): Promise<ReadonlyMap<string, RefundHistory>> {
  const deposits = [
    plain(items, ({ deposit }) => deposit.merchantId),
    plain(items, ({ deposit }) => deposit.id),
    plain(items, ({ deposit }) => deposit.key),
  ]
  await tx.query(
    `select from unnest($1::int[], $2::uuid[], $3::uuid[]) as i (merchant_id, id, key)
     join payments p on p.merchant_id = i.merchant_id and p.kind = 'deposit' and p.id = i.id
       and p.key = i.key
     order by p.merchant_id, p.id for no key update of p`,
    deposits,
    'lock-deposits',
  )
  type Row = {
    merchant_id: number
    id: string
    refunded: string
    open: boolean
    refund_disputed: boolean
    disputed: boolean
    outcome: PaymentState
  }
  const rows = await tx.query<Row>(
    `select d.merchant_id, d.id, dispute.is_open as disputed,
            coalesce(dispute.outcome, d.state) as outcome,
            coalesce(bool_or(p.due_at is not null), false) as open,
            coalesce(bool_or(doubt.is_open), false) as refund_disputed,
            coalesce(sum(p.amount) filter (
              where coalesce(doubt.outcome, p.state) = 'COMPLETED'), 0)::text as refunded
     from unnest($1::int[], $2::uuid[], $3::uuid[]) as i (merchant_id, id, key)
     join payments d on d.merchant_id = i.merchant_id and d.kind = 'deposit' and d.id = i.id
       and d.key = i.key
     left join payments p on p.merchant_id = d.merchant_id and p.refund_of = d.id
     cross join lateral (${disputeOf('d')}) dispute
     cross join lateral (${disputeOf('p')}) doubt
     group by 1, 2, 3, 4`,
    deposits,
    'refund-histories',
  )
  return new Map(
    rows.map((row) => {
      const refunded = parseSum(row.refunded)
      invariant(refunded !== undefined, `refunds sum up to ${row.refunded}`)
      return [
        `${row.merchant_id}/${row.id}`,
        {
          refunded,
          isUnderWay: row.open,
          isRefundDisputed: row.refund_disputed,
          isDisputed: row.disputed,
          outcome: row.outcome,
        },
      ]
    }),
  )
}
