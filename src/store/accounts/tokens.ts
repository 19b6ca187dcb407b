import type { Scope } from '../../domain/accounts/token.ts'
import type { MerchantId } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'

/** Token hashes. The text of a token is never here. */
export type TokenOwner = {
  readonly merchantId: MerchantId
  readonly tokenId: string
  readonly scopes: readonly Scope[]
  /** Null: it works until it is revoked. */
  readonly expiresMs: number | null
}

const OWNER = `merchant_id as "merchantId", token_id as "tokenId", scopes,
  (extract(epoch from expires_at) * 1000)::float8 as "expiresMs"`

/** Neither revoked nor expired at the moment that is the parameter. */
const works = (now: string): string =>
  `revoked_at is null and (expires_at is null or expires_at > to_timestamp(${now}::float8 / 1000))`

/** Revoked and expired tokens are not found: to a caller they are the same as unknown ones. */
export async function findTokenOwner(
  db: Db,
  hash: Buffer,
  now: number,
): Promise<TokenOwner | undefined> {
  const [row] = await db.query<TokenOwner>(
    `select ${OWNER} from api_tokens where hash = $1 and ${works('$2')}`,
    [hash, now],
    'find-token',
  )
  return row
}

/** By its identifier, with the hash that proofs are made with; others are not found either. */
export async function findTokenById(
  db: Db,
  merchantId: number,
  tokenId: string,
  now: number,
): Promise<(TokenOwner & { readonly hash: Buffer }) | undefined> {
  const [row] = await db.query<TokenOwner & { hash: Buffer }>(
    `select ${OWNER}, hash
     from api_tokens where merchant_id = $1 and token_id = $2 and ${works('$3')}`,
    [merchantId, tokenId, now],
  )
  return row
}

type TokenRow = {
  readonly merchantId: MerchantId
  readonly tokenId: string
  readonly hash: Buffer
  readonly lastFour: string
  readonly label: string
  readonly scopes: readonly Scope[]
  /** Empty where the sandbox made it for itself. */
  readonly createdBy: string
  readonly expiresMs: number | undefined
  readonly now: number
}

/** False when there is one of that identifier already. */
export async function insertToken(db: Db, token: TokenRow): Promise<boolean> {
  const rows = await db.query(
    `insert into api_tokens (merchant_id, token_id, hash, last_four, label, scopes, created_by,
       created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6, $7, to_timestamp($8::float8 / 1000),
       to_timestamp($9::float8 / 1000))
     on conflict (merchant_id, token_id) do nothing returning 1`,
    [
      token.merchantId,
      token.tokenId,
      token.hash,
      token.lastFour,
      token.label,
      token.scopes,
      token.createdBy,
      token.now,
      token.expiresMs ?? null,
    ],
  )
  return rows.length === 1
}

/** It works until then, or for as long as it would have anyway; false when it does not work. */
export async function limitToken(
  db: Db,
  merchantId: MerchantId,
  tokenId: string,
  { expiresMs, now }: { readonly expiresMs: number; readonly now: number },
): Promise<boolean> {
  const rows = await db.query(
    `update api_tokens set expires_at = least(expires_at, to_timestamp($3::float8 / 1000))
     where merchant_id = $1 and token_id = $2 and ${works('$4')} returning 1`,
    [merchantId, tokenId, expiresMs, now],
  )
  return rows.length === 1
}

export type TokenSummary = {
  readonly tokenId: string
  readonly merchant: string
  readonly label: string
  readonly scopes: readonly Scope[]
  readonly lastFour: string
  readonly createdBy: string
  readonly createdMs: number
  readonly expiresMs: number | null
  readonly lastUsedMs: number | null
  readonly revokedMs: number | null
}

export async function listTokens(
  db: Db,
  merchantId: MerchantId | undefined,
): Promise<readonly TokenSummary[]> {
  return db.query<TokenSummary>(
    `select t.token_id as "tokenId", m.slug as merchant, t.label, t.scopes,
            t.last_four as "lastFour", t.created_by as "createdBy",
            (extract(epoch from t.created_at) * 1000)::float8 as "createdMs",
            (extract(epoch from t.expires_at) * 1000)::float8 as "expiresMs",
            (extract(epoch from t.last_used_at) * 1000)::float8 as "lastUsedMs",
            (extract(epoch from t.revoked_at) * 1000)::float8 as "revokedMs"
     from api_tokens t join merchants m using (merchant_id)
     where $1::int is null or t.merchant_id = $1 order by t.created_at, t.token_id`,
    [merchantId ?? null],
  )
}

/** Answers how many were revoked: none when the identifier is unknown or already revoked. */
export async function revokeTokens(
  db: Db,
  which:
    | { tokenId: string; merchantId?: MerchantId }
    | { merchantId: MerchantId; label: string; exceptHash: Buffer },
  now: number,
): Promise<number> {
  const rows =
    'tokenId' in which
      ? await db.query(
          `update api_tokens set revoked_at = to_timestamp($2::float8 / 1000)
           where token_id = $1 and revoked_at is null and ($3::int is null or merchant_id = $3)
           returning 1`,
          [which.tokenId, now, which.merchantId ?? null],
        )
      : await db.query(
          `update api_tokens set revoked_at = to_timestamp($4::float8 / 1000)
           where merchant_id = $1 and label = $2 and hash <> $3 and revoked_at is null
             and created_by = '' returning 1`,
          [which.merchantId, which.label, which.exceptHash, now],
        )
  return rows.length
}

/** It works again, without an end; false when the merchant never had this token. */
export async function reinstateToken(
  db: Db,
  merchantId: MerchantId,
  hash: Buffer,
): Promise<boolean> {
  const rows = await db.query(
    `update api_tokens set revoked_at = null, expires_at = null
     where merchant_id = $1 and hash = $2 returning 1`,
    [merchantId, hash],
  )
  return rows.length === 1
}
