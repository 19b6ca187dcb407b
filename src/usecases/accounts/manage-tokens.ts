import { randomBytes } from 'node:crypto'
import { type Environment, type Scope, TOKEN_PREFIX } from '../../domain/accounts/token.ts'
import type { MerchantId } from '../../domain/ids.ts'
import { insertToken, limitToken, revokeTokens } from '../../store/accounts/tokens.ts'
import { announceChange } from '../../store/cluster/service-state.ts'
import type { Database, Db } from '../../store/engine/database.ts'
import { hashToken } from './merchant-directory.ts'

/** 192 bits of chance behind a prefix that says where the token belongs. */
export function newTokenText(environment: Environment): string {
  return TOKEN_PREFIX[environment] + randomBytes(24).toString('base64url')
}

export const newTokenId = (): string => `tok_${randomBytes(9).toString('base64url')}`

export type NewToken = { readonly tokenId: string; readonly token: string }

type TokenOrder = {
  readonly merchantId: MerchantId
  readonly label: string
  readonly scopes: readonly Scope[]
  /** An e-mail, or the command line. */
  readonly createdBy?: string
  readonly expiresMs?: number | undefined
  readonly now: number
}

/** The text is answered once and never again. */
export async function createToken(
  database: Database,
  order: TokenOrder & { readonly environment: Environment },
): Promise<NewToken> {
  const token = newTokenText(order.environment)
  const tokenId = await database.inTransaction((tx) => storeToken(tx, { ...order, token }))
  return { tokenId, token }
}

/** In a transaction of the caller. Throws where the identifier, if one is given, is taken. */
export async function storeToken(
  tx: Db,
  order: TokenOrder & { readonly token: string; readonly tokenId?: string },
): Promise<string> {
  const { token, tokenId = newTokenId(), createdBy = '', expiresMs, ...rest } = order
  const lastFour = token.slice(-4)
  const row = { ...rest, tokenId, hash: hashToken(token), lastFour, createdBy, expiresMs }
  if (!(await insertToken(tx, row))) throw new TokenIdTaken(tokenId)
  await announceChange(tx)
  return tokenId
}

/** The form that asks for a token was sent before. */
export class TokenIdTaken extends Error {}

/** Every node drops what it cached when it is notified of the change; false when there was none. */
export async function revokeToken(
  database: Database,
  tokenId: string,
  now: number,
): Promise<boolean> {
  return database.inTransaction((tx) => revokeTokenIn(tx, { tokenId }, now))
}

/** The same in a transaction of the caller. */
export async function revokeTokenIn(
  tx: Db,
  which: { readonly tokenId: string; readonly merchantId?: MerchantId },
  now: number,
): Promise<boolean> {
  const revoked = await revokeTokens(tx, which, now)
  if (revoked > 0) await announceChange(tx)
  return revoked > 0
}

/** Lets a token end; one that ends sooner anyway stays as it is. False when it does not work. */
export async function limitTokenIn(
  tx: Db,
  which: { readonly tokenId: string; readonly merchantId: MerchantId },
  until: { readonly expiresMs: number; readonly now: number },
): Promise<boolean> {
  const isLimited = await limitToken(tx, which.merchantId, which.tokenId, until)
  if (isLimited) await announceChange(tx)
  return isLimited
}
