import type { CallbackStatus } from '../domain/callback.ts'
import type { SubjectState } from '../domain/callback-subject.ts'
import type { MerchantId, PaymentKey } from '../domain/ids.ts'
import type { Db } from './database.ts'

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
         from callback_attempts a
         where a.merchant_id = c.merchant_id and a.payment_key = c.payment_key
           and a.state = c.state), '[]') as attempts
     from callbacks c where c.merchant_id = $1 and c.payment_key = $2 order by c.created_at`,
    [merchantId, key],
  )
}
