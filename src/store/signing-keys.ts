import type { Db } from './database.ts'

export type StoredKey = {
  readonly number: number
  readonly publicKey: string
  readonly sealedPrivateKey: string
}

/** The current key first; retired ones behind it, so that old signatures can still be checked. */
export async function findSigningKeys(db: Db): Promise<readonly StoredKey[]> {
  return db.query<StoredKey>(
    `select key_number as number, public_key as "publicKey",
            sealed_private_key as "sealedPrivateKey"
     from signing_keys order by key_number desc`,
  )
}

/** Of two nodes that start at once, one stores its key and both read that one. */
export async function addSigningKey(db: Db, key: StoredKey, now: number): Promise<void> {
  await db.query(
    `insert into signing_keys (key_number, public_key, sealed_private_key, created_at)
     values ($1, $2, $3, to_timestamp($4::float8 / 1000)) on conflict do nothing`,
    [key.number, key.publicKey, key.sealedPrivateKey, now],
  )
}
