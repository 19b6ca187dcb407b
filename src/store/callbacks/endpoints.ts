import type { CallbackSubject } from '../../domain/callbacks/callback-subject.ts'
import { type MerchantId, UNHELD } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'

/** The endpoints of merchants: an address of a merchant, for all kinds that are sent to it. */

/** Every address of the merchant, in the order of all who lock several of them. */
export async function lockEndpoints(tx: Db, merchantId: MerchantId): Promise<void> {
  await tx.query('select 1 from callback_urls where merchant_id = $1 order by kind for update', [
    merchantId,
  ])
}

/**
 * Pauses an endpoint, unless its address was saved after the attempt began. An attempt that was
 * asked for during a pause begins it anew. The first to pause it learns so: it has to notify
 * the other nodes.
 */
export async function pauseEndpoint(
  db: Db,
  endpoint: { merchantId: MerchantId; kind: string; url: string; saves: number; askedMs: number },
  now: number,
): Promise<'PAUSED' | 'PAUSED_BEFORE' | 'SAVED_SINCE'> {
  const { merchantId, kind, url, saves, askedMs } = endpoint
  const rows = await db.query<{ is_new: boolean }>(
    // Every kind of the address is locked, in one order by everyone, before the first is changed.
    `with endpoint as materialized (
       select kind, saves, paused_at from callback_urls
       where merchant_id = $1 and url = $3 order by kind for update
     ), known as (
       select coalesce(paused_at < to_timestamp($6::float8 / 1000), true) as is_new
       from endpoint where kind = $2 and saves = $4
     ), paused as (
       update callback_urls u set paused_at = to_timestamp($5::float8 / 1000) from known
       where known.is_new and u.merchant_id = $1 and u.url = $3
     )
     select is_new from known`,
    [merchantId, kind, url, saves, now, askedMs],
    'pause-endpoint',
  )
  const [row] = rows
  if (row === undefined) return 'SAVED_SINCE'
  return row.is_new ? 'PAUSED' : 'PAUSED_BEFORE'
}

/** Answers whether there was a pause to end. An attempt from before cannot begin it again. */
export async function liftPause(db: Db, merchantId: MerchantId, url: string): Promise<boolean> {
  const rows = await db.query(
    `update callback_urls set paused_at = null, saves = saves + 1
     where merchant_id = $1 and url = $2 and paused_at is not null returning 1`,
    [merchantId, url],
  )
  return rows.length > 0
}

/** When each address last took a callback, by kind. */
export async function findLastSuccesses(
  db: Db,
  merchantId: MerchantId,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ kind: string; ms: number }>(
    `select kind, (extract(epoch from last_success_at) * 1000)::float8 as ms
     from callback_urls where merchant_id = $1 and last_success_at is not null`,
    [merchantId],
  )
  return new Map(rows.map(({ kind, ms }) => [kind, ms]))
}

/** The same by the kind of what is sent to it. */
export async function liftPauseOf(
  db: Db,
  merchantId: MerchantId,
  kind: CallbackSubject['kind'],
): Promise<boolean> {
  const rows = await db.query(
    `update callback_urls set paused_at = null, saves = saves + 1
     where merchant_id = $1 and paused_at is not null and url in (
       select url from callback_urls where merchant_id = $1 and kind = $2) returning 1`,
    [merchantId, kind],
  )
  return rows.length > 0
}

const RELEASED_AT_ONCE = 2000

/** Callbacks that wait until their endpoint is no longer paused. */
export const PAUSED = `status = 'PAUSED'`

/**
 * Owes again what was paused where the endpoint is not paused any more, with a fresh round. Nodes
 * ask every second, so nothing stays behind, in whichever order a race ends. A statement's address is
 * its own, so its callback waits for a person; what a replay is about waits for the replay.
 */
export async function releasePaused(db: Db, now: number): Promise<number> {
  const rows = await db.query<{ released: string }>(
    `with recursive line as (
       (select merchant_id, kind from callbacks where ${PAUSED}
        order by merchant_id, kind limit 1)
       union all
       select next.merchant_id, next.kind from line l cross join lateral (
         select merchant_id, kind from callbacks
         where ${PAUSED} and (merchant_id, kind) > (l.merchant_id, l.kind)
         order by merchant_id, kind limit 1) next
     ), free as (
       select l.merchant_id, l.kind from line l
       left join callback_urls u on u.merchant_id = l.merchant_id and u.kind = l.kind
       left join callback_replays r on r.merchant_id = l.merchant_id and r.due_at is not null
       where l.kind <> 'statement' and u.paused_at is null and r.id is null
     ), chosen as (
       select c.* from free f cross join lateral (
         select merchant_id, payment_key, state from callbacks
         where ${PAUSED} and merchant_id = f.merchant_id and kind = f.kind
         limit ${RELEASED_AT_ONCE} for update skip locked) c
     ), released as (
       update callbacks c
       set status = 'PENDING', due_at = to_timestamp($1::float8 / 1000), holder = ${UNHELD},
           round_started_at = to_timestamp($1::float8 / 1000), tries = 0, resend = false
       from chosen x
       where c.merchant_id = x.merchant_id and c.payment_key = x.payment_key
         and c.state = x.state and c.${PAUSED}
       returning 1
     )
     select count(*) as released from released`,
    [now],
    'release-paused',
  )
  return Number(rows[0]?.released ?? 0)
}

type CallbackAddress = { readonly merchant: string; readonly url: string }

/** Of all merchants that are served, each address once. */
export async function listCallbackAddresses(db: Db): Promise<readonly CallbackAddress[]> {
  return db.query<CallbackAddress>(
    `select distinct m.slug as merchant, u.url from callback_urls u
     join merchants m on m.merchant_id = u.merchant_id
     where u.url <> '' and m.suspended_at is null order by 1, 2`,
  )
}

type CallbackLoad = { readonly pausedEndpoints: number; readonly oldestPendingMs: number }

/** For the metrics. Reads what is pending, never what was delivered. */
export async function findCallbackLoad(db: Db, now: number): Promise<CallbackLoad> {
  const [row] = await db.query<{ paused: number; oldest: number | null }>(
    `select (select count(distinct (merchant_id, url))::int from callback_urls
             where paused_at is not null) as paused,
            (select $1::float8 - extract(epoch from min(created_at))::float8 * 1000
             from callbacks where due_at is not null) as oldest`,
    [now],
    'callback-load',
  )
  return { pausedEndpoints: row?.paused ?? 0, oldestPendingMs: Math.max(0, row?.oldest ?? 0) }
}
