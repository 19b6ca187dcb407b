import type { Scope } from '../../domain/accounts/token.ts'
import { listTokens, type TokenSummary } from '../../store/accounts/tokens.ts'
import { recordChange } from '../people/change.ts'
import type { PeopleContext, Person } from '../people/context.ts'
import type { AccountContext } from './context.ts'
import {
  limitTokenIn,
  type NewToken,
  newTokenText,
  revokeTokenIn,
  storeToken,
  TokenIdTaken,
} from './manage-tokens.ts'

/** What people of a merchant do with its tokens. */
type TokenContext = PeopleContext & AccountContext

export type { TokenSummary }

/** With what this node knows of their use, newest first. */
export async function readTokens(
  ctx: TokenContext,
  { merchant }: Person,
): Promise<readonly TokenSummary[]> {
  await ctx.lastUses.flush(true)
  return (await listTokens(ctx.db, merchant.id)).toReversed()
}

export const isWorking = (
  { revokedMs, expiresMs }: Pick<TokenSummary, 'revokedMs' | 'expiresMs'>,
  now: number,
): boolean => revokedMs === null && (expiresMs === null || expiresMs > now)

type TokenForm = {
  /** Chosen when the form was shown: sent twice, it makes one token. */
  readonly tokenId: string
  readonly label: string
  readonly scopes: readonly Scope[]
  /** Undefined: until it is revoked. */
  readonly lastsMs: number | undefined
}

/** Undefined where the form was sent before. */
export async function addToken(
  ctx: TokenContext,
  person: Person,
  form: TokenForm,
): Promise<NewToken | undefined> {
  const { merchant, user } = person
  const token = newTokenText(ctx.environment)
  const now = ctx.clock.realNow()
  const { tokenId, label, scopes, lastsMs } = form
  const expiresMs = lastsMs === undefined ? undefined : now + lastsMs
  const order = { merchantId: merchant.id, label, scopes, expiresMs, createdBy: user.email, now }
  const after = { label, scopes, expires: dateOf(expiresMs) }
  return once(async () => {
    await ctx.db.inTransaction(async (tx) => {
      await storeToken(tx, { ...order, token, tokenId })
      await recordChange(ctx, tx, person, { action: 'token created', object: tokenId, after })
    })
    ctx.merchants.forget()
    return { tokenId, token }
  })
}

type Rotation = {
  readonly former: TokenSummary
  readonly tokenId: string
  /** How long the former one goes on working. */
  readonly overlapMs: number
  readonly lastsMs: number | undefined
}

type Rotated = NewToken & { readonly formerEndsMs: number }

/** Another token with the same name and rights; the former one ends later. */
export async function rotateToken(
  ctx: TokenContext,
  person: Person,
  { former, tokenId, overlapMs, lastsMs }: Rotation,
): Promise<Rotated | 'GONE' | undefined> {
  const { merchant, user } = person
  const token = newTokenText(ctx.environment)
  const now = ctx.clock.realNow()
  const { label, scopes } = former
  const formerEndsMs = Math.min(now + overlapMs, former.expiresMs ?? Number.POSITIVE_INFINITY)
  const expiresMs = lastsMs === undefined ? undefined : now + lastsMs
  const order = { merchantId: merchant.id, label, scopes, expiresMs, createdBy: user.email, now }
  return once(async () => {
    const isThere = await ctx.db.inTransaction(async (tx) => {
      const which = { tokenId: former.tokenId, merchantId: merchant.id }
      if (!(await limitTokenIn(tx, which, { expiresMs: formerEndsMs, now }))) return false
      await storeToken(tx, { ...order, token, tokenId })
      await recordChange(ctx, tx, person, {
        action: 'token rotated',
        object: former.tokenId,
        before: { label, expires: dateOf(former.expiresMs ?? undefined) },
        after: { label, expires: dateOf(formerEndsMs), next: tokenId },
      })
      return true
    })
    if (!isThere) return 'GONE'
    ctx.merchants.forget()
    return { tokenId, token, formerEndsMs }
  })
}

/** False where it does not work any more, or is not of this merchant. */
export async function endToken(
  ctx: TokenContext,
  person: Person,
  { tokenId, label }: TokenSummary,
): Promise<boolean> {
  const merchantId = person.merchant.id
  const isRevoked = await ctx.db.inTransaction(async (tx) => {
    if (!(await revokeTokenIn(tx, { tokenId, merchantId }, ctx.clock.realNow()))) return false
    const change = { action: 'token revoked', object: tokenId, before: { label } }
    await recordChange(ctx, tx, person, change)
    return true
  })
  if (isRevoked) ctx.merchants.forget()
  return isRevoked
}

async function once<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof TokenIdTaken) return undefined
    throw error
  }
}

const dateOf = (ms: number | undefined): string | null =>
  ms === undefined ? null : new Date(ms).toISOString()
