import type { Failure } from '../domain/failure.ts'
import { type NodeId, UNHELD } from '../domain/ids.ts'
import type { AccountName } from '../domain/ledger.ts'
import type { Payment } from '../domain/payment.ts'
import type { PaymentState } from '../domain/payment-state.ts'
import { plain, quoted } from './columns.ts'
import type { Db } from './database.ts'
import { createGroup, type Group } from './group.ts'

/** One transition of one payment, with everything that belongs to it. */
export type Advance = {
  readonly payment: Payment
  readonly to: PaymentState
  readonly at: number
  /** Set where only the node that holds the payment may act: before the operator is asked. */
  readonly fence?: NodeId
  readonly providerReference?: string
  readonly providerTransactionId?: string
  readonly failure?: Failure
  readonly transfer?: { readonly debit: AccountName; readonly credit: AccountName }
  /** The payment is over: nobody has to look at it again. */
  readonly isFinal: boolean
  /** A callback is owed from now on, held by this node. */
  readonly callbackHolder?: NodeId
}

/**
 * The only place that writes a payment's state. A transition is a compare-and-set; its event, its
 * ledger transfer, the balances and the owed callback are part of the same statement, so they
 * happen together or not at all. Answers false where the payment had already left the state.
 */
export function createAdvanceGroup(db: Db): Group<Advance, boolean> {
  return createGroup({
    write: (items) => advance(db, items),
    maxItems: 256,
    maxInFlight: 2,
  })
}

async function advance(db: Db, items: readonly Advance[]): Promise<readonly boolean[]> {
  // Rows are locked in one order by every group, so groups wait for each other, never in a circle.
  const sorted = items.toSorted((a, b) => (a.payment.id < b.payment.id ? -1 : 1))
  const moved = await db.query<{ key: string; state: string }>(
    ADVANCE,
    columnsOf(sorted),
    'advance',
  )
  const done = new Set(moved.map((row) => row.key + row.state))
  // `delete` answers for the first of two equal transitions in one group; the second did nothing.
  return items.map((item) => done.delete(item.payment.key + item.to))
}

function columnsOf(items: readonly Advance[]): unknown[] {
  return [
    plain(items, ({ payment }) => payment.merchantId),
    plain(items, ({ payment }) => payment.kind),
    plain(items, ({ payment }) => payment.id),
    plain(items, ({ payment }) => payment.key),
    plain(items, ({ payment }) => payment.state),
    plain(items, ({ to }) => to),
    plain(items, ({ at }) => at),
    plain(items, ({ fence }) => fence),
    plain(items, ({ isFinal }) => isFinal),
    quoted(items, ({ providerReference }) => providerReference),
    quoted(items, ({ providerTransactionId }) => providerTransactionId),
    plain(items, ({ failure }) => failure?.code),
    quoted(items, ({ failure }) => failure?.message),
    plain(items, ({ transfer }) => transfer?.debit),
    plain(items, ({ transfer }) => transfer?.credit),
    plain(items, ({ payment }) => payment.amount),
    plain(items, ({ callbackHolder }) => callbackHolder),
  ]
}

const ADVANCE = `
with input as materialized (
  select i.*, to_timestamp(at_ms / 1000) as at from unnest(
    $1::int[], $2::text[], $3::uuid[], $4::uuid[], $5::text[], $6::text[], $7::float8[], $8::int[],
    $9::boolean[], $10::text[], $11::text[], $12::text[], $13::text[], $14::text[], $15::text[],
    $16::numeric[], $17::int[])
  as i (merchant_id, kind, id, key, from_state, to_state, at_ms, fence, is_final,
        provider_reference, provider_transaction_id, failure_code, failure_message, debit, credit,
        amount, callback_holder)
), moved as (
  update payments p
  set state = i.to_state,
      holder = case when i.is_final then ${UNHELD} else p.holder end,
      due_at = case when i.is_final then null else p.due_at end,
      submitted_at = case when i.provider_reference is null then p.submitted_at else i.at end,
      provider_reference = coalesce(i.provider_reference, p.provider_reference),
      provider_transaction_id = coalesce(i.provider_transaction_id, p.provider_transaction_id),
      failure_code = i.failure_code,
      failure_message = i.failure_message,
      pre_authorisation_code = case when i.is_final then null else p.pre_authorisation_code end
  from input i
  where p.merchant_id = i.merchant_id and p.kind = i.kind and p.id = i.id and p.key = i.key
    and p.state = i.from_state and (i.fence is null or p.holder = i.fence)
  returning i.*
), line as (
  insert into payment_events (merchant_id, payment_key, state, at)
  select merchant_id, key, to_state, at from moved
), posted as (
  insert into transfers (merchant_id, key, cause, debit, credit, amount, at)
  select merchant_id, key, to_state, debit, credit, amount, at from moved where debit is not null
), changes as (
  select merchant_id, account collate "C" as account, sum(change) as change
  from (
    select merchant_id, debit as account, -amount as change from moved where debit is not null
    union all
    select merchant_id, credit, amount from moved where credit is not null
  ) each
  group by 1, 2
), locked as materialized (
  select a.merchant_id, a.account, c.change
  from changes c join accounts a on a.merchant_id = c.merchant_id and a.account = c.account
  order by 1, 2
  for update of a
), balanced as (
  update accounts a set balance = a.balance + l.change
  from locked l
  where a.merchant_id = l.merchant_id and a.account = l.account
  returning 1
), owed as (
  insert into callbacks
    (merchant_id, payment_key, state, kind, payment_id, created_at, status, holder, due_at,
     round_started_at, tries, attempts, resend)
  select merchant_id, key, to_state, kind, id, at, 'PENDING', callback_holder, at, at, 0, 0, false
  from moved where callback_holder is not null
  on conflict do nothing
)
select key, to_state as state from moved
where ledger_guard((select count(*) from changes), (select count(*) from balanced))`
