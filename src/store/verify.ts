import type { Db } from './database.ts'

/**
 * Checks of what must always be true, each a question whose answers are the violations. They read
 * whole tables, so they run on a snapshot of their own and never on the path of a payment.
 */
export type Check = { readonly name: string; readonly question: string }

export const CHECKS: readonly Check[] = [
  {
    name: 'every balance equals the sum of its transfers',
    question: `
      with sums as (
        select merchant_id, account, sum(change) as total from (
          select merchant_id, credit as account, amount as change from transfers
          union all
          select merchant_id, debit, -amount from transfers) each
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
    name: 'each completed deposit moved its money exactly once',
    question: `
      select p.merchant_id as merchant, p.id::text as subject,
             p.state || ' with ' || count(t.key) || ' transfers of ' || coalesce(sum(t.amount), 0)
               || ' for ' || p.amount as finding
      from payments p
      left join transfers t on t.merchant_id = p.merchant_id and t.key = p.key
      where p.kind = 'deposit'
      group by p.merchant_id, p.kind, p.id
      having coalesce(sum(t.amount), 0) <> case when p.state = 'COMPLETED' then p.amount else 0 end
         or count(t.key) <> case when p.state = 'COMPLETED' then 1 else 0 end`,
  },
  {
    name: 'the money of each deposit went from its provider to a wallet of its country',
    question: `
      select p.merchant_id as merchant, p.id::text as subject,
             t.debit || ' to ' || t.credit as finding
      from transfers t join payments p on p.merchant_id = t.merchant_id and p.key = t.key
      where p.kind = 'deposit'
        and (t.debit <> 'float:' || p.provider || ':' || p.currency
          or t.credit not in ('wallet:' || p.country || ':' || p.currency,
                              'wallet:' || p.country || ':' || p.currency || ':' || p.provider))`,
  },
  {
    name: 'every transfer of a payment belongs to one that exists',
    question: `
      select t.merchant_id as merchant, t.key::text as subject, t.cause as finding
      from transfers t
      left join payments p on p.merchant_id = t.merchant_id and p.key = t.key
      where t.cause <> 'ADJUSTMENT' and p.key is null`,
  },
  {
    name: 'the time line of each payment ends in its present state',
    question: `
      select p.merchant_id as merchant, p.id::text as subject, 'no event for ' || p.state as finding
      from payments p
      left join payment_events e
        on e.merchant_id = p.merchant_id and e.payment_key = p.key and e.state = p.state
      where e.state is null`,
  },
  {
    name: 'no time line leaves out a state on the way',
    question: `
      select p.merchant_id as merchant, p.id::text as subject,
             p.state || ' without ' || way.state as finding
      from payments p
      join (values ('ACCEPTED'), ('PROCESSING')) as way (state)
        on way.state = 'ACCEPTED' or p.state in ('IN_RECONCILIATION', 'COMPLETED')
      left join payment_events e
        on e.merchant_id = p.merchant_id and e.payment_key = p.key and e.state = way.state
      where e.state is null`,
  },
  {
    name: 'no payment has two final states',
    question: `
      select merchant_id as merchant, payment_key::text as subject, 'COMPLETED and FAILED' as finding
      from payment_events where state in ('COMPLETED', 'FAILED')
      group by 1, 2 having count(*) > 1`,
  },
  {
    name: 'every callback tells of a payment in that state',
    question: `
      select c.merchant_id as merchant, c.payment_id::text as subject,
             'callback for ' || c.state || ', payment is ' || coalesce(p.state, 'missing') as finding
      from callbacks c
      left join payments p on p.merchant_id = c.merchant_id and p.key = c.payment_key
      where p.state is distinct from c.state`,
  },
  {
    name: 'the simulated operator has the amount and number of our payment',
    question: `
      select p.merchant_id as merchant, p.id::text as subject,
             'the operator has ' || o.amount || ' ' || o.currency || ', the payment is '
               || p.amount || ' ' || p.currency as finding
      from payments p
      join sandbox_orders o on o.merchant_id = p.merchant_id and o.reference = p.provider_reference
      where (o.amount, o.currency, o.phone_number) is distinct from
            (p.amount, p.currency, p.phone_number)`,
  },
  {
    name: 'the simulated operator was asked at most once for each payment',
    question: `
      select merchant_id as merchant, reference as subject, 'asked ' || asked || ' times' as finding
      from sandbox_orders where asked > 1`,
  },
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
  await tx.query(
    'set local enable_seqscan = on; set local enable_hashjoin = on; set local enable_mergejoin = on',
  )
}

export async function runCheck(tx: Db, check: Check): Promise<readonly Finding[]> {
  return tx.query<Finding>(`${check.question} limit ${FINDINGS_SHOWN}`)
}
