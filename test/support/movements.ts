import type { Database } from '../../src/store/engine/database.ts'

/**
 * Many movements of the first merchant's wallet of Zambia, written straight into the books: half of
 * them deposits with all that a merchant may say, half adjustments, in and out. They lie some
 * seconds apart and end about now, and the books are in order afterwards.
 */
export async function writeMovements(database: Database, count: number): Promise<void> {
  await database.inLongTransaction(async (tx) => {
    await tx.query('set local enable_seqscan = on; set local enable_hashjoin = on')
    await tx.query(
      `create temporary table made on commit drop as
       select n, gen_random_uuid() as id, gen_random_uuid() as key, n % 2 = 0 as is_deposit,
              (n % 97 + 0.25)::numeric as amount, now() - ($1::int - n) * interval '8 seconds' as at
       from generate_series(1, $1::int) n`,
      [count],
    )
    await tx.query(
      `insert into payments (merchant_id, kind, id, key, generation, created_at, amount, currency,
         country, provider, phone_number, details, state, holder, provider_transaction_id,
         submitted_at, ended_at)
       select 1, 'deposit', id, key, 'v2', at - interval '2 seconds', amount, 'ZMW', 'ZMB',
              'MTN_MOMO_ZMB', '260763456789',
              jsonb_build_object('customerMessage', 'Order ' || n, 'clientReferenceId', 'INV-' || n,
                'metadata', jsonb_build_array(
                  jsonb_build_object('name', 'note', 'value', 'a "word", ' || n, 'pii', false),
                  jsonb_build_object('name', 'who', 'value', 'x' || n, 'pii', true))),
              'COMPLETED', 0, 'SBX' || n, at, at
       from made where is_deposit`,
    )
    await tx.query(
      `insert into transfers (merchant_id, key, payment_id, cause, debit, credit, amount, at)
       select 1, key, case when is_deposit then id end,
              case when is_deposit then 'COMPLETED' else 'ADJUSTMENT' end,
              case when is_deposit then 'float:MTN_MOMO_ZMB:ZMW'
                   when n % 4 = 1 then 'adjustment:ZMW' else 'wallet:ZMB:ZMW' end,
              case when not is_deposit and n % 4 = 3 then 'adjustment:ZMW'
                   else 'wallet:ZMB:ZMW' end,
              amount, at
       from made`,
    )
    await tx.query(
      `create temporary table moved on commit drop as
       select account, (at at time zone 'UTC')::date as day, sum(change) as change from (
         select debit as account, -amount as change, at from transfers where merchant_id = 1
         union all
         select credit, amount, at from transfers where merchant_id = 1) each
       group by 1, 2`,
    )
    await tx.query(
      `insert into account_days (merchant_id, account, day, change)
       select 1, account, day, change from moved
       on conflict (merchant_id, account, day) do update set change = excluded.change`,
    )
    await tx.query(
      `update accounts a set balance = m.total
       from (select account, sum(change) as total from moved group by 1) m
       where a.merchant_id = 1 and a.account = m.account`,
    )
  })
}
