import type { Db } from '../engine/database.ts'

export type StoredKey = {
  readonly number: number
  readonly publicKey: string
  readonly sealedPrivateKey: string
  readonly createdMs: number
  /** Null for the current one. */
  readonly retiredMs: number | null
  /** Others may have it: nothing that it signed counts any more. */
  readonly isWithdrawn: boolean
}

/** The current key first; retired ones behind it, so that old signatures can still be checked. */
export async function findSigningKeys(db: Db): Promise<readonly StoredKey[]> {
  return db.query<StoredKey>(
    `select key_number as number, public_key as "publicKey",
            sealed_private_key as "sealedPrivateKey",
            (extract(epoch from created_at) * 1000)::float8 as "createdMs",
            (extract(epoch from retired_at) * 1000)::float8 as "retiredMs",
            withdrawn_at is not null as "isWithdrawn"
     from signing_keys order by key_number desc`,
  )
}

/** Of two nodes that start at once, one stores its key and both read that one. */
export async function addSigningKey(
  db: Db,
  key: Pick<StoredKey, 'number' | 'publicKey' | 'sealedPrivateKey'>,
  now: number,
): Promise<void> {
  await db.query(
    `insert into signing_keys (key_number, public_key, sealed_private_key, created_at)
     values ($1, $2, $3, to_timestamp($4::float8 / 1000)) on conflict do nothing`,
    [key.number, key.publicKey, key.sealedPrivateKey, now],
  )
}

/** Two that change the keys at once take turns. */
export async function lockSigningKeys(tx: Db): Promise<void> {
  await tx.query('lock table signing_keys in share row exclusive mode')
}

export async function retireSigningKeys(db: Db, now: number): Promise<void> {
  await db.query(
    `update signing_keys set retired_at = to_timestamp($1::float8 / 1000)
     where retired_at is null`,
    [now],
  )
}

/** All that are retired. */
export async function withdrawSigningKeys(db: Db, now: number): Promise<void> {
  await db.query(
    `update signing_keys set withdrawn_at = to_timestamp($1::float8 / 1000)
     where retired_at is not null and withdrawn_at is null`,
    [now],
  )
}
