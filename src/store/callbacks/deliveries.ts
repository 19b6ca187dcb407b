import type { CallbackStatus } from '../../domain/callbacks/callback.ts'
import type { SubjectKind, SubjectState } from '../../domain/callbacks/callback-subject.ts'
import { type CallbackFilter, FIRST_KEY, keySpan } from '../../domain/callbacks/replay.ts'
import type { MerchantId, PaymentKey } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'
import { WITH_STATUS } from './replays.ts'

/** Callbacks as people look at them: what was tried, what came of it, what comes next. */

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
         from kept_attempts a
         where a.merchant_id = c.merchant_id and a.payment_key = c.payment_key
           and a.state = c.state), '[]') as attempts
     from (
       select merchant_id, payment_key, state, status, due_at, created_at from callbacks
       where merchant_id = $1 and payment_key = $2
       union all
       select merchant_id, payment_key, state, 'PENDING', begun_at, begun_at
       from callbacks_in_hand where merchant_id = $1 and payment_key = $2
     ) c order by c.created_at`,
    [merchantId, key],
    'find-deliveries',
  )
}

export type ListedCallback = {
  readonly key: string
  readonly kind: SubjectKind
  readonly paymentId: string
  readonly state: SubjectState
  readonly status: CallbackStatus
  readonly createdMs: number
  readonly dueMs: number | null
  /** Without those that had no address to send to. */
  readonly attempts: number
  readonly url: string | null
  readonly reason: string | null
}

/** The first may be kept with its callback: see `kept_attempts`, which would be read whole here. */
const ofLastAttempt = (column: string): string =>
  `case when a.attempt is null then c.first_${column} else a.${column} end`

const LISTED = `
  c.payment_key as key, c.kind, c.payment_id as "paymentId", c.state, c.status,
  (extract(epoch from c.created_at) * 1000)::float8 as "createdMs",
  (extract(epoch from c.due_at) * 1000)::float8 as "dueMs", ${ofLastAttempt('url')} as url, a.reason,
  (c.first_at is not null)::int + (select count(*)::int from callback_attempts s
   where s.merchant_id = c.merchant_id and s.payment_key = c.payment_key and s.state = c.state
     and s.url <> '') as attempts`

const LAST_ATTEMPT = `left join callback_attempts a
  on a.merchant_id = c.merchant_id and a.payment_key = c.payment_key and a.state = c.state
    and a.attempt = c.attempts`

export type LatestCallback = ListedCallback & {
  readonly httpStatus: number | null
  readonly answer: string | null
}

/**
 * Keys grow with time, so that the latest are found without the others. A callback may be owed long
 * after its payment or checkout began, so more keys are read than are shown.
 */
export async function findLatestCallbacks(
  db: Db,
  merchantId: MerchantId,
  limit: number,
): Promise<readonly LatestCallback[]> {
  return db.query<LatestCallback>(
    `select ${LISTED}, ${ofLastAttempt('http_status')} as "httpStatus",
       ${ofLastAttempt('answer')} as answer
     from (
       select * from (
         select * from callbacks where merchant_id = $1 order by payment_key desc limit $3
       ) latest order by created_at desc, payment_key desc limit $2
     ) c ${LAST_ATTEMPT}
     order by c.created_at desc, c.payment_key desc`,
    [merchantId, limit, 10 * limit],
  )
}

/** Callbacks of one merchant and one status, in the order of time, with their last attempt. */
export async function listCallbacks(
  db: Db,
  merchantId: MerchantId,
  filter: CallbackFilter,
  page: { status: CallbackStatus; after?: string | undefined; limit: number },
): Promise<readonly ListedCallback[]> {
  const { from, to } = keySpan(filter)
  // As in a replay: what is pending is read whole, all else in the order of an index.
  const early = page.status === 'PENDING' ? '' : 'order by c.payment_key limit $7'
  return db.query<ListedCallback>(
    `with matching as materialized (
       select c.* from callbacks c
       where ${WITH_STATUS[page.status]} and c.merchant_id = $1 and c.payment_key > $2
         and c.payment_key >= $3 and c.payment_key < $4 and c.kind = any($5::text[])
         and ($6::text is null or c.state = $6) ${early}
     )
     select ${LISTED}
     from (select * from matching order by payment_key limit $7) c ${LAST_ATTEMPT}
     order by c.payment_key`,
    [
      merchantId,
      page.after ?? FIRST_KEY,
      from,
      to,
      filter.kinds,
      filter.result ?? null,
      page.limit,
    ],
  )
}
