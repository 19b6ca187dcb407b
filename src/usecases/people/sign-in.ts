import { hash } from 'node:crypto'
import { unseal } from '../../signing/keys.ts'
import { stepOfCode } from '../../signing/one-time-codes.ts'
import { isPassword } from '../../signing/passwords.ts'
import { confirmSession, endSession } from '../../store/people/sessions.ts'
import {
  findFailures,
  forgetFailures,
  noteFailure,
  takeLink,
  takeRecoveryCode,
} from '../../store/people/sign-in.ts'
import { findUser, findUserByEmail, takeCodeStep, type User } from '../../store/people/users.ts'
import type { Origin, PeopleContext, Person } from './context.ts'
import { hashOfSecret, liveSession, openSession } from './sessions.ts'

export type SignInResult =
  | { readonly status: 'IN' | 'CODE_NEXT'; readonly session: string; readonly device: string }
  /** The same for people who exist and for those who do not. */
  | { readonly status: 'WRONG' }
  | { readonly status: 'WAIT'; readonly seconds: number }

export type SignInRequest = {
  readonly email: string
  readonly password: string
  readonly origin: Origin
  /** What a browser kept in which somebody signed in before. */
  readonly device: string | undefined
}

/**
 * A stranger who guesses is slowed down, and slows down nobody else for long: a browser in which a
 * person signed in before is counted by itself.
 */
export async function signIn(ctx: PeopleContext, request: SignInRequest): Promise<SignInResult> {
  const email = request.email.trim().toLowerCase()
  const subjects = subjectsOf(ctx, email, request)
  const wait = await waitFor(ctx, subjects)
  if (wait > 0) return { status: 'WAIT', seconds: Math.ceil(wait / 1000) }
  const user = await findUserByEmail(ctx.db, email)
  const isRight = await isPassword(request.password, user?.passwordHash ?? undefined)
  if (!isRight || user === undefined || user.isDisabled) {
    await fail(ctx, subjects)
    return { status: 'WRONG' }
  }
  await forgetFailures(ctx.db, subjects.account)
  const isComplete = !user.hasCode
  const session = await openSession(ctx, user, isComplete, request.origin)
  const device = ctx.people.devices.nameFor(email)
  return { status: isComplete ? 'IN' : 'CODE_NEXT', session, device }
}

/** The second step: a code of the authenticator, or one of the recovery codes. */
export async function giveCode(
  ctx: PeopleContext,
  secret: string | undefined,
  code: string,
  origin: Origin,
): Promise<SignInResult> {
  const begun = await liveSession(ctx, secret)
  const user = begun && (await findUser(ctx.db, begun.userId))
  if (begun === undefined || begun.isComplete || user === undefined) return { status: 'WRONG' }
  const subjects = { account: `code:${user.userId}`, address: `address:${origin.address}` }
  const wait = await waitFor(ctx, subjects)
  if (wait > 0) return { status: 'WAIT', seconds: Math.ceil(wait / 1000) }
  if (!(await isCodeOf(ctx, user, code))) {
    await fail(ctx, subjects)
    return { status: 'WRONG' }
  }
  await forgetFailures(ctx.db, subjects.account)
  // The browser gets another secret: one that was planted before is worth nothing.
  await endSession(ctx.db, begun.hash)
  const session = await openSession(ctx, user, true, origin)
  return { status: 'IN', session, device: ctx.people.devices.nameFor(user.email) }
}

/** The first visitor with the link is in. */
export async function signInByLink(
  ctx: PeopleContext,
  code: string,
  origin: Origin,
): Promise<string | undefined> {
  const userId = await takeLink(ctx.db, hashOfSecret(code), 'SIGN_IN', ctx.clock.realNow())
  const user = userId === undefined ? undefined : await findUser(ctx.db, userId)
  if (user === undefined || user.isDisabled) return undefined
  return openSession(ctx, user, true, origin)
}

/** Before a sensitive change: the second factor once more, or the password where there is none. */
export async function confirm(
  ctx: PeopleContext,
  { user, session, origin }: Person,
  proof: string,
): Promise<'CONFIRMED' | 'WRONG' | 'WAIT'> {
  const subjects = { account: `code:${user.userId}`, address: `address:${origin.address}` }
  if ((await waitFor(ctx, subjects)) > 0) return 'WAIT'
  const isRight = user.hasCode
    ? await isCodeOf(ctx, user, proof)
    : await isPassword(proof, user.passwordHash ?? undefined)
  if (!isRight) {
    await fail(ctx, subjects)
    return 'WRONG'
  }
  await confirmSession(ctx.db, session.hash, ctx.clock.realNow())
  return 'CONFIRMED'
}

async function isCodeOf(ctx: PeopleContext, user: User, code: string): Promise<boolean> {
  const { userId, sealedCodeKey, codeStep } = user
  const now = ctx.clock.realNow()
  if (sealedCodeKey !== null) {
    const key = unseal(ctx.people.secretKey, sealedCodeKey)
    const step = stepOfCode(key, code, now, codeStep)
    if (step !== undefined) return takeCodeStep(ctx.db, userId, step)
  }
  return takeRecoveryCode(ctx.db, userId, recoveryHash(userId, code), now)
}

/** People type them with spaces and dashes, in either case. */
export const recoveryHash = (userId: number, code: string): Buffer =>
  hash('sha256', `${userId} ${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`, 'buffer')

type Subjects = { readonly account: string; readonly address: string }

function subjectsOf(
  ctx: PeopleContext,
  email: string,
  { origin, device }: SignInRequest,
): Subjects {
  const known = ctx.people.devices.subjectOf(device, email)
  const account = known === undefined ? `account:${email.slice(0, 300)}` : `device:${known}`
  return { account, address: `address:${origin.address}` }
}

/** Failures that cost nothing yet, of an account and of an address, which many may share. */
const FREE = { account: 5, address: 30 }
const WAIT_AT_MOST_MS = 60_000
const FORGOTTEN_AFTER_MS = 3_600_000

async function waitFor(ctx: PeopleContext, subjects: Subjects): Promise<number> {
  const now = ctx.clock.realNow()
  const waits = await Promise.all(
    (['account', 'address'] as const).map(async (kind) => {
      const [found] = await findFailures(ctx.db, [subjects[kind]])
      const beyond = (found?.failures ?? 0) - FREE[kind]
      if (found === undefined || beyond < 0 || now - found.lastMs > FORGOTTEN_AFTER_MS) return 0
      return found.lastMs + Math.min(WAIT_AT_MOST_MS, 1000 * 2 ** beyond) - now
    }),
  )
  return Math.max(0, ...waits)
}

const fail = (ctx: PeopleContext, { account, address }: Subjects): Promise<void> => {
  const now = ctx.clock.realNow()
  return noteFailure(ctx.db, [account, address], now, now - FORGOTTEN_AFTER_MS)
}
