import { DISPUTES, TAKES_FROM_DEPOSIT } from '../payments/cases.ts'
import type { Check } from './check.ts'

/** What must always be true of refunds, also where an operator contradicts itself. */
export const REFUND_CHECKS: readonly Check[] = [
  {
    name: 'no deposit is refunded beyond its amount, or twice at once',
    question: `
      with disputes as (${DISPUTES}), refunds as (
        select p.merchant_id, p.refund_of, p.amount, p.due_at is not null as is_open,
               coalesce(${TAKES_FROM_DEPOSIT}, false) as takes,
               p.due_at is not null or coalesce(d.outcome, p.state) = 'COMPLETED' as counts
        from payments p left join disputes d on d.merchant_id = p.merchant_id and d.key = p.key
        where p.refund_of is not null
      ), sums as (
        select merchant_id, refund_of, coalesce(sum(amount) filter (where counts), 0) as refunded,
               count(*) filter (where is_open) as open, bool_or(takes) as takes
        from refunds group by 1, 2
      )
      select p.merchant_id as merchant, p.id::text as subject,
             s.refunded || ' of ' || p.amount || ' refunded, ' || s.open || ' under way' as finding
      from sums s
      join payments p
        on p.merchant_id = s.merchant_id and p.kind = 'deposit' and p.id = s.refund_of
      left join disputes d on d.merchant_id = p.merchant_id and d.key = p.key
      where s.refunded > p.amount or s.open > 1
         or (p.state <> 'COMPLETED' and d.outcome is null)
         or (d.outcome = 'FAILED' and s.takes)`,
  },
  {
    name: 'no refund began while another one of its deposit was in dispute',
    question: `
      select p.merchant_id as merchant, p.id::text as subject,
             'began while the refund ' || c.payment_id || ' was in dispute' as finding
      from (select * from cases
            where cause = 'CONTRADICTION' and kind = 'refund' and closed_at is null) c
      join payments r on r.merchant_id = c.merchant_id and r.key = c.payment_key
      join payments p on p.merchant_id = r.merchant_id and p.refund_of = r.refund_of
        and p.key <> r.key
      where p.created_at > c.opened_at`,
  },
]
