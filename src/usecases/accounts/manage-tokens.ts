import { randomBytes } from 'node:crypto'
import { type Environment, type Scope, TOKEN_PREFIX } from '../../domain/accounts/token.ts'
import type { MerchantId } from '../../domain/ids.ts'
import { insertToken, revokeTokens } from '../../store/accounts/tokens.ts'
import { announceChange } from '../../store/cluster/service-state.ts'
import type { Database, Db } from '../../store/engine/database.ts'
import { hashToken } from './merchant-directory.ts'

/** 192 bits of chance behind a prefix that says where the token belongs. */
export function newTokenText(environment: Environment): string {
  return TOKEN_PREFIX[environment] + randomBytes(24).toString('base64url')
}

export type NewToken = { readonly tokenId: string; readonly token: string }

/** The text is answered once and never again. */
export async function createToken(
  database: Database,
  options: {
    environment: Environment
    merchantId: MerchantId
    label: string
    scopes: readonly Scope[]
    now: number
  },
): Promise<NewToken> {
  const token = newTokenText(options.environment)
  const tokenId = await database.inTransaction(async (tx) => storeToken(tx, { ...options, token }))
  return { tokenId, token }
}

export async function storeToken(
  tx: Db,
  options: {
    merchantId: MerchantId
    label: string
    scopes: readonly Scope[]
    now: number
    token: string
  },
): Promise<string> {
  const tokenId = `tok_${randomBytes(9).toString('base64url')}`
  await insertToken(tx, { ...options, tokenId, hash: hashToken(options.token) })
  await announceChange(tx)
  return tokenId
}

/** Every node drops what it cached when it is notified of the change; false when there was none. */
export async function revokeToken(
  database: Database,
  tokenId: string,
  now: number,
): Promise<boolean> {
  return database.inTransaction(async (tx) => {
    const revoked = await revokeTokens(tx, { tokenId }, now)
    if (revoked > 0) await announceChange(tx)
    return revoked > 0
  })
}
