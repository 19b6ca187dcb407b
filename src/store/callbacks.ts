import type { CallbackStatus } from '../domain/callback.ts'
import type { CallbackSubject, SubjectState } from '../domain/callback-subject.ts'
import { type MerchantId, type NodeId, type PaymentKey, UNHELD } from '../domain/ids.ts'
import { findSubject } from './callback-subjects.ts'
import { plain, quoted } from './columns.ts'
import type { Db } from './database.ts'
import { createGroup, type Group } from './group.ts'
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from './payment-rows.ts'

/** A callback that is owed, with what it tells about. */
export type OwedCallback = {
  readonly subject: CallbackSubject
  /** The state the merchant is told; the payment itself may have gone on. */
  readonly state: SubjectState
  readonly createdAt: number
  readonly roundStartedAt: number
  /** Tries in the present round; a resend starts a new round. */
  readonly tries: number
  /** Attempts ever made; numbers the next one. */
  readonly attempts: number
}

/** One attempt to deliver, and what follows from it. */
export type Attempt = {
  readonly owed: OwedCallback
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
  const rows = await db.query<{ payment_key: string; state: string }>(
    RECORD,
    columnsOf(items),
    'record-attempts',
  )
  const again = new Set(rows.map((row) => row.payment_key + row.state))
  return items.map(({ owed }) => ({ resend: again.has(owed.subject.key + owed.state) }))
}

function columnsOf(items: readonly Attempt[]): unknown[] {
  return [
    plain(items, ({ owed }) => owed.subject.merchantId),
    plain(items, ({ owed }) => owed.subject.key),
    plain(items, ({ owed }) => owed.state),
    plain(items, ({ owed }) => owed.attempts + 1),
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

// A resend asked for meanwhile wins over the result: the callback stays due, with the same node.
const RECORD = `
with input as materialized (
  select * from unnest(
    $1::int[], $2::uuid[], $3::text[], $4::int[], $5::float8[], $6::int[], $7::text[], $8::float8[],
    $9::text[], $10::text[], $11::int[], $12::text[], $13::text[], $14::float8[], $15::text[],
    $16::int[])
  as i (merchant_id, payment_key, state, attempt, at_ms, duration_ms, url, signed_ms, key_id,
        signature, http_status, answer, reason, next_ms, status, tries)
), kept as (
  insert into callback_attempts
    (merchant_id, payment_key, state, attempt, at, duration_ms, url, signed_at, key_id, signature,
     http_status, answer, reason, next_at)
  select merchant_id, payment_key, state, attempt, to_timestamp(at_ms / 1000), duration_ms, url,
         to_timestamp(signed_ms / 1000), key_id, signature, http_status, answer, reason,
         to_timestamp(next_ms / 1000)
  from input
  on conflict do nothing
), settled as (
  update callbacks c
  set status = case when c.resend then 'PENDING' else i.status end,
      due_at = case when c.resend then c.due_at else to_timestamp(i.next_ms / 1000) end,
      holder = case when c.resend then c.holder else ${UNHELD} end,
      tries = case when c.resend then 0 else i.tries end,
      attempts = i.attempt,
      resend = false
  from input i
  where c.merchant_id = i.merchant_id and c.payment_key = i.payment_key and c.state = i.state
    and c.status = 'PENDING'
  returning c.payment_key, c.state, c.tries
)
select payment_key, state from settled where tries = 0`

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

export type CallbackRelease = { readonly owed: OwedCallback; readonly dueAt: number }

export async function releaseCallbacks(
  db: Db,
  node: NodeId,
  items: readonly CallbackRelease[],
): Promise<void> {
  await db.query(
    `update callbacks c set holder = ${UNHELD}, due_at = to_timestamp(i.due_ms / 1000)
     from unnest($2::int[], $3::uuid[], $4::text[], $5::float8[])
       as i (merchant_id, payment_key, state, due_ms)
     where c.merchant_id = i.merchant_id and c.payment_key = i.payment_key and c.state = i.state
       and c.holder = $1 and c.due_at is not null`,
    [
      node,
      items.map((item) => item.owed.subject.merchantId),
      items.map((item) => item.owed.subject.key),
      items.map((item) => item.owed.state),
      items.map((item) => item.dueAt),
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
         tries = 0, resend = callbacks.holder <> ${UNHELD}`,
    [subject.merchantId, subject.key, subject.state, subject.kind, subject.id, now],
  )
}

export type AttemptRecord = {
  readonly attempt: number
  readonly atMs: number
  readonly durationMs: number
  readonly url: string
  readonly signedMs: number | null
  readonly keyId: string | null
  readonly signature: string | null
  readonly httpStatus: number | null
  readonly answer: string | null
  readonly reason: string | null
  readonly nextMs: number | null
}

export type DeliveryRecord = {
  readonly state: SubjectState
  readonly status: CallbackStatus
  readonly dueMs: number | null
  readonly attempts: readonly AttemptRecord[]
}

/** Every callback of one payment with every attempt, oldest first. */
export async function findDeliveries(
  db: Db,
  merchantId: MerchantId,
  key: PaymentKey,
): Promise<readonly DeliveryRecord[]> {
  return db.query<DeliveryRecord>(
    `select c.state, c.status, (extract(epoch from c.due_at) * 1000)::float8 as "dueMs",
       coalesce((
         select jsonb_agg(jsonb_build_object(
           'attempt', a.attempt, 'atMs', extract(epoch from a.at) * 1000,
           'durationMs', a.duration_ms, 'url', a.url,
           'signedMs', extract(epoch from a.signed_at) * 1000, 'keyId', a.key_id,
           'signature', a.signature, 'httpStatus', a.http_status, 'answer', a.answer,
           'reason', a.reason, 'nextMs', extract(epoch from a.next_at) * 1000) order by a.attempt)
         from callback_attempts a
         where a.merchant_id = c.merchant_id and a.payment_key = c.payment_key
           and a.state = c.state), '[]') as attempts
     from callbacks c where c.merchant_id = $1 and c.payment_key = $2 order by c.created_at`,
    [merchantId, key],
  )
}
