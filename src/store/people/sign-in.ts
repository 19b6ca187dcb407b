import type { Db } from '../engine/database.ts'

/** What signing in leaves behind: links that work once, recovery codes, failures. */
export type LinkPurpose = 'PASSWORD' | 'SIGN_IN'

export async function insertLink(
  db: Db,
  link: {
    readonly hash: Buffer
    readonly userId: number
    readonly purpose: LinkPurpose
    readonly expiresMs: number
  },
): Promise<void> {
  await db.query(
    `insert into user_links (hash, user_id, purpose, expires_at)
     values ($1, $2, $3, to_timestamp($4::float8 / 1000))`,
    [link.hash, link.userId, link.purpose, link.expiresMs],
  )
}

export async function findLink(
  db: Db,
  hash: Buffer,
  purpose: LinkPurpose,
  now: number,
): Promise<number | undefined> {
  const [row] = await db.query<{ userId: number }>(
    `select user_id as "userId" from user_links
     where hash = $1 and purpose = $2 and expires_at > to_timestamp($3::float8 / 1000)`,
    [hash, purpose, now],
  )
  return row?.userId
}

/** Of two that come at once, one gets in. */
export async function takeLink(
  db: Db,
  hash: Buffer,
  purpose: LinkPurpose,
  now: number,
): Promise<number | undefined> {
  const [row] = await db.query<{ userId: number }>(
    `delete from user_links
     where hash = $1 and purpose = $2 and expires_at > to_timestamp($3::float8 / 1000)
     returning user_id as "userId"`,
    [hash, purpose, now],
  )
  return row?.userId
}

/** Links of a person lose their force, such as when a password was set. */
export async function dropLinksOf(db: Db, userId: number, purpose: LinkPurpose): Promise<void> {
  await db.query('delete from user_links where user_id = $1 and purpose = $2', [userId, purpose])
}

export async function replaceRecoveryCodes(
  db: Db,
  userId: number,
  hashes: readonly Buffer[],
): Promise<void> {
  await db.query('delete from recovery_codes where user_id = $1', [userId])
  await db.query('insert into recovery_codes (user_id, hash) select $1, unnest($2::bytea[])', [
    userId,
    hashes,
  ])
}

export async function takeRecoveryCode(
  db: Db,
  userId: number,
  hash: Buffer,
  now: number,
): Promise<boolean> {
  const rows = await db.query(
    `update recovery_codes set used_at = to_timestamp($3::float8 / 1000)
     where user_id = $1 and hash = $2 and used_at is null returning 1`,
    [userId, hash, now],
  )
  return rows.length === 1
}

export async function countRecoveryCodes(db: Db, userId: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'select count(*)::int from recovery_codes where user_id = $1 and used_at is null',
    [userId],
  )
  return row?.count ?? 0
}

type Failures = { readonly failures: number; readonly lastMs: number }

/** The worst of these subjects: an account, an address. */
export async function findFailures(
  db: Db,
  subjects: readonly string[],
): Promise<readonly Failures[]> {
  return db.query<Failures>(
    `select failures, (extract(epoch from last_at) * 1000)::float8 as "lastMs"
     from sign_in_failures where subject = any($1)`,
    [subjects],
  )
}

/**
 * What lies further back than `forgottenBefore` does not count any more. Answers the subjects for
 * which this is the first failure of a series.
 */
export async function noteFailure(
  db: Db,
  subjects: readonly string[],
  now: number,
  forgottenBefore: number,
): Promise<readonly string[]> {
  const rows = await db.query<{ subject: string; failures: number }>(
    `insert into sign_in_failures as f (subject, failures, last_at)
     select s, 1, to_timestamp($2::float8 / 1000) from unnest($1::text[]) s order by s
     on conflict (subject) do update set last_at = excluded.last_at,
       failures = case when f.last_at < to_timestamp($3::float8 / 1000) then 1
         else least(f.failures + 1, 1000) end
     returning subject, failures`,
    [subjects, now, forgottenBefore],
  )
  return rows.filter(({ failures }) => failures === 1).map(({ subject }) => subject)
}

export async function forgetFailures(db: Db, subject: string): Promise<void> {
  await db.query('delete from sign_in_failures where subject = $1', [subject])
}
