import { FIRST_KEY, keyAt } from '../../domain/callbacks/replay.ts'
import type { MerchantId } from '../../domain/ids.ts'
import { type CountedHours, HOUR_MS, hourOf, type Parts } from '../../domain/payments/hours.ts'
import {
  PAYMENT_KINDS,
  type PaymentKind,
  type PaymentState,
} from '../../domain/payments/payment-state.ts'
import type { Db } from '../engine/database.ts'
import { LISTED } from '../engine/listed.ts'
import { sqlList } from '../engine/sql-list.ts'
import { FACETS_OF, hashOf, TERMS, WHOLE_TERMS } from './terms.ts'

const KINDS = `unnest(array[${sqlList(PAYMENT_KINDS)}]) as k (kind)`

/**
 * The payments of one span of keys and one kind. Looked up for each ("offset 0"): the planner takes a span
 * for a good part of all payments, and would read all of them.
 */
const PAYMENTS_OF = (span: string): string => `lateral (
  select * from payments p where p.merchant_id = $1 and p.kind = k.kind
    and p.key >= ${span}.first and p.key < ${span}.next and ${LISTED('p')} offset 0)`

/** The first key from `from` on of everything that is found by terms; one row for each table and kind. */
const firstKeys = (merchant: string, from: string): string => `
  select one.key from ${KINDS} cross join lateral (
    select p.key from payments p
    where p.merchant_id = ${merchant} and p.kind = k.kind and p.key >= ${from}
      and ${LISTED('p')}
    order by p.key limit 1) one
  union all (select w.key from checkouts w
    where w.merchant_id = ${merchant} and w.key >= ${from} and ${LISTED('w')} order by w.key limit 1)
  union all (select l.key from payment_links l
    where l.merchant_id = ${merchant} and l.key >= ${from} and ${LISTED('l')} order by l.key limit 1)`

/** The time in the key of a payment, in milliseconds; and the first key of a time. */
export const keyMs = (key: string): string =>
  `('x' || left(replace(${key}::text, '-', ''), 12))::bit(48)::bigint`
export const keyOf = (time: string): string =>
  `rpad(lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0'), 32, '0')::uuid`

/** What payments are counted by, compared as in the table of hours. */
export const BYTEWISE = `p.kind collate "C" as kind, p.country collate "C" as country,
  p.provider collate "C" as provider, p.currency collate "C" as currency,
  p.state collate "C" as state, coalesce(p.failure_code, '') collate "C" as failure_code`

type CountedRow = { readonly untilMs: number; readonly openHours: readonly number[] }

const COUNTED = `
  select (extract(epoch from until) * 1000)::float8 as "untilMs",
         array(select (extract(epoch from o) * 1000)::float8 from unnest(open_hours) o) as "openHours"
  from counted_hours where merchant_id = $1`

export async function findCountedHours(
  db: Db,
  merchantId: MerchantId,
): Promise<CountedHours | undefined> {
  const [row] = await db.query<CountedRow>(COUNTED, [merchantId], 'counted-hours')
  return row
}

/** Merchants with hours before `endMs` that are not counted yet, or could not be. */
export async function merchantsToCount(db: Db, endMs: number): Promise<readonly MerchantId[]> {
  const rows = await db.query<{ merchant_id: MerchantId }>(
    `select m.merchant_id from merchants m left join counted_hours c using (merchant_id)
     where c.open_hours <> '{}' or exists (
       select from (${firstKeys('m.merchant_id', `coalesce(${keyOf('c.until')}, '${FIRST_KEY}')`)}) one
       where one.key < $1)
     order by 1`,
    [keyAt(endMs)],
  )
  return rows.map((row) => row.merchant_id)
}

/** Few enough that others do not notice, and that a node which stops need not wait for long. */
const HOURS_AT_ONCE = 24

/**
 * Counts hours before `endMs()` of which no payment is open; answers whether there are more to do. Of
 * two nodes at once, the second goes on where the first has come to.
 */
export async function countHours(
  tx: Db,
  merchantId: MerchantId,
  endMs: () => number,
): Promise<boolean> {
  // The sandbox's reset waits for this, and this for the reset: what is wiped is not counted after it.
  await tx.query('lock table payments in row share mode')
  const end = endMs()
  await tx.query(
    `insert into counted_hours (merchant_id, until) values ($1, 'epoch') on conflict do nothing`,
    [merchantId],
  )
  const [before] = await tx.query<CountedRow>(`${COUNTED} for update`, [merchantId])
  if (before === undefined) return false
  const first = await firstHour(tx, merchantId, before.untilMs)
  // Nothing happened since: there is no hour to look at.
  const from = Math.min(Math.max(first ?? end, before.untilMs), Math.max(end, before.untilMs))
  const until = Math.max(from, Math.min(end, from + HOURS_AT_ONCE * HOUR_MS))
  const fresh = Array.from({ length: (until - from) / HOUR_MS }, (_, at) => from + at * HOUR_MS)
  const open = await storeCounts(tx, merchantId, [...before.openHours, ...fresh])
  await tx.query(
    `update counted_hours set until = to_timestamp($2::float8 / 1000),
       open_hours = array(select to_timestamp(o / 1000) from unnest($3::float8[]) o)
     where merchant_id = $1`,
    [merchantId, until, open],
  )
  return until < end
}

/** Of the first since then. */
async function firstHour(tx: Db, merchantId: MerchantId, sinceMs: number) {
  const [row] = await tx.query<{ ms: string | null }>(
    `select min(${keyMs('one.key')})::text as ms from (${firstKeys('$1', '$2::uuid')}) one`,
    [merchantId, keyAt(sinceMs)],
  )
  return row?.ms == null ? undefined : hourOf(Number(row.ms))
}

/** Answers the hours that have an open payment, and were not counted. */
async function storeCounts(
  tx: Db,
  merchantId: MerchantId,
  hours: readonly number[],
): Promise<readonly number[]> {
  if (hours.length === 0) return []
  const rows = await tx.query<{ ms: number }>(
    `with hours as (
       select * from unnest($2::float8[], $3::uuid[], $4::uuid[]) as h (ms, first, next)
     ), open as materialized (
       select key from payments where merchant_id = $1 and due_at is not null
     ), still_open as materialized (
       select h.ms from hours h
       where exists (select from open o where o.key >= h.first and o.key < h.next)
     ), counted as (
       insert into payment_hours
       select $1, to_timestamp(h.ms / 1000), p.kind, p.country, p.provider, p.currency, p.state,
              coalesce(p.failure_code, ''), count(*), sum(p.amount)
       from hours h cross join ${KINDS} cross join ${PAYMENTS_OF('h')} p
       where h.ms not in (select ms from still_open)
       group by 2, 3, 4, 5, 6, 7, 8 order by 2, 3, 4, 5, 6, 7, 8
       on conflict do nothing
     ), found_by as (
       insert into payment_terms
       select $1, ${hashOf('t.term')}, t.key
       from (
         select h.ms, p.key, t.term
         from hours h cross join ${KINDS} cross join ${PAYMENTS_OF('h')} p
         cross join lateral (${TERMS}) t (term)
         union all
         select h.ms, w.key, w.term
         from hours h cross join lateral (
           select * from (${WHOLE_TERMS}) w
           where w.merchant_id = $1 and w.key >= h.first and w.key < h.next offset 0) w
       ) t
       where t.ms not in (select ms from still_open)
       group by 2, 3 order by 2, 3
       on conflict do nothing
     ), combined as (
       insert into payment_combinations
       select distinct $1::int, ${FACETS_OF}
       from hours h cross join ${KINDS} cross join ${PAYMENTS_OF('h')} p
       where h.ms not in (select ms from still_open)
       order by 1, 2, 3, 4, 5, 6, 7, 8
       on conflict do nothing
     )
     select ms from still_open order by ms`,
    [merchantId, hours, hours.map(keyAt), hours.map((hour) => keyAt(hour + HOUR_MS))],
  )
  return rows.map(({ ms }) => ms)
}

/** Payments that are alike, of one period. */
export type Count = {
  readonly period: number
  readonly kind: PaymentKind
  readonly country: string
  readonly provider: string
  readonly currency: string
  readonly state: PaymentState
  /** Empty where they did not fail. */
  readonly failureCode: string
  readonly payments: number
  /** A sum, as text. */
  readonly amount: string
}

type Wanted = {
  readonly merchantId: MerchantId
  readonly parts: Parts
  /** Undefined: all. */
  readonly countries: readonly string[] | undefined
}

/**
 * What the parts of the periods come to, by outcome; or what was paid out, by the wallet that it came
 * from, which is that of the country or of the provider.
 */
export async function readCounts(
  db: Db,
  { merchantId, parts: { counted, live }, countries }: Wanted,
  by: 'outcome' | 'wallet',
): Promise<readonly Count[]> {
  const place = by === 'wallet' ? 'country, provider' : `'' as country, '' as provider`
  const only = by === 'wallet' ? ` and kind <> 'deposit' and state = 'COMPLETED'` : ''
  return db.query<Count>(
    `select period, kind, ${place}, currency, state, failure_code as "failureCode",
            sum(payments)::float8 as payments, sum(amount)::text as amount
     from (
       select c.period, h.kind, h.country, h.provider, h.currency, h.state, h.failure_code,
              h.payments, h.amount
       from unnest($3::int[], $4::float8[], $5::float8[]) as c (period, from_ms, to_ms)
       join payment_hours h on h.merchant_id = $1
         and h.hour >= to_timestamp(c.from_ms / 1000) and h.hour < to_timestamp(c.to_ms / 1000)
       union all
       select l.period, ${BYTEWISE}, 1, p.amount
       from unnest($6::int[], $7::uuid[], $8::uuid[]) as l (period, first, next)
       cross join ${KINDS} cross join ${PAYMENTS_OF('l')} p
     ) one
     where ($2::text[] is null or country = any($2))${only}
     group by period, kind, ${by === 'wallet' ? 'country, provider, ' : ''}currency, state, failure_code`,
    [
      merchantId,
      countries ?? null,
      counted.map(({ period }) => period),
      counted.map(({ fromMs }) => fromMs),
      counted.map(({ toMs }) => toMs),
      live.map(({ period }) => period),
      live.map(({ fromMs }) => keyAt(fromMs)),
      live.map(({ toMs }) => keyAt(toMs)),
    ],
    `read-counts-${by}`,
  )
}

/** The clock went back: hours that are yet to come will have payments of their own. */
export async function forgetHoursAfter(tx: Db, now: number): Promise<void> {
  const values = [hourOf(now)]
  await tx.query('delete from payment_hours where hour >= to_timestamp($1::float8 / 1000)', values)
  await tx.query('delete from payment_terms where key >= $1::uuid', [keyAt(hourOf(now))])
  await tx.query(
    `update counted_hours set until = to_timestamp($1::float8 / 1000),
       open_hours = array(select o from unnest(open_hours) o where o < to_timestamp($1 / 1000))
     where until > to_timestamp($1::float8 / 1000)`,
    values,
  )
}
