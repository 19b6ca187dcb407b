import type { Db } from '../engine/database.ts'

/** Codes by mail, one for a session between its two steps; a new one replaces the former. */
export async function putMailedCode(
  db: Db,
  code: { readonly session: Buffer; readonly hash: Buffer; readonly expiresMs: number },
): Promise<void> {
  await db.query(
    `insert into mailed_codes (session_hash, code_hash, expires_at)
     values ($1, $2, to_timestamp($3::float8 / 1000))
     on conflict (session_hash) do update
     set code_hash = excluded.code_hash, expires_at = excluded.expires_at, tries = 0`,
    [code.session, code.hash, code.expiresMs],
  )
}

/** Counts a try before it is known whether it is right; undefined where there is none left. */
export async function tryMailedCode(
  db: Db,
  session: Buffer,
  { now, triesAtMost }: { readonly now: number; readonly triesAtMost: number },
): Promise<Buffer | undefined> {
  const [row] = await db.query<{ hash: Buffer }>(
    `update mailed_codes set tries = tries + 1
     where session_hash = $1 and tries < $3 and expires_at > to_timestamp($2::float8 / 1000)
     returning code_hash as hash`,
    [session, now, triesAtMost],
  )
  return row?.hash
}

/** Of two that give the right code at once, one gets in. */
export async function takeMailedCode(db: Db, session: Buffer, hash: Buffer): Promise<boolean> {
  const rows = await db.query(
    'delete from mailed_codes where session_hash = $1 and code_hash = $2 returning 1',
    [session, hash],
  )
  return rows.length === 1
}
