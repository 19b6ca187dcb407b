import type { Scope } from '../../domain/accounts/token.ts'
import type { MerchantId } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'

/** Token hashes. The text of a token is never here. */
export type TokenOwner = {
  readonly merchantId: MerchantId
  readonly tokenId: string
  readonly scopes: readonly Scope[]
}

/** Revoked tokens are not found: to a caller they are the same as unknown ones. */
export async function findTokenOwner(db: Db, hash: Buffer): Promise<TokenOwner | undefined> {
  const [row] = await db.query<TokenOwner>(
    `select merchant_id as "merchantId", token_id as "tokenId", scopes
     from api_tokens where hash = $1 and revoked_at is null`,
    [hash],
    'find-token',
  )
  return row
}

/** By its identifier, with the hash that proofs are made with; revoked ones are not found. */
export async function findTokenById(
  db: Db,
  merchantId: number,
  tokenId: string,
): Promise<(TokenOwner & { readonly hash: Buffer }) | undefined> {
  const [row] = await db.query<TokenOwner & { hash: Buffer }>(
    `select merchant_id as "merchantId", token_id as "tokenId", scopes, hash
     from api_tokens where merchant_id = $1 and token_id = $2 and revoked_at is null`,
    [merchantId, tokenId],
  )
  return row
}

export async function insertToken(
  db: Db,
  token: {
    merchantId: MerchantId
    tokenId: string
    hash: Buffer
    label: string
    scopes: readonly Scope[]
    now: number
  },
): Promise<void> {
  await db.query(
    `insert into api_tokens (merchant_id, token_id, hash, label, scopes, created_at)
     values ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000))`,
    [token.merchantId, token.tokenId, token.hash, token.label, token.scopes, token.now],
  )
}

export type TokenSummary = {
  readonly tokenId: string
  readonly merchant: string
  readonly label: string
  readonly scopes: readonly Scope[]
  readonly createdMs: number
  readonly revokedMs: number | null
}

export async function listTokens(
  db: Db,
  merchantId: MerchantId | undefined,
): Promise<readonly TokenSummary[]> {
  return db.query<TokenSummary>(
    `select t.token_id as "tokenId", m.slug as merchant, t.label, t.scopes,
            (extract(epoch from t.created_at) * 1000)::float8 as "createdMs",
            (extract(epoch from t.revoked_at) * 1000)::float8 as "revokedMs"
     from api_tokens t join merchants m using (merchant_id)
     where $1::int is null or t.merchant_id = $1 order by t.created_at, t.token_id`,
    [merchantId ?? null],
  )
}

/** Answers how many were revoked: none when the identifier is unknown or already revoked. */
export async function revokeTokens(
  db: Db,
  which: { tokenId: string } | { merchantId: MerchantId; label: string; exceptHash: Buffer },
  now: number,
): Promise<number> {
  const rows =
    'tokenId' in which
      ? await db.query(
          `update api_tokens set revoked_at = to_timestamp($2::float8 / 1000)
           where token_id = $1 and revoked_at is null returning 1`,
          [which.tokenId, now],
        )
      : await db.query(
          `update api_tokens set revoked_at = to_timestamp($4::float8 / 1000)
           where merchant_id = $1 and label = $2 and hash <> $3 and revoked_at is null returning 1`,
          [which.merchantId, which.label, which.exceptHash, now],
        )
  return rows.length
}

/** Ends a revocation; false when the merchant never had this token. */
export async function reinstateToken(
  db: Db,
  merchantId: MerchantId,
  hash: Buffer,
): Promise<boolean> {
  const rows = await db.query(
    'update api_tokens set revoked_at = null where merchant_id = $1 and hash = $2 returning 1',
    [merchantId, hash],
  )
  return rows.length === 1
}
