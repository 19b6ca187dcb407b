import type { CallbackStatus } from '../../domain/callbacks/callback.ts'
import { type NodeId, UNHELD } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/timing.ts'
import { plain, quoted } from '../engine/columns.ts'
import { type Db, isTaken, untilItPasses } from '../engine/database.ts'
import { createGroup, type Group } from '../engine/group.ts'
import { type OwedCallback, storeOwed } from './callbacks.ts'
import type { Notes } from './notes.ts'

/** One attempt to deliver, and what follows from it. */
export type Attempt = {
  readonly owed: OwedCallback
  /** The name under which the node that tried holds the callback. */
  readonly holder: NodeId
  readonly at: number
  readonly durationMs: number
  readonly url: string
  readonly signedAt?: number
  readonly keyId?: string
  readonly signature?: string
  readonly httpStatus?: number
  readonly answer?: string
  readonly reason?: string
  readonly status: CallbackStatus
  /** When it is tried again; absent unless the status is PENDING. */
  readonly nextAt?: number
}

/** `resend`: the merchant asked for it again while the attempt was under way. */
export type Recorded = { readonly resend: boolean }

export function createAttemptGroup(db: Db, notes: Notes): Group<Attempt, Recorded> {
  const write = (items: readonly Attempt[]) => recordAttempts(db, items, notes)
  return createGroup({ write, maxItems: 256, maxInFlight: 2 })
}

export async function recordAttempts(
  db: Db,
  items: readonly Attempt[],
  notes: Pick<Notes, 'withOver'>,
): Promise<readonly Recorded[]> {
  const first = items.filter(isFirst)
  const missed = first.length === 0 ? [] : await recordFirst(db, first, notes)
  const rest = [...items.filter((item) => !isFirst(item)), ...missed]
  const again = rest.length === 0 ? NONE : await record(db, rest, notes)
  return items.map(({ owed }) => ({ resend: again.has(owed.subject.key + owed.state) }))
}

const NONE: ReadonlySet<string> = new Set()

/** Delivered by the first attempt, before it had a row. */
const isFirst = ({ owed, status }: Attempt): boolean =>
  owed.noteEnded !== undefined && status === 'DELIVERED'

const byKey = (one: Attempt, other: Attempt): number =>
  one.owed.subject.key < other.owed.subject.key ? -1 : 1

/** Answers those that have a row by now: a resend was asked for, or another node took them over. */
async function recordFirst(
  db: Db,
  items: readonly Attempt[],
  notes: Pick<Notes, 'withOver'>,
): Promise<readonly Attempt[]> {
  const sorted = items.toSorted(byKey)
  const columns = [holderOf(items), sorted.length, ...firstColumnsOf(sorted)]
  const write = (over: readonly number[]) =>
    db.query<{ stored: readonly string[] | null }>(RECORD_FIRST, [over, ...columns], 'record-first')
  const [row] = await untilItPasses(() => notes.withOver(write), isTaken)
  if (row?.stored === null) return []
  const stored = new Set(row?.stored)
  return sorted.filter(({ owed }) => !stored.has(owed.subject.key + owed.state))
}

/** The present name of the node: under a former one it has no notes. */
const holderOf = (items: readonly Attempt[]): number =>
  Math.max(...items.map(({ holder }) => holder))

/** Answers which of them must go out again. */
async function record(
  db: Db,
  items: readonly Attempt[],
  notes: Pick<Notes, 'withOver'>,
): Promise<ReadonlySet<string>> {
  await storeOwed(db, items)
  // Rows are locked in one order by everyone who writes many of them.
  const columns = [holderOf(items), ...columnsOf(items.toSorted(byKey))]
  const rows = await notes.withOver((over) =>
    db.query<{ payment_key: string; state: string }>(RECORD, [over, ...columns], 'record-attempts'),
  )
  return new Set(rows.map((row) => row.payment_key + row.state))
}

function firstColumnsOf(items: readonly Attempt[]): unknown[] {
  const urls = [...new Set(items.map(({ url }) => url))]
  return [
    quoted(urls, (url) => url),
    plain(items, ({ url }) => urls.indexOf(url) + 1),
    plain(items, ({ owed }) => owed.subject.merchantId),
    plain(items, ({ owed }) => owed.subject.key),
    plain(items, ({ owed }) => owed.state),
    plain(items, ({ owed }) => owed.subject.kind),
    plain(items, ({ owed }) => owed.subject.id),
    plain(items, ({ owed }) => owed.createdAt),
    plain(items, ({ at }) => at),
    plain(items, ({ durationMs }) => durationMs),
    plain(items, ({ signedAt }) => signedAt),
    quoted(items, ({ keyId }) => keyId),
    quoted(items, ({ signature }) => signature),
    plain(items, ({ httpStatus }) => httpStatus),
    quoted(items, ({ answer }) => answer),
  ]
}

/** Notes whose attempts have all ended go with the statement that records others. */
const OVER = 'over as (delete from sendings where node_id = $2 and batch = any($1::int[]))'

const RECORD_FIRST = `
with ${OVER}, stored as (
  insert into callbacks
    (merchant_id, payment_key, state, kind, payment_id, created_at, status, holder,
     round_started_at, tries, attempts, resend, first_at, first_duration_ms, first_url,
     first_signed_at, first_key_id, first_signature, first_http_status, first_answer)
  select i.merchant_id, i.payment_key, i.state, i.kind, i.payment_id,
         to_timestamp(i.created_ms / 1000), 'DELIVERED', ${UNHELD},
         to_timestamp(i.created_ms / 1000), 1, 1, false, to_timestamp(i.at_ms / 1000),
         i.duration_ms, ($4::text[])[i.url_at], to_timestamp(i.signed_ms / 1000), i.key_id,
         i.signature, i.http_status, i.answer
  from unnest(
    $5::int[], $6::int[], $7::uuid[], $8::text[], $9::text[], $10::uuid[], $11::float8[],
    $12::float8[], $13::int[], $14::float8[], $15::text[], $16::text[], $17::int[], $18::text[])
  as i (url_at, merchant_id, payment_key, state, kind, payment_id, created_ms, at_ms, duration_ms,
        signed_ms, key_id, signature, http_status, answer)
  -- One that was wiped in the sandbox has no callback.
  join payments p on p.merchant_id = i.merchant_id and p.kind = i.kind and p.id = i.payment_id
    and p.key = i.payment_key
  -- "on conflict" would write a second record for each row to the log. Of two that make one at the
  -- same moment, one fails and tries again.
  where not exists (
    select from callbacks c where c.merchant_id = i.merchant_id
      and c.payment_key = i.payment_key and c.state = i.state)
  returning payment_key, state
)
-- Nothing to distinguish when all of them are stored.
select case when count(*) < $3::int
            then coalesce(array_agg(payment_key::text || state), '{}') end as stored
from stored`

/** The attempt is only kept: the callback is settled, or another node has it in hand by now. */
const STAYS = `(c.status <> 'PENDING'
  or (i.status <> 'DELIVERED' and c.holder <> ${UNHELD} and c.holder <> i.node))`

/**
 * Until when a younger attempt may be under way, at a node that is lost. A date that is no later than two
 * of the longest attempts after the start of this one is about this one.
 */
const YOUNGER_UNTIL = `case
  when c.under_way_until > to_timestamp((i.at_ms + ${2 * LIMITS.attemptOverMs}) / 1000)
  then c.under_way_until end`

function columnsOf(items: readonly Attempt[]): unknown[] {
  return [
    plain(items, ({ owed }) => owed.subject.merchantId),
    plain(items, ({ owed }) => owed.subject.key),
    plain(items, ({ owed }) => owed.state),
    plain(items, ({ holder }) => holder),
    plain(items, ({ at }) => at),
    plain(items, ({ durationMs }) => durationMs),
    quoted(items, ({ url }) => url),
    plain(items, ({ signedAt }) => signedAt),
    quoted(items, ({ keyId }) => keyId),
    quoted(items, ({ signature }) => signature),
    plain(items, ({ httpStatus }) => httpStatus),
    quoted(items, ({ answer }) => answer),
    quoted(items, ({ reason }) => reason),
    plain(items, ({ nextAt }) => nextAt),
    plain(items, ({ status }) => status),
    plain(items, ({ owed }) => owed.tries + 1),
  ]
}

/**
 * Every attempt is kept and counted, also the late one of a node that was taken for dead. What
 * follows from it is decided here: an acknowledgement always counts; a failure changes nothing
 * while another node holds the callback, or when it is settled. A resend asked for meanwhile wins
 * over the result: the callback is due now, with the same node if it still has its name.
 */
const RECORD = `
with ${OVER}, input as materialized (
  select * from unnest(
    $3::int[], $4::uuid[], $5::text[], $6::int[], $7::float8[], $8::int[], $9::text[], $10::float8[],
    $11::text[], $12::text[], $13::int[], $14::text[], $15::text[], $16::float8[], $17::text[],
    $18::int[])
  as i (merchant_id, payment_key, state, node, at_ms, duration_ms, url, signed_ms, key_id,
        signature, http_status, answer, reason, next_ms, status, tries)
), settled as (
  update callbacks c
  set status = case when ${STAYS} or c.resend then c.status else i.status end,
      due_at = case when ${STAYS} then c.due_at
                    when c.resend then greatest(${YOUNGER_UNTIL},
                      least(c.due_at, to_timestamp((i.at_ms + i.duration_ms) / 1000)))
                    when i.next_ms is not null then greatest(${YOUNGER_UNTIL},
                      to_timestamp(i.next_ms / 1000)) end,
      holder = case when ${STAYS} or c.resend then c.holder else ${UNHELD} end,
      tries = case when ${STAYS} then c.tries when c.resend then 0 else i.tries end,
      attempts = c.attempts + 1,
      resend = c.resend and (${STAYS} or c.holder not in (${UNHELD}, i.node)),
      under_way_until = ${YOUNGER_UNTIL}
  from input i
  where c.merchant_id = i.merchant_id and c.payment_key = i.payment_key and c.state = i.state
    -- Stored by a try of the same group that failed later on.
    and c.first_at is distinct from to_timestamp(i.at_ms / 1000)
  returning i.*, c.attempts as attempt,
    c.holder = i.node and i.node <> ${UNHELD} and c.due_at is not null as goes_on
), kept as (
  insert into callback_attempts
    (merchant_id, payment_key, state, attempt, at, duration_ms, url, signed_at, key_id, signature,
     http_status, answer, reason, next_at)
  select merchant_id, payment_key, state, attempt, to_timestamp(at_ms / 1000), duration_ms, url,
         to_timestamp(signed_ms / 1000), key_id, signature, http_status, answer, reason,
         to_timestamp(next_ms / 1000)
  from settled
)
select payment_key, state from settled where goes_on`
