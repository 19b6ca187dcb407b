import { type NodeId, UNHELD } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/timing.ts'
import { absentNodes } from '../cluster/absent-nodes.ts'
import { plain, quoted } from '../engine/columns.ts'
import type { Db } from '../engine/database.ts'
import { createGroup, type Group } from '../engine/group.ts'
import type { Attempt, OwedCallback } from './callbacks.ts'

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
export function createSendingGroup(db: Db): Group<Sending, Begun> {
  let batches = 0
  let over: number[] = []

  async function write(items: readonly Sending[]): Promise<readonly Begun[]> {
    const first = items[0] as Sending
    batches += 1
    const batch = batches
    const forgotten = over
    over = []
    const urls = [...new Set(items.map(({ url }) => url))]
    const rows = await db.query(
      BEGIN,
      [
        first.node,
        forgotten,
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
    let underWay = items.length
    const ended = (): void => {
      underWay -= 1
      if (underWay === 0) over.push(batch)
    }
    return items.map(({ node }) => {
      if (rows.length === 1 && node === first.node) return { ended }
      ended()
      return { ended: undefined }
    })
  }

  return createGroup({ write, maxItems: 128, maxInFlight: 2 })
}

/** Rows whose attempts are all recorded go with the same statement. */
const BEGIN = `
with over as (
  delete from sendings where node_id = $1 and batch = any($2::int[])
)
insert into sendings
  (node_id, batch, begun_at, urls, merchant_ids, payment_keys, states, attempts, url_at)
select node_id, $3, to_timestamp($4::float8 / 1000), $5::text[], $6::int[], $7::uuid[], $8::text[],
       $9::int[], $10::int[]
from nodes where node_id = $1
returning batch`

/** The attempts of some rows of `sendings`. */
const EACH = (rows: string): string => `
  select s.node_id, s.begun_at, s.urls[u.url_at] as url, u.* from ${rows} s
  cross join lateral unnest(s.merchant_ids, s.payment_keys, s.states, s.attempts, s.url_at)
    as u (merchant_id, payment_key, state, attempts, url_at)`

/** Nobody has recorded the attempt. */
const IS_OPEN = (each: string): string => `
  c.merchant_id = ${each}.merchant_id and c.payment_key = ${each}.payment_key
    and c.state = ${each}.state and c.attempts = ${each}.attempts`

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
                         then to_timestamp($1::float8 / 1000) else c.due_at end
       from cut where ${IS_OPEN('cut')}
       returning cut.*, c.attempts as attempt, c.due_at
     ), kept as (
       insert into callback_attempts
         (merchant_id, payment_key, state, attempt, at, duration_ms, url, reason, next_at)
       select merchant_id, payment_key, state, attempt, begun_at, 0, url, $2, due_at from recorded
     )
     select count(*)::int as cut_off from recorded`,
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
       update sendings s set node_id = $2 where s.node_id = $1 returning s.*
     ), each as materialized (${EACH('mine')})
     update callbacks c
     set holder = ${UNHELD}, due_at = to_timestamp($3::float8 / 1000), tries = c.tries + 1
     from each
     where ${IS_OPEN('each')} and c.holder = $1 and c.due_at is not null`,
    [former, name, now + LIMITS.attemptOverMs],
  )
}

/** Whether an attempt was recorded by a write whose answer was lost. */
export async function isRecorded(db: Db, { owed, at }: Attempt): Promise<boolean> {
  const { merchantId, key } = owed.subject
  const rows = await db.query(
    `select from callback_attempts where merchant_id = $1 and payment_key = $2 and state = $3
       and at = to_timestamp($4::float8 / 1000) and reason is distinct from $5`,
    [merchantId, key, owed.state, at, CUT_OFF],
  )
  return rows.length > 0
}
