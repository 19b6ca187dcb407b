import type { CallbackStatus } from '../../domain/callbacks/callback.ts'
import { type CallbackFilter, FIRST_KEY, keySpan } from '../../domain/callbacks/replay.ts'
import type { MerchantId } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'
import { mayBeUnderWay } from './callbacks.ts'
import { inCountries } from './in-countries.ts'

/** Sending many callbacks again: a job that goes on in steps, by whichever node finds it due. */
export type Replay = {
  readonly merchantId: MerchantId
  readonly id: string
  readonly startedMs: number
  readonly filter: CallbackFilter
  readonly perSecond: number
  readonly matched: number
  readonly sent: number
  readonly state: 'RUNNING' | 'DONE' | 'STOPPED'
}

/**
 * Each status is found by an index that holds only such callbacks; what is delivered or has no
 * address by the keys, which are in the order of time. Texts, not parameters: the planner has to see them.
 */
export const WITH_STATUS: Readonly<Record<CallbackStatus, string>> = {
  PENDING: `c.status = 'PENDING' and c.due_at is not null`,
  GIVEN_UP: `c.status = 'GIVEN_UP'`,
  PAUSED: `c.status = 'PAUSED'`,
  DELIVERED: `c.status = 'DELIVERED'`,
  NO_ADDRESS: `c.status = 'NO_ADDRESS'`,
}

/** A callback whose round began later was sent again already, by this replay or by somebody. */
const MATCHES = `
  c.merchant_id = $1 and c.payment_key > $2 and c.payment_key >= $3 and c.payment_key < $4
  and c.kind = any($5::text[]) and ($6::text is null or c.state = $6)
  and c.round_started_at < to_timestamp($7::float8 / 1000) and ${inCountries('$8')}`

function valuesOf(
  merchantId: MerchantId,
  filter: CallbackFilter,
  after: string,
  startedMs: number,
): unknown[] {
  const { from, to } = keySpan(filter)
  const { kinds, result = null, countries = null } = filter
  return [merchantId, after, from, to, kinds, result, startedMs, countries]
}

/** How many callbacks a replay that starts now would send. */
export async function countMatching(
  db: Db,
  merchantId: MerchantId,
  filter: CallbackFilter,
  now: number,
): Promise<number> {
  let count = 0
  for (const status of filter.statuses) {
    const rows = await db.query<{ count: string }>(
      `select count(*) as count from callbacks c where ${WITH_STATUS[status]} and ${MATCHES}`,
      valuesOf(merchantId, filter, FIRST_KEY, now),
    )
    count += Number(rows[0]?.count ?? 0)
  }
  return count
}

export async function insertReplay(
  db: Db,
  replay: Pick<Replay, 'merchantId' | 'id' | 'filter' | 'perSecond' | 'matched' | 'startedMs'>,
): Promise<void> {
  await db.query(
    `insert into callback_replays
       (merchant_id, id, started_at, filter, per_second, matched, due_at)
     values ($1, $2, to_timestamp($3::float8 / 1000), $4, $5, $6, to_timestamp($3::float8 / 1000))`,
    [
      replay.merchantId,
      replay.id,
      replay.startedMs,
      JSON.stringify(replay.filter),
      replay.perSecond,
      replay.matched,
    ],
  )
}

type DueReplay = {
  readonly merchantId: MerchantId
  readonly id: string
  readonly startedMs: number
  readonly filter: CallbackFilter
  readonly perSecond: number
  readonly atStatus: number
  readonly afterKey: string | null
}

/**
 * Takes the earliest replay that is due for as long as the transaction lasts. Callbacks are locked
 * first: a reset of the sandbox does so as well, before it deletes replays.
 */
export async function takeDueReplay(tx: Db, now: number): Promise<DueReplay | undefined> {
  await tx.query('lock table callbacks in row exclusive mode')
  const [replay] = await tx.query<DueReplay>(
    `select merchant_id as "merchantId", id, filter, per_second as "perSecond",
       (extract(epoch from started_at) * 1000)::float8 as "startedMs",
       at_status as "atStatus", after_key as "afterKey"
     from callback_replays where due_at <= to_timestamp($1::float8 / 1000)
     order by due_at limit 1 for update skip locked`,
    [now],
  )
  return replay
}

const NOW = 'to_timestamp($10::float8 / 1000)'

/**
 * Owes the next callbacks of one status again, as a single resend does. Where the receiver said 410
 * since the replay began, they wait with their endpoint instead. Answers how many were taken, how
 * many of them are sent, and the last one.
 */
export async function oweNext(
  tx: Db,
  replay: DueReplay,
  status: CallbackStatus,
  limit: number,
  now: number,
): Promise<{ taken: number; sent: number; lastKey: string | undefined }> {
  const { merchantId, filter, startedMs, afterKey } = replay
  // What is pending is found by another index than the keys, so it is read whole and then sorted.
  const early = status === 'PENDING' ? '' : 'order by c.payment_key limit $9'
  const [row] = await tx.query<{ taken: number; sent: number; last: string | null }>(
    `with matching as materialized (
       select c.merchant_id, c.payment_key, c.state from callbacks c
       where ${WITH_STATUS[status]} and ${MATCHES} ${early}
     ), page as materialized (
       select c.merchant_id, c.payment_key, c.state,
         not ${mayBeUnderWay('c', NOW)}
           and coalesce(u.paused_at >= to_timestamp($7::float8 / 1000), false) as waits
       from callbacks c
       join (select * from matching order by payment_key limit $9) m
         using (merchant_id, payment_key, state)
       left join callback_urls u on u.merchant_id = c.merchant_id and u.kind = c.kind
       order by c.payment_key for update of c
     ), owed as (
       update callbacks c
       set status = case when p.waits then 'PAUSED' else 'PENDING' end,
           due_at = case when not p.waits then greatest(${NOW}, c.under_way_until) end,
           round_started_at = ${NOW}, tries = 0, resend = ${mayBeUnderWay('c', NOW)},
           feed_transaction = (select pg_current_xact_id() from listeners l
                       where l.merchant_id = c.merchant_id)
       from page p
       where c.merchant_id = p.merchant_id and c.payment_key = p.payment_key and c.state = p.state
       returning c.payment_key, p.waits
     )
     select count(*)::int as taken, count(*) filter (where not waits)::int as sent,
       max(payment_key::text) as last from owed`,
    [...valuesOf(merchantId, filter, afterKey ?? FIRST_KEY, startedMs), limit, now],
  )
  return { taken: row?.taken ?? 0, sent: row?.sent ?? 0, lastKey: row?.last ?? undefined }
}

type ReplayStep = {
  readonly sent: number
  readonly atStatus: number
  readonly afterKey: string | undefined
  /** When it goes on; undefined when there is nothing left. */
  readonly dueAt: number | undefined
}

export async function moveReplay(
  tx: Db,
  { merchantId, id }: Pick<Replay, 'merchantId' | 'id'>,
  { sent, atStatus, afterKey, dueAt }: ReplayStep,
  now: number,
): Promise<void> {
  await tx.query(
    `update callback_replays
     set sent = sent + $3, at_status = $4, after_key = $5,
         due_at = to_timestamp($6::float8 / 1000),
         ended_at = case when $6::float8 is null then to_timestamp($7::float8 / 1000) end
     where merchant_id = $1 and id = $2`,
    [merchantId, id, sent, atStatus, afterKey ?? null, dueAt ?? null, now],
  )
}

/** False when there is no such replay, or it has ended. What it has sent stays sent. */
export async function stopReplay(db: Db, id: string, now: number): Promise<boolean> {
  const rows = await db.query(
    `update callback_replays
     set due_at = null, ended_at = to_timestamp($2::float8 / 1000), stopped = true
     where id = $1 and due_at is not null returning 1`,
    [id, now],
  )
  return rows.length > 0
}

const SHOWN = 100

const REPLAY = `
  merchant_id as "merchantId", id, filter, per_second as "perSecond",
  (extract(epoch from started_at) * 1000)::float8 as "startedMs",
  matched::float8 as matched, sent::float8 as sent,
  case when due_at is not null then 'RUNNING' when stopped then 'STOPPED' else 'DONE' end as state`

/** The newest first. */
export async function listReplays(db: Db, ids?: readonly string[]): Promise<readonly Replay[]> {
  return db.query<Replay>(
    `select ${REPLAY} from callback_replays where $1::uuid[] is null or id = any($1)
     order by started_at desc limit ${SHOWN}`,
    [ids ?? null],
  )
}

/** Those of one merchant, the newest first. */
export async function listReplaysOf(db: Db, merchantId: MerchantId): Promise<readonly Replay[]> {
  return db.query<Replay>(
    `select ${REPLAY} from callback_replays where merchant_id = $1
     order by started_at desc limit ${SHOWN}`,
    [merchantId],
  )
}

/** Those who begin replays of one merchant take turns, until the end of the transaction. */
export async function takeTurn(tx: Db, merchantId: MerchantId): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('callback_replays'), $1)`, [merchantId])
}
