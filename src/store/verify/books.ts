import { EVENT_STATES, FINAL_STATES, PAYMENT_KINDS } from '../../domain/payments/payment-state.ts'
import type { Db } from '../engine/database.ts'
import { sqlList } from '../engine/sql-list.ts'
import { FLOAT_CHECK } from '../operators/balances.ts'
import { correctionCause } from '../payments/cases.ts'
import { BROKEN_CHAINS } from '../people/audit.ts'
import { SANDBOX_CHECKS } from '../sandbox/checks.ts'
import { ARCHIVE_CHECKS, GONE } from './archive.ts'
import type { Check } from './check.ts'
import { CHECKOUT_CHECKS } from './checkouts.ts'
import { HOURS_CHECK, TERMS_CHECK } from './counted-hours.ts'
import { LEDGER_CHECKS } from './ledger.ts'
import { REFUND_CHECKS } from './refunds.ts'

/** In this order. */
export const CHECKS: readonly Check[] = [
  ...LEDGER_CHECKS,
  ...ARCHIVE_CHECKS,
  ...REFUND_CHECKS,
  FLOAT_CHECK,
  { name: 'nobody changed the audit log', question: BROKEN_CHAINS },
  {
    name: 'each split payment is where its deposit and payouts are',
    question: `
      with parts as (
        select s.merchant_id, s.id, s.state, s.open_parts, s.failed_parts, d.state as deposit,
               jsonb_array_length(s.parts) as wanted, count(p.id) as there,
               count(p.id) filter (where p.due_at is not null) as open,
               count(p.id) filter (where p.state = 'FAILED') as failed,
               count(p.id) filter (where p.state = 'WAITING') as waiting
        from split_payments s
        left join payments d on d.merchant_id = s.merchant_id and d.kind = 'deposit' and d.id = s.id
        left join payments p
          on p.merchant_id = s.merchant_id and p.split_id = s.id and p.kind = 'payout'
        group by s.merchant_id, s.id, d.state
      )
      select merchant_id as merchant, id::text as subject,
             state || ' with a deposit ' || coalesce(deposit, 'missing') || ', ' || there || ' of '
               || wanted || ' payouts, ' || open || ' open, ' || failed || ' failed' as finding
      from parts
      where deposit is null
         or (state = 'FAILED') <> (deposit = 'FAILED')
         or there <> case when deposit = 'FAILED' then 0 else wanted end
         or waiting <> case when deposit in (${sqlList(FINAL_STATES)}) then 0 else wanted end
         or open_parts <> case when deposit = 'FAILED' then 0 else open end
         or failed_parts <> failed
         or (state <> 'OPEN') <> (open_parts = 0)
         or (state = 'COMPLETED' and failed > 0) or (state = 'PAYOUT_FAILED' and failed = 0)`,
  },
  ...CHECKOUT_CHECKS,
  {
    name: 'a case of doubt is open exactly while its payment is in reconciliation',
    question: `
      select coalesce(p.merchant_id, c.merchant_id) as merchant,
             coalesce(p.id, c.payment_id)::text as subject,
             coalesce(p.state, 'missing') || ', case '
               || case when c.payment_key is null then 'missing'
                       when c.closed_at is null then 'open' else 'closed' end as finding
      from (select * from payments where state = 'IN_RECONCILIATION') p
      full join (select * from cases where cause = 'UNKNOWN_OUTCOME' and closed_at is null) c
        on c.merchant_id = p.merchant_id and c.payment_key = p.key
      where p.key is null or c.payment_key is null`,
  },
  {
    name: 'each correction belongs to a case that a person closed with it',
    question: `
      select coalesce(t.merchant_id, c.merchant_id) as merchant,
             coalesce(t.key, c.payment_key)::text as subject,
             case when t.key is null then 'case closed as CORRECTED without a transfer'
                  else 'a correction without a case' end as finding
      from (select * from transfers where cause like 'CORRECTION%') t
      full join (
        select c.*, ${correctionCause('number')} as correction from cases c
        left join (${GONE}) g on g.merchant_id = c.merchant_id
        where resolution = 'CORRECTED' and resolved_by is not null
          and (g.until is null or c.closed_at >= g.until)) c
        on c.merchant_id = t.merchant_id and c.payment_key = t.key and c.correction = t.cause
      where t.key is null or c.payment_key is null`,
  },
  {
    name: 'every transfer of a payment belongs to one that exists, and names it',
    question: `
      select t.merchant_id as merchant, t.key::text as subject, t.cause as finding
      from transfers t
      left join payments p on p.merchant_id = t.merchant_id and p.key = t.key
      where (t.cause <> 'ADJUSTMENT' and p.key is null) or t.payment_id is distinct from p.id`,
  },
  {
    name: 'the time line of each payment ends in its present state',
    question: `
      select p.merchant_id as merchant, p.id::text as subject,
             p.state || ', ' || coalesce('ended at ' || p.ended_at, 'no end')
               || coalesce(', event of ' || e.at, ', no event') as finding
      from payments p
      left join payment_events e
        on e.merchant_id = p.merchant_id and e.payment_key = p.key and e.state = p.state
      where (p.state in (${sqlList(FINAL_STATES)})) <> (p.ended_at is not null)
         or (p.state in (${sqlList(EVENT_STATES)}) and e.state is null)`,
  },
  {
    name: 'no time line leaves out a state on the way',
    question: `
      select p.merchant_id as merchant, p.id::text as subject,
             p.state || ' without ' || case when p.submitted_at is null
               then 'the time when it was sent' else 'the time when it was accepted' end as finding
      from payments p
      left join payment_events e
        on e.merchant_id = p.merchant_id and e.payment_key = p.key and e.state = 'ACCEPTED'
      left join (${GONE}) g on g.merchant_id = p.merchant_id
      where (p.state in ('PROCESSING', 'IN_RECONCILIATION', 'COMPLETED') and p.submitted_at is null)
         or (p.split_id is not null and p.kind = 'payout' and p.state <> 'WAITING'
             and e.state is null and (g.until is null or p.key >= g.first_key))`,
  },
  {
    name: 'no payment was reported with two final states',
    question: `
      select merchant_id as merchant, payment_id::text as subject,
             string_agg(state, ' and ' order by state) as finding
      from callbacks where state in (${sqlList(FINAL_STATES)}) and kind in (${sqlList(PAYMENT_KINDS)})
      group by merchant_id, payment_key, payment_id having count(*) > 1`,
  },
  {
    name: 'every callback reports a state that its subject is in',
    question: `
      select c.merchant_id as merchant, c.payment_id::text as subject,
             'callback for ' || c.state || ', ' || c.kind || ' is '
               || coalesce(p.state, s.state, t.state, o.state, 'missing') as finding
      from callbacks c
      left join payments p on p.merchant_id = c.merchant_id and p.key = c.payment_key
      left join split_payments s on s.merchant_id = c.merchant_id and s.key = c.payment_key
      left join statements t on t.merchant_id = c.merchant_id and t.key = c.payment_key
      left join checkouts o on o.merchant_id = c.merchant_id and o.key = c.payment_key
      left join payment_events e
        on e.merchant_id = c.merchant_id and e.payment_key = c.payment_key and e.state = c.state
        and c.state = 'IN_RECONCILIATION'
      where coalesce(p.state, s.state, t.state, o.state) is distinct from c.state
        and e.state is null and not (c.state = 'PROCESSING' and p.submitted_at is not null)`,
  },
  {
    name: 'every attempt that a callback counts was kept',
    question: `
      select c.merchant_id as merchant, c.payment_id::text as subject,
             c.attempts || ' attempts counted, ' || count(a.attempt) || ' kept' as finding
      from callbacks c
      left join kept_attempts a
        on a.merchant_id = c.merchant_id and a.payment_key = c.payment_key and a.state = c.state
      group by c.merchant_id, c.payment_key, c.state having count(a.attempt) <> c.attempts`,
  },
  HOURS_CHECK,
  TERMS_CHECK,
  ...SANDBOX_CHECKS,
]

export type Finding = {
  readonly merchant: number
  readonly subject: string
  readonly finding: string
}

const FINDINGS_SHOWN = 100

/** All checks of one round see the same moment: `tx` is one repeatable-read transaction. */
export async function beginSnapshot(tx: Db): Promise<void> {
  await tx.query('set transaction isolation level repeatable read, read only')
  // Whole tables are read here; the planner's preference for indexes is for the paths of payments.
  // Row by row, two large tables would take hours where the planner has not counted them yet.
  await tx.query(
    'set local enable_seqscan = on; set local enable_hashjoin = on; ' +
      'set local enable_mergejoin = on; set local enable_nestloop = off',
  )
}

export async function runCheck(tx: Db, check: Check): Promise<readonly Finding[]> {
  // Answered whole before it is cut: knowing the limit, the planner goes for the first rows, and
  // where there are none, that is the slowest way through two large tables.
  return tx.query<Finding>(
    `with findings as materialized (${check.question})
     select * from findings limit ${FINDINGS_SHOWN}`,
  )
}
