import type { MerchantId } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'

/** The public keys with which merchants sign their requests. */
export type MerchantKey = {
  readonly merchant: string
  readonly keyId: string
  readonly publicKey: string
  readonly createdMs: number
  /** Signatures that it verified. */
  readonly usedCount: number
  readonly lastUsedMs: number | null
}

/** Of one merchant, or of all. */
export async function listMerchantKeys(
  db: Db,
  merchantId?: MerchantId,
): Promise<readonly MerchantKey[]> {
  return db.query<MerchantKey>(
    `select m.slug as merchant, k.key_id as "keyId", k.public_key as "publicKey",
            (extract(epoch from k.created_at) * 1000)::float8 as "createdMs",
            k.used_count::float8 as "usedCount",
            (extract(epoch from k.last_used_at) * 1000)::float8 as "lastUsedMs"
     from merchant_keys k join merchants m using (merchant_id)
     where $1::int is null or k.merchant_id = $1
     order by k.merchant_id, k.created_at, k.key_id`,
    [merchantId ?? null],
  )
}

/** False when the merchant has a key of that name already. */
export async function insertMerchantKey(
  db: Db,
  merchantId: MerchantId,
  key: { keyId: string; publicKey: string; now: number },
): Promise<boolean> {
  const rows = await db.query(
    `insert into merchant_keys (merchant_id, key_id, public_key, created_at)
     values ($1, $2, $3, to_timestamp($4::float8 / 1000)) on conflict do nothing returning 1`,
    [merchantId, key.keyId, key.publicKey, key.now],
  )
  return rows.length === 1
}

/** False when there was none of that name. Undefined as name deletes all. */
export async function deleteMerchantKeys(
  db: Db,
  merchantId: MerchantId,
  keyId?: string,
): Promise<boolean> {
  const rows = await db.query(
    `delete from merchant_keys where merchant_id = $1 and ($2::text is null or key_id = $2)
     returning 1`,
    [merchantId, keyId ?? null],
  )
  return rows.length > 0
}
