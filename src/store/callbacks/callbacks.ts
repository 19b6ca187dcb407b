import type { CallbackSubject, SubjectState } from '../../domain/callbacks/callback-subject.ts'
import { type MerchantId, type NodeId, UNHELD } from '../../domain/ids.ts'
import { plain } from '../engine/columns.ts'
import type { Db } from '../engine/database.ts'
import { createGroup, type Group } from '../engine/group.ts'
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from '../payments/payment-rows.ts'
import { findSubject } from './callback-subjects.ts'
import { OUT_OF_NOTES } from './notes.ts'

/** A callback that is owed, with what it is about. */
export type OwedCallback = {
  readonly subject: CallbackSubject
  /** The state that is reported; the payment itself may have gone on. */
  readonly state: SubjectState
  readonly createdAt: number
  readonly roundStartedAt: number
  /** Tries in the present round; a resend starts a new round. */
  readonly tries: number
  /** Attempts recorded so far, in all rounds. */
  readonly attempts: number
  /** While it has no row and only a note says that it is owed; to be called when it has one. */
  readonly noteEnded?: () => void
}

type OwedRow = {
  readonly merchant_id: MerchantId
  readonly kind: CallbackSubject['kind']
  readonly payment_id: string
  readonly owed_state: SubjectState
  readonly owed_created_ms: number
  readonly round_ms: number
  readonly tries: number
  readonly attempts: number
}

const OWED_COLUMNS = `
  c.merchant_id, c.kind, c.payment_id, c.state as owed_state,
  (extract(epoch from c.created_at) * 1000)::float8 as owed_created_ms,
  (extract(epoch from c.round_started_at) * 1000)::float8 as round_ms, c.tries, c.attempts`

export async function claimCallbacks(
  db: Db,
  node: NodeId,
  now: number,
  limit: number,
): Promise<readonly OwedCallback[]> {
  const rows = await db.query<OwedRow & PaymentRow>(
    `with due as (
       select merchant_id, payment_key, state from callbacks
       where holder = ${UNHELD} and due_at <= to_timestamp($2::float8 / 1000)
       order by due_at limit $3 for update skip locked
     ), claimed as (
       update callbacks c set holder = $1, resend = false, under_way_until = null from due
       where c.merchant_id = due.merchant_id and c.payment_key = due.payment_key
         and c.state = due.state
       returning c.*
     )
     -- The first columns name the callback's subject where it is not a payment.
     select ${PAYMENT_COLUMNS}, ${OWED_COLUMNS} from claimed c
     left join payments p
       on p.merchant_id = c.merchant_id and p.kind = c.kind and p.id = c.payment_id
       and p.key = c.payment_key`,
    [node, now, limit],
    'claim-callbacks',
  )
  const owed = await Promise.all(rows.map((row) => toOwed(db, row)))
  return owed.filter((one) => one !== undefined)
}

async function toOwed(db: Db, row: OwedRow & PaymentRow): Promise<OwedCallback | undefined> {
  const isPayment = (row.key as string | null) !== null
  const subject = isPayment
    ? toPayment(row)
    : await findSubject(db, row.merchant_id, row.kind, row.payment_id)
  if (subject === undefined) return undefined
  return {
    subject,
    state: row.owed_state,
    createdAt: row.owed_created_ms,
    roundStartedAt: row.round_ms,
    tries: row.tries,
    attempts: row.attempts,
  }
}

/** A callback that a node gives back; without a date it is paused with its endpoint. */
export type CallbackRelease = {
  readonly owed: OwedCallback
  readonly holder: NodeId
  readonly dueAt: number | undefined
}

export function createReleaseGroup(db: Db): Group<CallbackRelease, undefined> {
  return createGroup({
    write: async (items) => {
      await release(db, items)
      return items.map(() => undefined)
    },
    maxItems: 1000,
    maxInFlight: 1,
  })
}

async function release(db: Db, items: readonly CallbackRelease[]): Promise<void> {
  await storeOwed(db, items)
  const sorted = items.toSorted((a, b) => (a.owed.subject.key < b.owed.subject.key ? -1 : 1))
  await db.query(
    // A resend asked for meanwhile is due at once, and ends the pause by itself.
    `with input as materialized (
       select * from unnest($1::int[], $2::uuid[], $3::text[], $4::int[], $5::float8[])
         as i (merchant_id, payment_key, state, node, due_ms)
     ), held as materialized (
       -- Locked one by one: the planner would take those that are pending for a few, and read all of
       -- them for each of the input.
       select i.* from input i cross join lateral (
         select from callbacks c
         where c.merchant_id = i.merchant_id and c.payment_key = i.payment_key
           and c.state = i.state and c.holder = i.node and c.status = 'PENDING'
         offset 0 for update) c
     ), ${OUT_OF_NOTES}
     update callbacks c
     set holder = ${UNHELD}, resend = false,
         due_at = case when c.resend then c.due_at else to_timestamp(i.due_ms / 1000) end,
         status = case when c.resend or i.due_ms is not null then c.status else 'PAUSED' end
     from held i
     where c.merchant_id = i.merchant_id and c.payment_key = i.payment_key and c.state = i.state`,
    [
      plain(sorted, ({ owed }) => owed.subject.merchantId),
      plain(sorted, ({ owed }) => owed.subject.key),
      plain(sorted, ({ owed }) => owed.state),
      plain(sorted, ({ holder }) => holder),
      plain(sorted, ({ dueAt }) => dueAt),
    ],
    'release-callbacks',
  )
}

/**
 * Gives those a row that have none, as held by the node; a second statement then treats all alike. One
 * whose payment was wiped in the sandbox gets none.
 */
export async function storeOwed(
  db: Db,
  items: readonly { readonly owed: OwedCallback; readonly holder: NodeId }[],
): Promise<void> {
  const bare = items
    .filter(({ owed }) => owed.noteEnded !== undefined)
    .toSorted((a, b) => (a.owed.subject.key < b.owed.subject.key ? -1 : 1))
  if (bare.length === 0) return
  await db.query(
    `insert into callbacks
       (merchant_id, payment_key, state, kind, payment_id, created_at, status, holder, due_at,
        round_started_at, tries, attempts, resend)
     select i.merchant_id, i.payment_key, i.state, i.kind, i.payment_id, i.at, 'PENDING', i.node,
            i.at, i.at, 0, 0, false
     from (select *, to_timestamp(at_ms / 1000) as at
           from unnest($1::int[], $2::uuid[], $3::text[], $4::text[], $5::uuid[], $6::float8[],
                       $7::int[])
             as u (merchant_id, payment_key, state, kind, payment_id, at_ms, node)) i
     join payments p on p.merchant_id = i.merchant_id and p.kind = i.kind and p.id = i.payment_id
       and p.key = i.payment_key
     order by i.payment_key
     on conflict do nothing`,
    [
      plain(bare, ({ owed }) => owed.subject.merchantId),
      plain(bare, ({ owed }) => owed.subject.key),
      plain(bare, ({ owed }) => owed.state),
      plain(bare, ({ owed }) => owed.subject.kind),
      plain(bare, ({ owed }) => owed.subject.id),
      plain(bare, ({ owed }) => owed.createdAt),
      plain(bare, ({ holder }) => holder),
    ],
    'store-owed',
  )
}

/**
 * An attempt may be under way: at the node that holds the callback, or at one that has lost its name
 * meanwhile.
 */
export const mayBeUnderWay = (callback: string, now: string): string =>
  `(${callback}.holder <> ${UNHELD} or coalesce(${callback}.under_way_until > ${now}, false))`

/**
 * Owes the callback of a final payment again. Where a node is delivering it this moment, it goes out
 * with a fresh round afterwards, so that two deliveries of one payment never overlap.
 */
export async function oweAgain(db: Db, subject: CallbackSubject, now: number): Promise<void> {
  await db.query(
    `insert into callbacks
       (merchant_id, payment_key, state, kind, payment_id, created_at, status, holder, due_at,
        round_started_at, tries, attempts, resend)
     select $1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000), 'PENDING',
        coalesce(max(h.node_id), ${UNHELD}), to_timestamp($6::float8 / 1000),
        to_timestamp($6::float8 / 1000), 0, 0, count(*) > 0
     from callbacks_in_hand h
     where h.merchant_id = $1 and h.payment_key = $2 and h.state = $3
     on conflict (merchant_id, payment_key, state) do update
     set status = 'PENDING', due_at = greatest(excluded.due_at, callbacks.under_way_until),
         round_started_at = excluded.due_at, tries = 0,
         resend = ${mayBeUnderWay('callbacks', 'excluded.due_at')},
         feed_transaction = (select pg_current_xact_id() from listeners l where l.merchant_id = $1)`,
    [subject.merchantId, subject.key, subject.state, subject.kind, subject.id, now],
  )
}
