import { EXPECTED_TRANSFERS, GONE } from './archive.ts'
import type { Check } from './check.ts'

/** What must always be true of the books. */
export const LEDGER_CHECKS: readonly Check[] = [
  {
    name: 'every balance equals the sum of its transfers',
    question: `
      with sums as (
        select merchant_id, account, sum(change) as total from (
          select merchant_id, credit as account, amount as change from transfers
          union all
          select merchant_id, debit, -amount from transfers
          union all
          select merchant_id, account, change from archived_sums) each
        group by 1, 2)
      select coalesce(a.merchant_id, s.merchant_id) as merchant,
             coalesce(a.account, s.account) as subject,
             'balance ' || coalesce(a.balance::text, 'missing') || ', transfers give '
               || coalesce(s.total, 0) as finding
      from accounts a full join sums s using (merchant_id, account)
      where coalesce(a.balance, 0) is distinct from coalesce(s.total, 0)
         or a.account is null`,
  },
  {
    name: 'the balances of a merchant and currency add up to zero',
    question: `
      select merchant_id as merchant, currency as subject, 'sum is ' || sum(balance) as finding
      from accounts group by 1, 2 having sum(balance) <> 0`,
  },
  {
    name: 'no wallet or reserve is below zero',
    question: `
      select merchant_id as merchant, account as subject, 'balance ' || balance as finding
      from accounts where type in ('wallet', 'reserve') and balance < 0`,
  },
  {
    name: 'both accounts of a transfer have one currency',
    question: `
      select t.merchant_id as merchant, t.key::text as subject,
             t.debit || ' to ' || t.credit as finding
      from transfers t
      left join accounts d on d.merchant_id = t.merchant_id and d.account = t.debit
      left join accounts c on c.merchant_id = t.merchant_id and c.account = t.credit
      where d.currency is distinct from c.currency or d.currency is null`,
  },
  {
    name: 'the days of each account add up to its balance',
    question: `
      with days as (
        select merchant_id, account, sum(change) as total from account_days group by 1, 2)
      select coalesce(a.merchant_id, d.merchant_id) as merchant,
             coalesce(a.account, d.account) as subject,
             'balance ' || coalesce(a.balance::text, 'missing') || ', days give '
               || coalesce(d.total, 0) as finding
      from accounts a full join days d using (merchant_id, account)
      where coalesce(a.balance, 0) is distinct from coalesce(d.total, 0)`,
  },
  {
    name: 'each payment moved its money as its state says, and only once',
    question: `
      with gone as (${GONE}), expected as (
        select e.* from (${EXPECTED_TRANSFERS}) e
        left join gone g on g.merchant_id = e.merchant_id
        where g.until is null or e.at is null or e.at >= g.until
      ), moved as (
        select t.*, split_part(t.debit, ':', 1) as took, split_part(t.credit, ':', 1) as gave
        from transfers t where t.cause <> 'ADJUSTMENT' and t.cause not like 'CORRECTION%'
      )
      select coalesce(e.merchant_id, p.merchant_id) as merchant,
             coalesce(e.id, p.id)::text as subject,
             coalesce(e.state, p.state) || ': '
               || coalesce(e.cause || ' should move ' || e.amount || ' from ' || e.debit || ' to '
                    || e.credit, 'nothing to move')
               || ', ' || coalesce(m.cause || ' moved ' || m.amount || ' from ' || m.took || ' to '
                    || m.gave, 'nothing moved') as finding
      from expected e
      full join (moved m join payments p on p.merchant_id = m.merchant_id and p.key = m.key)
        on m.merchant_id = e.merchant_id and m.key = e.key and m.cause = e.cause
      where (e.amount, e.debit, e.credit) is distinct from (m.amount, m.took, m.gave)`,
  },
  {
    name: 'the money of each payment moved between its provider and one wallet of its country',
    question: `
      select p.merchant_id as merchant, p.id::text as subject,
             t.debit || ' to ' || t.credit as finding
      from transfers t
      join payments p on p.merchant_id = t.merchant_id and p.key = t.key
      cross join lateral (values (t.debit), (t.credit)) as side (account)
      where t.cause <> 'ADJUSTMENT' and (case split_part(side.account, ':', 1)
        when 'float' then side.account =
          concat_ws(':', 'float', p.provider, p.currency, p.operator_account)
        when 'reserve' then side.account = 'reserve' || substr(p.held_from, 7)
        else side.account = coalesce(p.held_from, side.account)
          and (side.account = 'wallet:' || p.country || ':' || p.currency
            or side.account like 'wallet:' || p.country || ':' || p.currency || ':%') end) is not true`,
  },
  {
    name: 'each reserve holds what its open payments need',
    question: `
      with needed as (
        select merchant_id, 'reserve' || substr(held_from, 7) as account, sum(amount) as total
        from payments where held_from is not null and due_at is not null group by 1, 2)
      select coalesce(a.merchant_id, n.merchant_id) as merchant,
             coalesce(a.account, n.account) as subject,
             'holds ' || coalesce(a.balance::text, 'nothing') || ', open payments need '
               || coalesce(n.total, 0) as finding
      from (select * from accounts where type = 'reserve') a
      full join needed n using (merchant_id, account)
      where coalesce(a.balance, 0) <> coalesce(n.total, 0)`,
  },
]
