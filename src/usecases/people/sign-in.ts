import { isPassword } from '../../signing/passwords.ts'
import { confirmSession, endSession } from '../../store/people/sessions.ts'
import { forgetFailures, takeLink } from '../../store/people/sign-in.ts'
import { findUser, findUserByEmail, type User } from '../../store/people/users.ts'
import { noteFailed, type Subjects, waitFor } from './attempts.ts'
import type { Origin, PeopleContext, Person } from './context.ts'
import { passkeyOf, SIGN_IN_PURPOSE, type Site } from './passkeys.ts'
import { hasSecondFactor, isSecondFactorOf } from './proofs.ts'
import { hashOfSecret, liveSession, openSession, type SessionKind } from './sessions.ts'

export type SignInResult =
  | {
      readonly status: 'IN' | 'CODE_NEXT'
      readonly session: string
      readonly device: string
      /** For the browser to keep, where the person trusts it. */
      readonly trust?: string
    }
  /** The same for people who exist and for those who do not. */
  | { readonly status: 'WRONG' }
  | { readonly status: 'WAIT'; readonly seconds: number }

export type SignInRequest = {
  readonly email: string
  readonly password: string
  readonly origin: Origin
  /** What a browser kept in which somebody signed in before. */
  readonly device: string | undefined
  /** What a browser kept that is not asked for the second factor. */
  readonly trust: string | undefined
}

const WRONG = { status: 'WRONG' } as const

/**
 * A stranger who guesses is slowed down, and slows down nobody else for long: a browser in which a
 * person signed in before is counted by itself.
 */
export async function signIn(ctx: PeopleContext, request: SignInRequest): Promise<SignInResult> {
  const email = request.email.trim().toLowerCase()
  const subjects = subjectsOf(ctx, email, request)
  const wait = await waitFor(ctx, subjects)
  if (wait > 0) return waiting(wait)
  const user = await findUserByEmail(ctx.db, email)
  const isRight = await isPassword(request.password, user?.passwordHash ?? undefined)
  if (!isRight || user === undefined || user.isDisabled) return failed(ctx, subjects)
  const isTrusted = ctx.people.devices.isTrusted(request.trust, user)
  const isComplete = isTrusted || !hasSecondFactor(user)
  // The second factor was given another day: a sensitive change asks for it at once.
  const kind = { isConfirmed: !(isTrusted && hasSecondFactor(user)) }
  return (await entered(ctx, user, isComplete, request.origin, subjects, kind)) ?? WRONG
}

export type SecondStep = {
  readonly proof: string
  readonly origin: Origin
  readonly site: Site | undefined
  /** The person trusts this browser. */
  readonly isTrusted: boolean
}

/** The second step: a code of the authenticator, one of the recovery codes, or a passkey. */
export async function giveCode(
  ctx: PeopleContext,
  secret: string | undefined,
  { proof, origin, site, isTrusted }: SecondStep,
): Promise<SignInResult> {
  const begun = await liveSession(ctx, secret)
  const user = begun && (await findUser(ctx.db, begun.userId))
  if (begun === undefined || begun.isComplete || user === undefined) return WRONG
  const subjects = { account: `code:${user.userId}`, address: `address:${origin.address}` }
  const wait = await waitFor(ctx, subjects)
  if (wait > 0) return waiting(wait)
  if (user.isDisabled || !(await isSecondFactorOf(ctx, user, proof, site))) {
    return failed(ctx, subjects)
  }
  // The browser gets another secret: one that was planted before is worth nothing.
  await endSession(ctx.db, begun.hash)
  const result = await entered(ctx, user, true, origin, subjects)
  if (result === undefined) return WRONG
  return isTrusted ? { ...result, trust: ctx.people.devices.trustFor(user) } : result
}

/** Instead of a password; a passkey stands for both factors. */
export async function signInByPasskey(
  ctx: PeopleContext,
  answer: string,
  origin: Origin,
  site: Site | undefined,
): Promise<SignInResult> {
  const subjects = { address: `address:${origin.address}` }
  const wait = await waitFor(ctx, subjects)
  if (wait > 0) return waiting(wait)
  const passkey = await passkeyOf(ctx, { site, purpose: SIGN_IN_PURPOSE, answer, isAlone: true })
  const user = passkey && (await findUser(ctx.db, passkey.userId))
  if (user === undefined || user.isDisabled) return failed(ctx, subjects)
  return (await entered(ctx, user, true, origin, subjects)) ?? WRONG
}

/** The person behind a password whose second factor is still to come. */
export async function halfSignedIn(
  ctx: PeopleContext,
  secret: string | undefined,
): Promise<User | undefined> {
  const session = await liveSession(ctx, secret)
  return session?.isComplete === false ? findUser(ctx.db, session.userId) : undefined
}

type Entered = Extract<SignInResult, { session: string }>

async function entered(
  ctx: PeopleContext,
  user: User,
  isComplete: boolean,
  origin: Origin,
  { account }: Subjects,
  kind: SessionKind = {},
): Promise<Entered | undefined> {
  const session = await openSession(ctx, user, isComplete, origin, kind)
  if (session === undefined) return undefined
  if (account !== undefined) await forgetFailures(ctx.db, account)
  const device = ctx.people.devices.nameFor(user.email)
  return { status: isComplete ? 'IN' : 'CODE_NEXT', session, device }
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
  person: Person,
  proof: string,
  site: Site | undefined,
): Promise<'CONFIRMED' | 'WRONG' | 'WAIT'> {
  const { user, session, origin } = person
  const subjects = { account: `code:${user.userId}`, address: `address:${origin.address}` }
  if ((await waitFor(ctx, subjects)) > 0) return 'WAIT'
  const isRight = hasSecondFactor(user)
    ? await isSecondFactorOf(ctx, user, proof, site)
    : await isPassword(proof, user.passwordHash ?? undefined)
  if (!isRight) {
    await noteFailed(ctx, subjects)
    return 'WRONG'
  }
  await confirmSession(ctx.db, session.hash, ctx.clock.realNow())
  return 'CONFIRMED'
}

const waiting = (ms: number): SignInResult => ({ status: 'WAIT', seconds: Math.ceil(ms / 1000) })

async function failed(ctx: PeopleContext, subjects: Subjects): Promise<SignInResult> {
  await noteFailed(ctx, subjects)
  return WRONG
}

function subjectsOf(
  ctx: PeopleContext,
  email: string,
  { origin, device }: SignInRequest,
): Subjects {
  const known = ctx.people.devices.subjectOf(device, email)
  const account = known === undefined ? `account:${email.slice(0, 300)}` : `device:${known}`
  return { account, address: `address:${origin.address}` }
}
