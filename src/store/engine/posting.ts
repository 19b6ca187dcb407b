/**
 * The tail of every statement that moves money of payments. It posts what the CTE `postings`
 * (merchant_id, key, payment_id, cause, debit, credit, amount, at) holds: the transfers, the
 * balances of both sides and the sums of the day. All movements of one account become one change of
 * its row, and rows are locked in one order by everyone, so groups wait for each other, never in a
 * circle.
 */
export const POST_TRANSFERS = `
posted as (
  insert into transfers (merchant_id, key, payment_id, cause, debit, credit, amount, at)
  select merchant_id, key, payment_id, cause, debit, credit, amount, at from postings
), by_day as materialized (
  select merchant_id, account, (at at time zone 'UTC')::date as day, sum(change) as change
  from (
    select merchant_id, debit collate "C" as account, -amount as change, at from postings
    union all
    select merchant_id, credit, amount, at from postings) each
  group by 1, 2, 3
), changes as (
  select merchant_id, account, sum(change) as change from by_day group by 1, 2
), locked as materialized (
  select a.merchant_id, a.account, a.balance + c.change as balance
  from changes c join accounts a on a.merchant_id = c.merchant_id and a.account = c.account
  order by 1, 2
  for update of a
), balanced as (
  -- The balance is the one that was locked. The row as this statement first saw it may be older,
  -- and the server checks a new row against its constraints before it notices that.
  update accounts a set balance = l.balance
  from locked l
  where a.merchant_id = l.merchant_id and a.account = l.account
  returning 1
), days as (
  insert into account_days (merchant_id, account, day, change)
  select merchant_id, account, day, change from by_day
  -- Asked first, so that the rows of the accounts are locked before those of their days.
  where (select count(*) from locked) > 0
  order by 1, 2, 3
  on conflict (merchant_id, account, day) do update set change = account_days.change + excluded.change
)`

/**
 * True, or the statement fails: every account that was posted to exists. `ledger_guard` compares the
 * two counts and raises; that no wallet is overdrawn is a constraint of `accounts`
 * (`money_is_never_overdrawn`). Both stand in `schema.sql`.
 */
export const POSTED_WHOLE =
  'ledger_guard((select count(*) from changes), (select count(*) from balanced))'
