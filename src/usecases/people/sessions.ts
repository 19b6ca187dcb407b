import { hash, randomBytes } from 'node:crypto'
import type { MerchantId } from '../../domain/ids.ts'
import { LIFETIMES } from '../../domain/timing.ts'
import { UPKEEP } from '../../domain/upkeep-timing.ts'
import type { Db } from '../../store/engine/database.ts'
import {
  endSession,
  findSession,
  insertSession,
  type Session,
  setSessionMerchant,
  touchSession,
} from '../../store/people/sessions.ts'
import { findUser, listMemberships, noteSeen, type User } from '../../store/people/users.ts'
import type { Origin, PeopleContext, Person } from './context.ts'
import { recordSignIn, recordSignOut, type SignInWay } from './sign-in-log.ts'

export const hashOfSecret = (text: string): Buffer => hash('sha256', text, 'buffer')

export type NewSession = {
  readonly origin: Origin
  /** How the person proved who they are; undefined while the second factor is still to come. */
  readonly way: SignInWay | undefined
  /** The merchant whose provider said who it is. */
  readonly onlyMerchantId?: MerchantId | null
  /** False where sensitive changes have to ask at once. */
  readonly isConfirmed?: boolean
}

/**
 * Answers the text that the browser keeps; the database has its hash alone. Undefined where the
 * person belongs to no merchant any more.
 */
export async function openSession(
  ctx: PeopleContext,
  tx: Db,
  user: User,
  { origin, way, onlyMerchantId = null, isConfirmed = true }: NewSession,
): Promise<string | undefined> {
  const secret = randomBytes(32).toString('base64url')
  const now = ctx.clock.realNow()
  const memberships = await listMemberships(tx, user.userId)
  const first = memberships.find((one) => isOpenTo(one, onlyMerchantId))
  if (first === undefined) return undefined
  await insertSession(tx, {
    hash: hashOfSecret(secret),
    userId: user.userId,
    merchantId: first.merchantId,
    onlyMerchantId,
    isComplete: way !== undefined,
    isConfirmed,
    createdMs: now,
    address: origin.address,
    agent: origin.agent.slice(0, 200),
  })
  if (way === undefined) return secret
  await noteSeen(tx, first, now)
  await recordSignIn(ctx, tx, user, { origin, way, onlyMerchantId })
  return secret
}

const isOpenTo = (
  { merchantId }: { readonly merchantId: MerchantId },
  onlyMerchantId: MerchantId | null,
): boolean => onlyMerchantId === null || merchantId === onlyMerchantId

/** The session that a browser names, while it lasts. */
export async function liveSession(
  ctx: PeopleContext,
  secret: string | undefined,
  isWatching = false,
): Promise<Session | undefined> {
  if (secret === undefined || secret.length > 100) return undefined
  const session = await findSession(ctx.db, hashOfSecret(secret))
  if (session === undefined) return undefined
  const now = ctx.clock.realNow()
  const idle = session.isComplete ? LIFETIMES.sessionIdleMs : LIFETIMES.secondFactorMs
  const isOver = now - session.seenMs > idle || now - session.createdMs > LIFETIMES.sessionMs
  if (isOver) {
    await endSession(ctx.db, session.hash)
    return undefined
  }
  if (!isWatching && now - session.seenMs > UPKEEP.seenEveryMs) {
    await touchSession(ctx.db, session.hash, now)
  }
  return session
}

/**
 * Who is signed in; nobody who has lost their place with the merchant since. `isWatching`: the page
 * asks by itself, which must not keep the session of somebody who has gone away alive.
 */
export async function personOf(
  ctx: PeopleContext,
  secret: string | undefined,
  origin: Origin,
  isWatching = false,
): Promise<Person | undefined> {
  const session = await liveSession(ctx, secret, isWatching)
  if (session?.isComplete !== true) return undefined
  const [user, all] = await Promise.all([
    findUser(ctx.db, session.userId),
    listMemberships(ctx.db, session.userId),
  ])
  const memberships = all.filter((one) => isOpenTo(one, session.onlyMerchantId))
  const chosen = memberships.find(({ merchantId }) => merchantId === session.merchantId)
  const membership = chosen ?? memberships[0]
  if (user === undefined || user.isDisabled || membership === undefined) return undefined
  const merchant = await ctx.merchants.byId(membership.merchantId)
  if (merchant === undefined) return undefined
  const now = ctx.clock.realNow()
  if (!isWatching && now - session.seenMs > UPKEEP.seenEveryMs) {
    await noteSeen(ctx.db, membership, now)
  }
  const { role, countries } = membership
  return { user, merchant, role, countries, memberships, session, origin }
}

/** A person of several merchants looks at another one; false where they do not belong there. */
export async function switchMerchant(
  ctx: PeopleContext,
  { session, memberships }: Person,
  slug: string,
): Promise<boolean> {
  const wanted = memberships.find((one) => one.slug === slug)
  if (wanted === undefined) return false
  await setSessionMerchant(ctx.db, session.hash, wanted.merchantId)
  await noteSeen(ctx.db, wanted, ctx.clock.realNow())
  return true
}

/** Whether a sensitive change may go ahead, or asks first who it is. */
export const isConfirmed = (ctx: PeopleContext, { session }: Person): boolean =>
  ctx.clock.realNow() - session.confirmedMs <= LIFETIMES.confirmedMs

/** One between its two steps ends without a word: nobody was signed in. */
export async function closeSession(
  ctx: PeopleContext,
  secret: string | undefined,
  origin: Origin,
): Promise<void> {
  if (secret === undefined) return
  await ctx.db.inTransaction(async (tx) => {
    const ended = await endSession(tx, hashOfSecret(secret))
    const user = ended?.isComplete === true ? await findUser(tx, ended.userId) : undefined
    if (ended === undefined || user === undefined) return
    await recordSignOut(ctx, tx, user, origin, ended.onlyMerchantId)
  })
}
