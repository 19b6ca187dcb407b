import { LIMITS } from '../../domain/timing.ts'
import type { Db } from '../engine/database.ts'

/** The money of accounts as their operators state it, and what the ledger says. */
type Float = {
  readonly account: string
  readonly currency: string
  readonly atMs: number
  readonly products: Readonly<Record<string, string>>
  readonly stated: string
  readonly ledger: string
  /** Beyond what a person has accepted. */
  readonly difference: string
  readonly differsSinceMs: number | null
}

const FLOAT = `account, currency, (extract(epoch from at) * 1000)::float8 as "atMs", products,
  stated::text as stated, ledger::text as ledger, (stated - ledger - accepted)::text as difference,
  (extract(epoch from differs_since) * 1000)::float8 as "differsSinceMs"`

export async function listFloats(db: Db): Promise<readonly Float[]> {
  return db.query<Float>(`select ${FLOAT} from operator_floats order by account, currency`)
}

/** Of all nodes one reads. */
export async function claimReading(
  db: Db,
  account: string,
  now: number,
  nextAt: number,
): Promise<boolean> {
  const rows = await db.query(
    `insert into operator_readings as r (account, due_at)
     select name, to_timestamp($3::float8 / 1000) from operator_accounts where name = $1
     on conflict (account) do update set due_at = excluded.due_at
       where r.due_at <= to_timestamp($2::float8 / 1000)
     returning account`,
    [account, now, nextAt],
  )
  return rows.length === 1
}

/**
 * Keeps a reading beside the ledger's own figure. What the first one differs by is taken as having
 * been there before.
 */
export async function keepReading(
  db: Db,
  reading: {
    readonly account: string
    readonly currency: string
    readonly products: Readonly<Record<string, string>>
  },
  now: number,
): Promise<void> {
  await db.query(
    `with reading as (
       select $1::text as account, $2::text as currency, to_timestamp($4::float8 / 1000) as at,
              $3::jsonb as products,
              (select sum(value::numeric) from jsonb_each_text($3::jsonb)) as stated,
              -- What lies with the operator is on the debit side.
              coalesce((select -sum(balance) from accounts
                        where type = 'float' and currency = $2
                          and account like 'float:%:' || $2 || ':' || $1), 0) as ledger,
              coalesce((select sum(amount) from payments
                        where operator_account = $1 and currency = $2
                          and created_at > to_timestamp($5::float8 / 1000)
                          and (due_at is not null
                               or ended_at > to_timestamp($6::float8 / 1000))), 0) as under_way
     )
     insert into operator_floats as f
       (account, currency, at, products, stated, ledger, accepted, under_way)
     select account, currency, at, products, stated, ledger, stated - ledger, under_way from reading
     on conflict (account, currency) do update
       set at = excluded.at, products = excluded.products, stated = excluded.stated,
           ledger = excluded.ledger, under_way = excluded.under_way,
           differs_since = case when abs(excluded.stated - excluded.ledger - f.accepted)
                                       <= excluded.under_way then null
                                else coalesce(f.differs_since, excluded.at) end`,
    [
      reading.account,
      reading.currency,
      JSON.stringify(reading.products),
      now,
      now - LIMITS.balanceOpenForMs,
      now - LIMITS.balanceEndedWithinMs,
    ],
  )
}

/** A person explains the difference; from then on it is expected. Answers what was accepted. */
export async function acceptDifference(
  tx: Db,
  { account, by, note }: { readonly account: string; readonly by: string; readonly note: string },
  now: number,
): Promise<readonly { readonly currency: string; readonly amount: string }[]> {
  return tx.query(
    `with open as (
       select account, currency, stated - ledger - accepted as amount from operator_floats
       where account = $1 and stated - ledger <> accepted for update
     ), noted as (
       insert into operator_float_notes (account, currency, at, amount, accepted_by, note)
       select account, currency, to_timestamp($4::float8 / 1000), amount, $2, $3 from open
     )
     update operator_floats f set accepted = f.accepted + o.amount, differs_since = null
     from open o where f.account = o.account and f.currency = o.currency
     returning f.currency, o.amount::text as amount`,
    [account, by, note, now],
  )
}

/** A payment under way explains a difference for a while; one that lasts is a finding. */
export const FLOAT_CHECK = {
  name: 'the money with each operator is what the ledger says',
  question: `
    select null::int as merchant, account || ' ' || currency as subject,
           'the operator states ' || stated || ', the ledger ' || ledger || ', accepted before '
             || accepted || ', differs since ' || differs_since as finding
    from operator_floats
    where differs_since < at - interval '${LIMITS.balanceDiffersMs} milliseconds'`,
}
