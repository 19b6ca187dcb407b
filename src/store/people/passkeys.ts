import type { Db } from '../engine/database.ts'

export type Passkey = {
  readonly credentialId: string
  readonly userId: number
  readonly name: string
  readonly publicKey: Buffer
  /** Some authenticators count what they sign, so that a copy of them is noticed. */
  readonly counter: number
  readonly transports: readonly string[]
  readonly createdMs: number
  readonly usedMs: number | null
}

const COLUMNS = `credential_id as "credentialId", user_id as "userId", name,
  public_key as "publicKey", counter::float8, transports,
  (extract(epoch from created_at) * 1000)::float8 as "createdMs",
  (extract(epoch from used_at) * 1000)::float8 as "usedMs"`

/** False where the passkey belongs to somebody already. */
export async function insertPasskey(db: Db, passkey: Omit<Passkey, 'usedMs'>): Promise<boolean> {
  const { credentialId, userId, name, publicKey, counter, transports, createdMs } = passkey
  const rows = await db.query(
    `insert into passkeys (credential_id, user_id, name, public_key, counter, transports, created_at)
     values ($1, $2, $3, $4, $5, $6, to_timestamp($7::float8 / 1000))
     on conflict (credential_id) do nothing returning 1`,
    [credentialId, userId, name, publicKey, counter, transports, createdMs],
  )
  return rows.length === 1
}

export async function findPasskey(db: Db, credentialId: string): Promise<Passkey | undefined> {
  const [row] = await db.query<Passkey>(
    `select ${COLUMNS} from passkeys where credential_id = $1`,
    [credentialId],
  )
  return row
}

export async function listPasskeys(db: Db, userId: number): Promise<readonly Passkey[]> {
  return db.query<Passkey>(
    `select ${COLUMNS} from passkeys where user_id = $1 order by created_at, credential_id`,
    [userId],
  )
}

export async function notePasskeyUse(
  db: Db,
  credentialId: string,
  counter: number,
  now: number,
): Promise<void> {
  await db.query(
    `update passkeys set counter = $2, used_at = to_timestamp($3::float8 / 1000)
     where credential_id = $1`,
    [credentialId, counter, now],
  )
}

/** Answers its former name. */
export async function renamePasskey(
  db: Db,
  userId: number,
  credentialId: string,
  name: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ name: string }>(
    `update passkeys p set name = $3 from passkeys old
     where p.user_id = $1 and p.credential_id = $2 and old.credential_id = p.credential_id
     returning old.name`,
    [userId, credentialId, name],
  )
  return row?.name
}

/** Answers its name. */
export async function deletePasskey(
  db: Db,
  userId: number,
  credentialId: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ name: string }>(
    'delete from passkeys where user_id = $1 and credential_id = $2 returning name',
    [userId, credentialId],
  )
  return row?.name
}

export async function deletePasskeysOf(db: Db, userId: number): Promise<void> {
  await db.query('delete from passkeys where user_id = $1', [userId])
}

/** Of two answers to the same challenge, one counts. */
export async function takeChallenge(
  db: Db,
  challenge: string,
  expiresMs: number,
): Promise<boolean> {
  const rows = await db.query(
    `insert into used_challenges (challenge, expires_at)
     values ($1, to_timestamp($2::float8 / 1000)) on conflict (challenge) do nothing returning 1`,
    [challenge, expiresMs],
  )
  return rows.length === 1
}
