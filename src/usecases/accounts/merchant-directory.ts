import { hash } from 'node:crypto'
import type { Merchant } from '../../domain/accounts/merchant.ts'
import type { Scope } from '../../domain/accounts/token.ts'
import type { MerchantId } from '../../domain/ids.ts'
import { findMerchant } from '../../store/accounts/merchants.ts'
import { findTokenOwner } from '../../store/accounts/tokens.ts'
import type { Db } from '../../store/engine/database.ts'

/**
 * Merchants and tokens, kept in memory until a change is announced. Unknown tokens are not kept:
 * a stranger must not be able to fill the memory, and a token just made must work at once.
 */
export type Caller = {
  readonly merchant: Merchant
  readonly tokenId: string
  readonly scopes: ReadonlySet<Scope>
}

export type MerchantDirectory = {
  byToken(token: string): Promise<Caller | undefined>
  /** The same from memory alone. */
  known(token: string): Caller | undefined
  byId(id: MerchantId): Promise<Merchant | undefined>
  /** Drops everything known; the next question goes to the database. */
  forget(): void
}

export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

export function createMerchantDirectory(db: Db): MerchantDirectory {
  // By the text of the token, which every request brings along: only strangers are hashed.
  let callers = new Map<string, Caller>()
  let merchants = new Map<MerchantId, Merchant>()
  let asked = new Map<MerchantId, Promise<Merchant | undefined>>()

  const read = async (id: MerchantId): Promise<Merchant | undefined> => {
    // What was asked for before a change must not be kept after it.
    const [generation, questions] = [merchants, asked]
    try {
      const found = await findMerchant(db, id)
      if (found !== undefined) generation.set(id, found)
      return found
    } finally {
      questions.delete(id)
    }
  }

  /** After a change all payments under way ask at once: one answer serves them, in their order. */
  const byId = async (id: MerchantId): Promise<Merchant | undefined> => {
    const known = merchants.get(id)
    if (known !== undefined) return known
    const answer = asked.get(id) ?? read(id)
    asked.set(id, answer)
    return answer
  }

  return {
    byId,
    known: (token) => callers.get(token),
    byToken: async (token) => {
      const known = callers.get(token)
      if (known !== undefined) return known
      const generation = callers
      const owner = await findTokenOwner(db, hashToken(token))
      const merchant = owner === undefined ? undefined : await byId(owner.merchantId)
      if (owner === undefined || merchant === undefined) return undefined
      const caller = { merchant, tokenId: owner.tokenId, scopes: new Set(owner.scopes) }
      if (generation === callers) callers.set(token, caller)
      return caller
    },
    forget: () => {
      callers = new Map()
      merchants = new Map()
      asked = new Map()
    },
  }
}
