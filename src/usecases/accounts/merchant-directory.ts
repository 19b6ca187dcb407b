import { hash } from 'node:crypto'
import type { Merchant } from '../../domain/accounts/merchant.ts'
import type { Scope } from '../../domain/accounts/token.ts'
import type { MerchantId } from '../../domain/ids.ts'
import { present } from '../../domain/present.ts'
import { findMerchant } from '../../store/accounts/merchants.ts'
import { findTokenOwner, type TokenOwner } from '../../store/accounts/tokens.ts'
import type { Db } from '../../store/engine/database.ts'

/**
 * Merchants and tokens, kept in memory until a change is announced. Unknown tokens are not kept:
 * a stranger must not be able to fill the memory, and a token just made must work at once.
 */
export type Caller = {
  readonly merchant: Merchant
  readonly tokenId: string
  readonly scopes: ReadonlySet<Scope>
  /** Absent: it works until it is revoked. */
  readonly expiresMs?: number
}

export type MerchantDirectory = {
  byToken(token: string): Promise<Caller | undefined>
  /** The same from memory alone. */
  known(token: string): Caller | undefined
  byId(id: MerchantId): Promise<Merchant | undefined>
  /** Drops everything known; the next question goes to the database. */
  forget(): void
  /**
   * Whether changes are announced to this node. While they are not, nothing is kept, and callers that
   * were known are believed only if the database cannot be asked, and then nothing is stored either.
   */
  follow(isNotified: boolean): void
}

export function hashToken(token: string): Buffer {
  return hash('sha256', token, 'buffer')
}

export function createMerchantDirectory(db: Db, realNow: () => number): MerchantDirectory {
  // By the text of the token, which every request brings along: only strangers are hashed.
  let callers = new Map<string, Caller>()
  let merchants = new Map<MerchantId, Merchant>()
  let asked = new Map<MerchantId, Promise<Merchant | undefined>>()
  let isNotified = false
  let formerCallers = new Map<string, Caller>()

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
    // A question under way may be older than a change of which this node is not notified.
    if (!isNotified) return findMerchant(db, id)
    const answer = asked.get(id) ?? read(id)
    asked.set(id, answer)
    return answer
  }

  const unexpired = (caller: Caller | undefined): Caller | undefined => {
    const isExpired = caller?.expiresMs !== undefined && caller.expiresMs <= realNow()
    return isExpired ? undefined : caller
  }
  const known = (token: string): Caller | undefined => unexpired(callers.get(token))

  const readCaller = async (token: string): Promise<Caller | undefined> => {
    const owner = await findTokenOwner(db, hashToken(token), realNow())
    const merchant = owner === undefined ? undefined : await byId(owner.merchantId)
    return owner && merchant && callerOf(merchant, owner)
  }
  const orFormer = (token: string) => (error: unknown) => {
    const former = unexpired(formerCallers.get(token))
    if (former === undefined) throw error
    return former
  }

  const forget = (): void => {
    formerCallers = new Map()
    callers = new Map()
    merchants = new Map()
    asked = new Map()
  }

  return {
    byId,
    known,
    byToken: async (token) => {
      const caller = known(token)
      if (caller !== undefined) return caller
      if (!isNotified) return readCaller(token).catch(orFormer(token))
      const generation = callers
      const found = await readCaller(token)
      if (found !== undefined && generation === callers) callers.set(token, found)
      return found
    },
    forget,
    follow: (notified) => {
      const former = isNotified ? callers : formerCallers
      forget()
      isNotified = notified
      if (!notified) formerCallers = former
    },
  }
}

const callerOf = (merchant: Merchant, { tokenId, scopes, expiresMs }: TokenOwner): Caller => ({
  merchant,
  tokenId,
  scopes: new Set(scopes),
  ...present({ expiresMs }),
})
