import type { MerchantId } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'

/** Sessions of people, by the hash of what their browser keeps. */
export type Session = {
  readonly hash: Buffer
  readonly userId: number
  readonly merchantId: MerchantId | null
  /** The merchant whose provider said who it is: the session is for that one alone. */
  readonly onlyMerchantId: MerchantId | null
  /** False while the second factor is still to come. */
  readonly isComplete: boolean
  readonly createdMs: number
  readonly seenMs: number
  readonly confirmedMs: number
  readonly address: string
  readonly agent: string
}

const COLUMNS = `hash, user_id as "userId", merchant_id as "merchantId",
  only_merchant_id as "onlyMerchantId", is_complete as "isComplete", (extract(epoch from created_at) * 1000)::float8 as "createdMs",
  (extract(epoch from seen_at) * 1000)::float8 as "seenMs",
  (extract(epoch from confirmed_at) * 1000)::float8 as "confirmedMs", address, agent`

type NewSession = Omit<Session, 'seenMs' | 'confirmedMs'> & {
  /** Sensitive changes need not ask at once. */
  readonly isConfirmed: boolean
}

export async function insertSession(db: Db, session: NewSession): Promise<void> {
  const { hash, userId, merchantId, onlyMerchantId, isComplete, createdMs, address, agent } =
    session
  await db.query(
    `insert into user_sessions (hash, user_id, merchant_id, is_complete, created_at, seen_at,
       confirmed_at, address, agent, only_merchant_id)
     select $1, $2, $3, $4, t.at, t.at, case when $9 then t.at else 'epoch' end, $6, $7, $8
     from (select to_timestamp($5::float8 / 1000) as at) t`,
    [
      hash,
      userId,
      merchantId,
      isComplete,
      createdMs,
      address,
      agent,
      onlyMerchantId,
      session.isConfirmed,
    ],
  )
}

export async function findSession(db: Db, hash: Buffer): Promise<Session | undefined> {
  const [row] = await db.query<Session>(
    `select ${COLUMNS} from user_sessions where hash = $1`,
    [hash],
    'find-session',
  )
  return row
}

/** Which of them last, by their hashes as hexadecimal digits. */
export async function findLiveSessions(
  db: Db,
  hashes: readonly Buffer[],
  times: { readonly seenAfter: number; readonly createdAfter: number },
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ hash: Buffer }>(
    `select s.hash from user_sessions s join users u on u.user_id = s.user_id
     where s.hash = any($1) and s.is_complete and s.seen_at >= to_timestamp($2::float8 / 1000)
       and s.created_at >= to_timestamp($3::float8 / 1000) and u.disabled_at is null`,
    [hashes, times.seenAfter, times.createdAfter],
    'find-live-sessions',
  )
  return new Set(rows.map(({ hash }) => hash.toString('hex')))
}

export async function listSessions(db: Db, userId: number): Promise<readonly Session[]> {
  return db.query<Session>(
    `select ${COLUMNS} from user_sessions where user_id = $1 and is_complete
     order by seen_at desc`,
    [userId],
  )
}

export async function touchSession(db: Db, hash: Buffer, now: number): Promise<void> {
  await db.query(
    'update user_sessions set seen_at = to_timestamp($2::float8 / 1000) where hash = $1',
    [hash, now],
  )
}

/** The person proved once more who they are. */
export async function confirmSession(db: Db, hash: Buffer, now: number): Promise<void> {
  await db.query(
    'update user_sessions set confirmed_at = to_timestamp($2::float8 / 1000) where hash = $1',
    [hash, now],
  )
}

export async function setSessionMerchant(
  db: Db,
  hash: Buffer,
  merchantId: MerchantId,
): Promise<void> {
  await db.query('update user_sessions set merchant_id = $2 where hash = $1', [hash, merchantId])
}

/** Of one person: nobody ends what is not theirs. */
export async function endSessionOf(db: Db, userId: number, hash: Buffer): Promise<boolean> {
  const rows = await db.query(
    'delete from user_sessions where user_id = $1 and hash = $2 returning 1',
    [userId, hash],
  )
  return rows.length === 1
}

/** Answers what it was; undefined where there is none. */
export async function endSession(db: Db, hash: Buffer): Promise<Session | undefined> {
  const [row] = await db.query<Session>(
    `delete from user_sessions where hash = $1 returning ${COLUMNS}`,
    [hash],
  )
  return row
}

/** All of a person but this one. */
export async function endSessionsOf(db: Db, userId: number, but?: Buffer): Promise<void> {
  await db.query(
    'delete from user_sessions where user_id = $1 and ($2::bytea is null or hash <> $2)',
    [userId, but ?? null],
  )
}
