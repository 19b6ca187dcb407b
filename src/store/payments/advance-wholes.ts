/**
 * What a transition means beyond its payment: parts of the statement in `advance.ts`, each a CTE or the
 * rows of one. A group of payments that belong to nothing else goes without them.
 */
import { ATTEMPTS_MAX, CHECKOUT_MACHINE } from '../../domain/hosted/checkout.ts'
import { UNHELD } from '../../domain/ids.ts'
import { EVENT_STATES, nextState } from '../../domain/payments/payment-state.ts'
import { SPLIT_MACHINE } from '../../domain/payments/split-payment.ts'
import { sqlList } from '../engine/sql-list.ts'

/** The ways on from where a split payment is open, an attempt of a checkout runs, a payout waits. */
const { OPEN } = SPLIT_MACHINE
const ATTEMPT_RUNS: keyof typeof CHECKOUT_MACHINE = 'PROCESSING'
const { [ATTEMPT_RUNS]: TRIED } = CHECKOUT_MACHINE
const BEGUN = nextState('payout', 'WAITING', 'begin')

/**
 * The payouts of split payments whose deposit has come to this state. They are looked up for each deposit
 * ("offset 0"), as the planner would compare all payments of all split payments as long as it knows of none.
 */
const partsWaiting = (depositState: string): string => `(
  select m.at, m.credit, c.merchant_id, c.kind, c.id, c.key from moved m cross join lateral (
    select merchant_id, kind, id, key from payments
    where merchant_id = m.merchant_id and split_id = m.split_id and state = 'WAITING' offset 0) c
  where m.split_id is not null and m.kind = 'deposit' and m.to_state = '${depositState}')`

const IS_PART = `c.merchant_id = m.merchant_id and c.kind = m.kind and c.id = m.id and c.key = m.key
    and c.state = 'WAITING'`

/**
 * Payouts of a split payment begin with the completion of its deposit: the money that has just come
 * in is held for them at once, so nothing else can take it. A deposit that fails lets go of them.
 */
export const SPLIT_PARTS = `
begun as (
  update payments c set state = '${BEGUN}', due_at = m.at, held_from = m.credit
  from ${partsWaiting('COMPLETED')} m
  where ${IS_PART}
  -- A moment after the deposit, so that every list shows the money come in before it goes out.
  returning c.merchant_id, c.key, c.id, c.amount, c.held_from,
    m.at + interval '1 microsecond' as at
), dropped as (
  delete from payments c using ${partsWaiting('FAILED')} m
  where ${IS_PART}
)`

/** The last payout to end, or the deposit that failed, ends the split payment: its row decides. */
export const SPLIT_END = `
ends as (
  select merchant_id, split_id, max(at) as at, bool_or(kind = 'deposit') as is_lost,
         count(*) as ended, count(*) filter (where to_state = 'FAILED') as failed,
         bool_or(notifies_whole) as is_owed
  from moved
  where split_id is not null and is_final and (kind <> 'deposit' or to_state = 'FAILED')
  group by 1, 2 order by 1, 2
), split as (
  update split_payments s
  set open_parts = case when e.is_lost then 0 else s.open_parts - e.ended end,
      failed_parts = s.failed_parts + case when e.is_lost then 0 else e.failed end,
      state = case when e.is_lost then '${OPEN.depositFails}'
                   when s.open_parts > e.ended then '${OPEN.part}'
                   when s.failed_parts + e.failed > 0 then '${OPEN.lastPartOfSomeFailed}'
                   else '${OPEN.lastPart}' end
  from ends e
  -- Asked first, so that accounts are locked before split payments, by everyone.
  where (select count(*) from balanced) >= 0
    and s.merchant_id = e.merchant_id and s.id = e.split_id
  returning s.merchant_id, s.id, s.key, s.state, e.at, e.is_owed
)`

/** Only what the row of the payment cannot say: see `payment_timeline` in `schema.sql`. */
export const EVENTS = `
line as (
  insert into payment_events (merchant_id, payment_key, state, at)
  select merchant_id, key, to_state, at from moved where to_state in (${sqlList(EVENT_STATES)})
  union all select merchant_id, key, '${BEGUN}', at from begun
  -- A payout may come into the line more than once: the last time is kept.
  on conflict (merchant_id, payment_key, state) do update set at = excluded.at
)`

export const HOLDS_OF_BEGUN = `
  select merchant_id, key, id, '${BEGUN}', held_from, 'reserve' || substr(held_from, 7), amount, at
  from begun`

export const CALLBACKS_OF_SPLITS = `
  select merchant_id, key, state, 'splitPayment', id, at, 'PENDING', ${UNHELD}, at, at, 0, 0, false
  from split where is_owed and state <> '${OPEN.part}'`

/**
 * An attempt that ends decides about its checkout, whose row is read as it is once it is locked: an
 * expiry may have been asked for meanwhile, or an earlier attempt turned out to be paid.
 */
export const CHECKOUT_END = `
checkout_ends as materialized (
  select c.merchant_id, c.id, c.key, c.expires_at, m.at, m.notifies_whole as is_owed,
         case when m.to_state = 'COMPLETED' then '${TRIED.complete}'
              when c.paid_attempt is not null then '${TRIED.complete}'
              when c.on_hold then '${TRIED.retry}'
              when c.expiry_asked_at is not null or c.expires_at <= m.at then '${TRIED.expire}'
              when c.attempts >= ${ATTEMPTS_MAX} then '${TRIED.exhaust}'
              else '${TRIED.retry}' end as state
  from moved m
  join checkouts c on c.merchant_id = m.merchant_id and c.id = m.checkout_id
  -- Asked first, so that accounts and split payments are locked before checkouts, by everyone.
  where m.is_final and (select count(*) from balanced) + (select count(*) from split) >= 0
    and c.state = '${ATTEMPT_RUNS}'
  order by c.merchant_id, c.id
  for update of c
), checkout as (
  update checkouts c
  set state = f.state,
      due_at = case when f.state = '${TRIED.retry}' then f.expires_at end,
      ended_at = case when f.state <> '${TRIED.retry}' then f.at end
  from checkout_ends f
  where c.merchant_id = f.merchant_id and c.id = f.id
  returning c.merchant_id, c.id, c.key, c.state, f.at, f.is_owed
)`

export const CALLBACKS_OF_CHECKOUTS = `
  select merchant_id, key, state, 'checkout', id, at, 'PENDING', ${UNHELD}, at, at, 0, 0, false
  from checkout where is_owed and state <> '${TRIED.retry}'`

/** While nobody knows the outcome there is a case; the answer that comes at last closes it. */
export const CASES = `
doubted as (
  insert into cases (merchant_id, payment_key, cause, kind, payment_id, opened_at)
  select merchant_id, key, 'UNKNOWN_OUTCOME', kind, id, at from moved
  where to_state = 'IN_RECONCILIATION'
), cleared as (
  update cases c set closed_at = m.at, resolution = m.to_state, resolved_by = 'provider'
  from moved m
  where m.from_state = 'IN_RECONCILIATION' and c.merchant_id = m.merchant_id
    and c.payment_key = m.key and c.cause = 'UNKNOWN_OUTCOME'
)`
