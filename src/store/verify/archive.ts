import { keyOf } from '../payments/hours.ts'
import type { Check } from './check.ts'

/** Up to when rows of each merchant were archived and removed, as a part of a question. */
export const GONE = `
  select merchant_id, max(removed_before) as until, ${keyOf('max(removed_before)')} as first_key
  from archived_years group by 1`

/**
 * The transfers that payments call for by their state, with the moment of each. Money is held when a
 * payment is accepted; for a payout of a split payment that is right after its deposit was completed.
 */
export const EXPECTED_TRANSFERS = `
  select p.merchant_id, p.id, p.key, p.state, p.amount, p.provider, p.currency, p.country,
         p.operator_account, p.held_from, e.cause, e.debit, e.credit,
         case when e.cause <> 'ACCEPTED' then p.ended_at
              when p.split_id is not null then d.ended_at + interval '1 microsecond'
              else p.created_at end as at
  from payments p
  cross join lateral (values
    ('deposit', 'COMPLETED', 'float', 'wallet'),
    ('out', 'ACCEPTED', 'wallet', 'reserve'),
    ('out', 'COMPLETED', 'reserve', 'float'),
    ('out', 'FAILED', 'reserve', 'wallet')) as e (kind, cause, debit, credit)
  left join (select * from payments where kind = 'deposit' and split_id is not null) d
    on d.merchant_id = p.merchant_id and d.id = p.split_id
  where case when p.kind = 'deposit' then e.kind = 'deposit'
             else e.kind = 'out' and p.held_from is not null end
    and (e.cause = p.state or e.cause = 'ACCEPTED')`

/** The wallet of a deposit is known by its transfer alone, so all of a country count together. */
const groupOf = (account: string): string =>
  `case when ${account} like 'wallet:%' then
     concat_ws(':', 'wallet', split_part(${account}, ':', 2), split_part(${account}, ':', 3))
   else ${account} end`

const sideOf = (side: string): string =>
  `case e.${side} when 'float' then concat_ws(':', 'float', e.provider, e.currency, e.operator_account)
     when 'reserve' then 'reserve' || substr(e.held_from, 7)
     else concat_ws(':', 'wallet', e.country, e.currency) end`

/** What must be true of the years that were archived. */
export const ARCHIVE_CHECKS: readonly Check[] = [
  {
    name: 'what was archived of each year is what its payments call for',
    question: `
      with gone as (${GONE}), expected as (
        select e.*, extract(year from e.at at time zone 'UTC')::int as year
        from (${EXPECTED_TRANSFERS}) e join gone g on g.merchant_id = e.merchant_id
        where e.at < g.until
      ), wanted as (
        select merchant_id, account, year, count(*) as transfers, sum(change) as change,
               sum(abs(change)) as turnover
        from (
          select e.merchant_id, ${sideOf('debit')} as account, e.year, -e.amount as change
          from expected e
          union all
          select e.merchant_id, ${sideOf('credit')}, e.year, e.amount from expected e) each
        group by 1, 2, 3
      ), archived as (
        select merchant_id, ${groupOf('account')} as account, year,
               sum(transfers - by_hand) as transfers, sum(change - changed_by_hand) as change,
               sum(turnover - turned_by_hand) as turnover
        from archived_sums group by 1, 2, 3
      )
      select coalesce(a.merchant_id, w.merchant_id) as merchant,
             coalesce(a.account, w.account) || ' in ' || coalesce(a.year, w.year) as subject,
             'archived ' || coalesce(a.transfers, 0) || ' transfers that moved '
               || coalesce(a.turnover, 0) || ' and gave ' || coalesce(a.change, 0)
               || ', payments call for ' || coalesce(w.transfers, 0) || ', '
               || coalesce(w.turnover, 0) || ' and ' || coalesce(w.change, 0) as finding
      from archived a full join wanted w
        on w.merchant_id = a.merchant_id and w.account = a.account and w.year = a.year
      where coalesce(a.transfers, 0) <> coalesce(w.transfers, 0)
         or coalesce(a.change, 0) <> coalesce(w.change, 0)
         or coalesce(a.turnover, 0) <> coalesce(w.turnover, 0)`,
  },
  {
    name: 'every archived transfer is counted on both its sides',
    question: `
      select coalesce(y.merchant_id, s.merchant_id) as merchant,
             coalesce(y.year, s.year)::text as subject,
             coalesce(y.transfers, 0) || ' transfers removed, accounts have '
               || coalesce(s.sides, 0) || ' sides that come to ' || coalesce(s.change, 0) as finding
      from archived_years y
      full join (
        select merchant_id, year, sum(transfers) as sides, sum(change) as change
        from archived_sums group by 1, 2) s
        on s.merchant_id = y.merchant_id and s.year = y.year
      where coalesce(y.transfers, 0) * 2 <> coalesce(s.sides, 0) or coalesce(s.change, 0) <> 0`,
  },
  {
    name: 'nothing is left, or came back, of what was archived',
    question: `
      with gone as (${GONE})
      select t.merchant_id as merchant, t.key::text as subject, 'transfer ' || t.cause as finding
      from transfers t join gone g on g.merchant_id = t.merchant_id where t.at < g.until
      union all
      select e.merchant_id, e.payment_key::text, 'event ' || e.state
      from payment_events e join gone g on g.merchant_id = e.merchant_id
      where e.payment_key < g.first_key
      union all
      select c.merchant_id, c.payment_key::text, 'callback ' || c.state
      from callbacks c join gone g on g.merchant_id = c.merchant_id
      where c.payment_key < g.first_key`,
  },
]
