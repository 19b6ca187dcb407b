import type { CallbackStatus } from '../../domain/callbacks/callback.ts'
import type { CallbackSubject, SubjectState } from '../../domain/callbacks/callback-subject.ts'
import { type MerchantId, type NodeId, UNHELD } from '../../domain/ids.ts'
import { plain, quoted } from '../engine/columns.ts'
import type { Db } from '../engine/database.ts'
import { createGroup, type Group } from '../engine/group.ts'
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from '../payments/payment-rows.ts'
import { findSubject } from './callback-subjects.ts'

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
}

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

export function createAttemptGroup(db: Db): Group<Attempt, Recorded> {
  return createGroup({
    write: (items) => record(db, items),
    maxItems: 256,
    maxInFlight: 2,
  })
}

async function record(db: Db, items: readonly Attempt[]): Promise<readonly Recorded[]> {
  // Rows are locked in one order by everyone who writes many of them.
  const sorted = items.toSorted((a, b) => (a.owed.subject.key < b.owed.subject.key ? -1 : 1))
  const rows = await db.query<{ payment_key: string; state: string }>(
    RECORD,
    columnsOf(sorted),
    'record-attempts',
  )
  const again = new Set(rows.map((row) => row.payment_key + row.state))
  return items.map(({ owed }) => ({ resend: again.has(owed.subject.key + owed.state) }))
}

/** The attempt is only kept: the callback is settled, or another node has it in hand by now. */
const STAYS = `(c.status <> 'PENDING'
  or (i.status <> 'DELIVERED' and c.holder <> ${UNHELD} and c.holder <> i.node))`

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
 * over the result: the callback stays due, with the same node.
 */
const RECORD = `
with input as materialized (
  select * from unnest(
    $1::int[], $2::uuid[], $3::text[], $4::int[], $5::float8[], $6::int[], $7::text[], $8::float8[],
    $9::text[], $10::text[], $11::int[], $12::text[], $13::text[], $14::float8[], $15::text[],
    $16::int[])
  as i (merchant_id, payment_key, state, node, at_ms, duration_ms, url, signed_ms, key_id,
        signature, http_status, answer, reason, next_ms, status, tries)
), settled as (
  update callbacks c
  set status = case when ${STAYS} or c.resend then c.status else i.status end,
      due_at = case when ${STAYS} or c.resend then c.due_at else to_timestamp(i.next_ms / 1000) end,
      holder = case when ${STAYS} or c.resend then c.holder else ${UNHELD} end,
      tries = case when ${STAYS} then c.tries when c.resend then 0 else i.tries end,
      attempts = c.attempts + 1,
      resend = c.resend and ${STAYS}
  from input i
  where c.merchant_id = i.merchant_id and c.payment_key = i.payment_key and c.state = i.state
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
       update callbacks c set holder = $1, resend = false from due
       where c.merchant_id = due.merchant_id and c.payment_key = due.payment_key
         and c.state = due.state
       returning c.*
     )
     -- The first columns name the callback's subject where it is not a payment.
     select ${PAYMENT_COLUMNS}, ${OWED_COLUMNS} from claimed c
     left join payments p
       on p.merchant_id = c.merchant_id and p.kind = c.kind and p.id = c.payment_id`,
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
  const sorted = items.toSorted((a, b) => (a.owed.subject.key < b.owed.subject.key ? -1 : 1))
  await db.query(
    // A resend asked for meanwhile is due at once, and ends the pause by itself.
    `update callbacks c
     set holder = ${UNHELD}, resend = false,
         due_at = case when c.resend then c.due_at else to_timestamp(i.due_ms / 1000) end,
         status = case when c.resend or i.due_ms is not null then c.status else 'PAUSED' end
     from unnest($1::int[], $2::uuid[], $3::text[], $4::int[], $5::float8[])
       as i (merchant_id, payment_key, state, node, due_ms)
     where c.merchant_id = i.merchant_id and c.payment_key = i.payment_key and c.state = i.state
       and c.holder = i.node and c.due_at is not null`,
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
 * Owes the callback of a final payment again. Where a node is delivering it this moment, that node
 * goes on with a fresh round afterwards, so that two deliveries of one payment never overlap.
 */
export async function oweAgain(db: Db, subject: CallbackSubject, now: number): Promise<void> {
  await db.query(
    `insert into callbacks
       (merchant_id, payment_key, state, kind, payment_id, created_at, status, holder, due_at,
        round_started_at, tries, attempts, resend)
     values ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000), 'PENDING', ${UNHELD},
        to_timestamp($6::float8 / 1000), to_timestamp($6::float8 / 1000), 0, 0, false)
     on conflict (merchant_id, payment_key, state) do update
     set status = 'PENDING', due_at = excluded.due_at, round_started_at = excluded.due_at,
         tries = 0, resend = callbacks.holder <> ${UNHELD},
         heard_in = (select pg_current_xact_id() from listeners l where l.merchant_id = $1)`,
    [subject.merchantId, subject.key, subject.state, subject.kind, subject.id, now],
  )
}
