import type { PageSession, PageTerms } from '../../domain/hosted/page-session.ts'
import type { MerchantId, PaymentId, PaymentKey } from '../../domain/ids.ts'
import type { Generation } from '../../domain/payments/payment.ts'
import type { Db } from '../engine/database.ts'

/** Sessions of the Payment Page. What came of one is the deposit that it names. */
export async function insertPageSession(
  db: Db,
  session: PageSession,
  tokenHash: Buffer,
): Promise<void> {
  await db.query(
    `insert into page_sessions
       (merchant_id, key, token_hash, deposit_id, deposit_id_as_sent, generation, created_at,
        expires_at, terms)
     values ($1, $2, $3, $4, $5, $6, to_timestamp($7::float8 / 1000),
        to_timestamp($8::float8 / 1000), $9)`,
    [
      session.merchantId,
      session.key,
      tokenHash,
      session.depositId,
      session.depositIdAsSent,
      session.generation,
      session.createdAt,
      session.expiresAt,
      JSON.stringify(session.terms),
    ],
    'insert-page-session',
  )
}

type Row = {
  readonly merchant_id: MerchantId
  readonly key: PaymentKey
  readonly deposit_id: PaymentId
  readonly deposit_id_as_sent: string
  readonly generation: Generation
  readonly created_ms: number
  readonly expires_ms: number
  readonly terms: PageTerms
}

export async function findPageSession(db: Db, tokenHash: Buffer): Promise<PageSession | undefined> {
  const [row] = await db.query<Row>(
    `select merchant_id, key, deposit_id, deposit_id_as_sent, generation, terms,
            (extract(epoch from created_at) * 1000)::float8 as created_ms,
            (extract(epoch from expires_at) * 1000)::float8 as expires_ms
     from page_sessions where token_hash = $1`,
    [tokenHash],
    'find-page-session',
  )
  if (row === undefined) return undefined
  return {
    merchantId: row.merchant_id,
    key: row.key,
    depositId: row.deposit_id,
    depositIdAsSent: row.deposit_id_as_sent,
    generation: row.generation,
    createdAt: Math.round(row.created_ms),
    expiresAt: Math.round(row.expires_ms),
    terms: row.terms,
  }
}

const REMOVED_AT_ONCE = 500

export const SESSION_IS_OLD = (expiredBefore: string): string =>
  `expires_at < to_timestamp(${expiredBefore}::float8 / 1000)`

/** Removes some of the sessions that expired before the moment. */
export async function removeOldSessions(db: Db, expiredBefore: number): Promise<void> {
  await db.query(
    `delete from page_sessions s using (
       select merchant_id, key from page_sessions
       where ${SESSION_IS_OLD('$1')}
       order by expires_at limit ${REMOVED_AT_ONCE} for update skip locked) old
     where s.merchant_id = old.merchant_id and s.key = old.key`,
    [expiredBefore],
    'remove-old-sessions',
  )
}
