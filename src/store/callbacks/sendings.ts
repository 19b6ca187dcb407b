import { type MerchantId, type NodeId, UNHELD } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/timing.ts'
import { absentNodes } from '../cluster/absent-nodes.ts'
import { plain, quoted } from '../engine/columns.ts'
import type { Database, Db } from '../engine/database.ts'
import { createGroup, type Group } from '../engine/group.ts'
import { type Attempt, type Recorded, recordAttempts } from './attempts.ts'
import { type OwedCallback, storeOwed } from './callbacks.ts'
import type { Notes } from './notes.ts'

/** An attempt that is about to begin. */
export type Sending = {
  readonly owed: OwedCallback
  readonly node: NodeId
  readonly at: number
  readonly url: string
}

/** Says that the attempt has ended and is recorded; absent when the node has lost its name. */
export type Begun = { readonly ended: (() => void) | undefined }

/**
 * Notes attempts before the first byte goes out. Those that begin together are one row, so that the
 * note costs a statement for a group, and some bytes for each.
 */
export function createSendingGroup(db: Db, notes: Notes): Group<Sending, Begun> {
  async function write(items: readonly Sending[]): Promise<readonly Begun[]> {
    const first = items[0] as Sending
    const batch = notes.next()
    const urls = [...new Set(items.map(({ url }) => url))]
    const rows = await db.query(
      BEGIN,
      [
        first.node,
        batch,
        first.at,
        quoted(urls, (url) => url),
        plain(items, ({ owed }) => owed.subject.merchantId),
        plain(items, ({ owed }) => owed.subject.key),
        plain(items, ({ owed }) => owed.state),
        plain(items, ({ owed }) => owed.attempts),
        plain(items, ({ url }) => urls.indexOf(url) + 1),
      ],
      'begin-sending',
    )
    const note = notes.begun(batch, items.length)
    return items.map(({ node }) => {
      const ended = note()
      if (rows.length === 1 && node === first.node) return { ended }
      ended()
      return { ended: undefined }
    })
  }

  return createGroup({ write, maxItems: 128, maxInFlight: 2 })
}

const BEGIN = `
insert into sendings
  (node_id, batch, begun_at, urls, merchant_ids, payment_keys, states, attempts, url_at)
select node_id, $2, to_timestamp($3::float8 / 1000), $4::text[], $5::int[], $6::uuid[], $7::text[],
       $8::int[], $9::int[]
from nodes where node_id = $1
returning batch`

/** The attempts of some rows of `sendings`. */
const EACH = (rows: string): string => `
  select s.node_id, s.begun_at, s.urls[u.url_at] as url, u.* from ${rows} s
  cross join lateral unnest(s.merchant_ids, s.payment_keys, s.states, s.attempts, s.url_at, s.kinds,
      s.payment_ids)
    as u (merchant_id, payment_key, state, attempts, url_at, kind, payment_id)`

/** Nobody has recorded the attempt. */
const IS_OPEN = (each: string): string => `
  c.merchant_id = ${each}.merchant_id and c.payment_key = ${each}.payment_key
    and c.state = ${each}.state and c.attempts = ${each}.attempts`

/**
 * Gives a row to callbacks that had none yet: tried once, held by nobody, and due at $1, until when the
 * attempt may be under way.
 */
const STORE = (each: string, attempts: number): string => `
  insert into callbacks
    (merchant_id, payment_key, state, kind, payment_id, created_at, status, holder, due_at,
     round_started_at, tries, attempts, resend, under_way_until)
  select e.merchant_id, e.payment_key, e.state, e.kind, e.payment_id, e.begun_at, 'PENDING',
         ${UNHELD}, to_timestamp($1::float8 / 1000), e.begun_at, 1, ${attempts}, false,
         to_timestamp($1::float8 / 1000)
  from ${each} e
  join payments p on p.merchant_id = e.merchant_id and p.kind = e.kind and p.id = e.payment_id
    and p.key = e.payment_key
  order by e.payment_key
  on conflict do nothing`

/**
 * Records the attempts that nodes had under way which do not exist any more, as far as is
 * known. A node that was only frozen records the same attempt once more, with its end.
 */
export async function recordCutOff(db: Db, now: number): Promise<number> {
  const rows = await db.query<{ cut_off: number }>(
    `with ${absentNodes('sendings', 'node_id')}, gone as (
       delete from sendings s using absent a where s.node_id = a.node returning s.*
     ), cut as materialized (${EACH('gone')}), recorded as (
       update callbacks c
       set attempts = c.attempts + 1,
           tries = c.tries + 1,
           holder = case when c.holder = cut.node_id then ${UNHELD} else c.holder end,
           due_at = case when c.due_at is not null and c.holder in (cut.node_id, ${UNHELD})
                         then to_timestamp($1::float8 / 1000) else c.due_at end,
           under_way_until = to_timestamp($1::float8 / 1000)
       from cut where ${IS_OPEN('cut')}
       returning cut.*, c.attempts as attempt, c.due_at
     ), stored as (${STORE('cut', 1)}
       returning merchant_id, payment_key, state, attempts, due_at
     ), interrupted as (
       select merchant_id, payment_key, state, attempt, begun_at, url, due_at from recorded
       union all
       -- Two notes may name it: the first attempt was cut off on one node, and the next on another. Not
       -- a join, which would compare each with each.
       select merchant_id, payment_key, state, max(attempt), min(begun_at),
              (array_agg(url order by begun_at))[1], max(due_at)
       from (
         select merchant_id, payment_key, state, attempts as attempt, due_at,
                null::timestamptz as begun_at, null as url
         from stored
         union all
         select merchant_id, payment_key, state, null, null, begun_at, url from cut
       ) each
       group by 1, 2, 3
       having count(attempt) > 0
     ), kept as (
       insert into callback_attempts
         (merchant_id, payment_key, state, attempt, at, duration_ms, url, reason, next_at)
       select merchant_id, payment_key, state, attempt, begun_at, 0, url, $2, due_at
       from interrupted
     )
     select count(*)::int as cut_off from interrupted`,
    [now + LIMITS.attemptOverMs, CUT_OFF],
    'record-cut-off',
  )
  return rows[0]?.cut_off ?? 0
}

const CUT_OFF =
  'the node that was sending it ended before it recorded the result; the receiver may have it or ' +
  'not, so it is sent again'

/**
 * What a node has under way stays its own under its new name, and nobody else sends it meanwhile.
 * It may have been delivered already, so it counts as a try.
 */
export async function carrySendings(
  db: Db,
  former: NodeId,
  name: NodeId,
  now: number,
): Promise<void> {
  await db.query(
    `with mine as (
       update sendings s set node_id = $3 where s.node_id = $2 returning s.*
     ), each as materialized (${EACH('mine')}
     ), stored as (${STORE('each', 0)}
     )
     update callbacks c
     set holder = ${UNHELD}, due_at = to_timestamp($1::float8 / 1000), tries = c.tries + 1,
         under_way_until = to_timestamp($1::float8 / 1000)
     from each
     where ${IS_OPEN('each')} and c.holder = $2 and c.status = 'PENDING'`,
    [now + LIMITS.attemptOverMs, former, name],
  )
}

/** Whether an attempt was recorded by a write whose answer was lost. */
export async function isRecorded(db: Db, { owed, at }: Attempt): Promise<boolean> {
  const { merchantId, key } = owed.subject
  const rows = await db.query(
    `select from kept_attempts where merchant_id = $1 and payment_key = $2 and state = $3
       and at = to_timestamp($4::float8 / 1000) and reason is distinct from $5`,
    [merchantId, key, owed.state, at, CUT_OFF],
  )
  return rows.length > 0
}

/**
 * Records an attempt whose record may have been lost with its answer. A commit that waits for a
 * standby is not seen by others yet, so this one waits for it at the row, or at its key where that
 * commit would be the first to have the row.
 */
export const recordAgain = (db: Database, attempt: Attempt): Promise<Recorded> =>
  db.inTransaction(async (tx) => {
    const { merchantId, key } = attempt.owed.subject
    await storeOwed(tx, [attempt])
    await tx.query(
      `select from callbacks where merchant_id = $1 and payment_key = $2 and state = $3 for update`,
      [merchantId, key, attempt.owed.state],
    )
    if (await isRecorded(tx, attempt)) return NOT_AGAIN
    const [recorded = NOT_AGAIN] = await recordAttempts(tx, [attempt], NO_NOTES)
    return recorded
  })

const NOT_AGAIN: Recorded = { resend: false }
/** Those that are over go with another statement. */
const NO_NOTES: Pick<Notes, 'withOver'> = { withOver: (write) => write([]) }

/**
 * A note outlives its attempt until its node records another. Callbacks whose rows are about to be
 * removed were attempted, so from here on no note says that they are owed.
 */
export async function settleNotes(
  tx: Db,
  [merchantId, firstKey, endKey]: readonly [MerchantId, string, string],
): Promise<void> {
  await settle(
    tx,
    `u.merchant_id = $1 and u.payment_key >= $2 and u.payment_key < $3 and exists (
       select from callbacks c where c.merchant_id = u.merchant_id
         and c.payment_key = u.payment_key and c.state = u.state)`,
    [merchantId, firstKey, endKey],
  )
}

/** No note says any more that a callback of this merchant is owed. */
export const settleNotesOf = (tx: Db, merchantId: MerchantId): Promise<void> =>
  settle(tx, 'u.merchant_id = $1', [merchantId])

/** A note owes the callbacks whose kind it names. */
async function settle(tx: Db, isSettled: string, values: readonly unknown[]): Promise<void> {
  await tx.query(
    `update sendings s set kinds = n.kinds
     from (
       select s.node_id, s.batch,
              array_agg(case when ${isSettled} then null else u.kind end order by u.nth) as kinds
       from sendings s
       cross join lateral unnest(s.merchant_ids, s.payment_keys, s.states, s.kinds)
         with ordinality as u (merchant_id, payment_key, state, kind, nth)
       where s.kinds is not null
       group by 1, 2
       having bool_or(u.kind is not null and ${isSettled})
     ) n
     where s.node_id = n.node_id and s.batch = n.batch`,
    values,
  )
}
