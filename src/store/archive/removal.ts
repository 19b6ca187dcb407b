import { COMPANIONS, type Companion } from '../../domain/archive/manifest.ts'
import { yearEnd, yearStart } from '../../domain/archive/years.ts'
import type { MerchantId } from '../../domain/ids.ts'
import { settleNotes } from '../callbacks/sendings.ts'
import type { Database, Db } from '../engine/database.ts'
import { firstPart, keysOf, type Slice, TABLES } from './slices.ts'
import { findYear } from './years.ts'

type YearName = { readonly merchantId: MerchantId; readonly year: number }

/** What no payment moves by itself. */
const BY_HAND = `(cause = 'ADJUSTMENT' or cause like 'CORRECTION%')`

/** Two who archive the years of a merchant take turns; each step is a transaction of its own. */
export async function takeTurn(tx: Db, { merchantId }: YearName): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('archived_years'), $1)`, [merchantId])
}

/** From now on the year counts as archived. */
export async function beginRemoval(
  tx: Db,
  { merchantId, year }: YearName,
  manifestHash: string,
  now: number,
): Promise<void> {
  await tx.query(
    `insert into archived_years (merchant_id, year, manifest_hash, begun_at, removed_before)
     values ($1, $2, decode($3, 'hex'), to_timestamp($4::float8 / 1000),
             to_timestamp($5::float8 / 1000))`,
    [merchantId, year, manifestHash, now, yearStart(year)],
  )
}

type RemovedPart = {
  readonly removedBefore: number
  readonly isEnded: boolean
  /** A callback of the part is to be sent again: nothing was removed. */
  readonly isHeldUp: boolean
}

/**
 * Removes the next part of a year, and accounts for it, in one transaction: after a kill at any
 * moment the next call goes on where the last one ended.
 */
export function removePart(
  database: Database,
  name: YearName,
  rows: number,
  now: number,
): Promise<RemovedPart> {
  return database.inTransaction(async (tx) => {
    await takeTurn(tx, name)
    const found = await findYear(tx, name.merchantId, name.year)
    const endAt = yearEnd(name.year)
    const removedBefore = found?.removedBefore ?? endAt
    if (found === undefined || found.isEnded) {
      return { removedBefore, isEnded: true, isHeldUp: false }
    }
    const rest: Slice = { merchantId: name.merchantId, startAt: removedBefore, endAt }
    const part = await firstPart(tx, rest, rows)
    if (await isOwed(tx, part)) return { removedBefore, isEnded: false, isHeldUp: true }
    await settleNotes(tx, keysOf(part))
    const transfers = await removeTransfers(tx, name.year, part)
    const removed = { transfers, ...(await removeCompanions(tx, part)) }
    const isEnded = part.endAt === endAt
    await advance(tx, name, part.endAt, removed, isEnded ? now : undefined)
    return { removedBefore: part.endAt, isEnded, isHeldUp: false }
  })
}

async function isOwed(tx: Db, part: Slice): Promise<boolean> {
  const rows = await tx.query(
    `select from callbacks where merchant_id = $1 and payment_key >= $2 and payment_key < $3
       and (due_at is not null or status = 'PAUSED') limit 1`,
    keysOf(part),
  )
  return rows.length > 0
}

async function removeTransfers(tx: Db, year: number, part: Slice): Promise<number> {
  const [row] = await tx.query<{ removed: number }>(
    `with gone as (
       delete from transfers where merchant_id = $1 and at >= to_timestamp($2::float8 / 1000)
         and at < to_timestamp($3::float8 / 1000)
       returning debit, credit, amount, ${BY_HAND} as is_by_hand
     ), sides as (
       select debit as account, -amount as change, is_by_hand from gone
       union all select credit, amount, is_by_hand from gone
     ), summed as (
       insert into archived_sums as s
         (merchant_id, account, year, transfers, change, turnover, by_hand, changed_by_hand,
          turned_by_hand)
       select $1, account, $4, count(*), sum(change), sum(abs(change)),
              count(*) filter (where is_by_hand),
              coalesce(sum(change) filter (where is_by_hand), 0),
              coalesce(sum(abs(change)) filter (where is_by_hand), 0)
       from sides group by account
       on conflict (merchant_id, account, year) do update set
         transfers = s.transfers + excluded.transfers, change = s.change + excluded.change,
         turnover = s.turnover + excluded.turnover, by_hand = s.by_hand + excluded.by_hand,
         changed_by_hand = s.changed_by_hand + excluded.changed_by_hand,
         turned_by_hand = s.turned_by_hand + excluded.turned_by_hand
     )
     select count(*)::float8 as removed from gone`,
    [part.merchantId, part.startAt, part.endAt, year],
  )
  return row?.removed ?? 0
}

type Counts = Readonly<Record<Companion, number>>

async function removeCompanions(tx: Db, part: Slice): Promise<Counts> {
  const counts: [Companion, number][] = []
  for (const companion of COMPANIONS) {
    const [row] = await tx.query<{ removed: number }>(
      `with gone as (
         delete from ${TABLES[companion]}
         where merchant_id = $1 and payment_key >= $2 and payment_key < $3 returning 1)
       select count(*)::float8 as removed from gone`,
      keysOf(part),
    )
    counts.push([companion, row?.removed ?? 0])
  }
  return Object.fromEntries(counts) as Counts
}

async function advance(
  tx: Db,
  { merchantId, year }: YearName,
  removedBefore: number,
  removed: Counts & { readonly transfers: number },
  endedAt: number | undefined,
): Promise<void> {
  await tx.query(
    `update archived_years set removed_before = to_timestamp($3::float8 / 1000),
       transfers = transfers + $4, events = events + $5, callbacks = callbacks + $6,
       attempts = attempts + $7, exchanges = exchanges + $8,
       ended_at = to_timestamp($9::float8 / 1000)
     where merchant_id = $1 and year = $2`,
    [
      ...[merchantId, year, removedBefore, removed.transfers, removed.events, removed.callbacks],
      ...[removed.attempts, removed.exchanges, endedAt ?? null],
    ],
  )
}

/** What was removed of a year, by account. */
export async function removedSums(db: Db, { merchantId, year }: YearName) {
  type Row = { readonly account: string; readonly transfers: number; readonly change: string }
  return db.query<Row>(
    `select account, transfers::float8 as transfers, change::text as change from archived_sums
     where merchant_id = $1 and year = $2`,
    [merchantId, year],
  )
}
