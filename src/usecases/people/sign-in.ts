import { isPassword, TooManyPasswords } from '../../signing/passwords.ts'
import { confirmSession, endSession } from '../../store/people/sessions.ts'
import { forgetFailures, takeLink } from '../../store/people/sign-in.ts'
import { findUser, findUserByEmail, type User } from '../../store/people/users.ts'
import { type Subjects, waitFor } from './attempts.ts'
import type { Origin, PeopleContext, Person } from './context.ts'
import { canBeMailed, isMailedCode, mailedSubject, newMailedCode } from './mailed-codes.ts'
import { passkeyOf, SIGN_IN_PURPOSE, type Site } from './passkeys.ts'
import { hasSecondFactor, isSecondFactorOf } from './proofs.ts'
import { hashOfSecret, liveSession, type NewSession, openSession } from './sessions.ts'
import { failedConfirmation, failedSignIn } from './sign-in-log.ts'

/** Thrown wherever a password is checked or set. */
export { TooManyPasswords }

export type SignInResult =
  | {
      readonly status: 'IN' | 'CODE_NEXT'
      readonly session: string
      readonly device: string
      /** For the browser to keep, where the person trusts it. */
      readonly trust?: string
      /** To be mailed to the person. */
      readonly mailed?: MailedCode
    }
  /** The same for people who exist and for those who do not. */
  | { readonly status: 'WRONG' }
  | { readonly status: 'WAIT'; readonly seconds: number }

export type MailedCode = { readonly user: User; readonly code: string }

type SignInRequest = {
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
  const { origin } = request
  if (!isRight || user === undefined || user.isDisabled) {
    return failed(ctx, user, subjects, { origin, at: 'password' })
  }
  if (ctx.people.devices.isTrusted(request.trust, user)) {
    // The second factor was given another day: a sensitive change asks for it at once.
    const isConfirmed = !hasSecondFactor(user)
    const way = 'password in a trusted browser'
    return entered(ctx, user, subjects, { origin, way, isConfirmed })
  }
  if (hasSecondFactor(user)) return entered(ctx, user, subjects, { origin, way: undefined })
  if (!(await canBeMailed(ctx, user))) {
    return entered(ctx, user, subjects, { origin, way: 'password' })
  }
  return enteredByMail(ctx, user, subjects, origin)
}

async function enteredByMail(
  ctx: PeopleContext,
  user: User,
  subjects: Subjects,
  origin: Origin,
): Promise<SignInResult> {
  const half = await entered(ctx, user, subjects, { origin, way: undefined })
  if (half.status !== 'CODE_NEXT') return half
  const made = await newMailedCode(ctx, user, hashOfSecret(half.session))
  return 'code' in made ? { ...half, mailed: { user, ...made } } : waiting(made.waitMs)
}

type MailedAgain =
  | { readonly status: 'SENT'; readonly mailed: MailedCode }
  | { readonly status: 'WAIT'; readonly seconds: number }
  /** Nobody waits for a code by mail. */
  | { readonly status: 'NOBODY' }

/** Another code for the same sign-in; the former one is worth nothing any more. */
export async function mailAgain(
  ctx: PeopleContext,
  secret: string | undefined,
): Promise<MailedAgain> {
  const user = await halfSignedIn(ctx, secret)
  if (secret === undefined || user === undefined || user.isDisabled || hasSecondFactor(user)) {
    return { status: 'NOBODY' }
  }
  const made = await newMailedCode(ctx, user, hashOfSecret(secret))
  if ('waitMs' in made) return waiting(made.waitMs)
  return { status: 'SENT', mailed: { user, ...made } }
}

type SecondStep = {
  readonly proof: string
  readonly origin: Origin
  readonly site: Site | undefined
  /** The person trusts this browser. */
  readonly isTrusted: boolean
}

/** The second step: authenticator, recovery code or passkey; a mailed code where there is none. */
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
  const isMailed = !hasSecondFactor(user)
  const isRight = isMailed
    ? await isMailedCode(ctx, begun.hash, proof)
    : await isSecondFactorOf(ctx, user, proof, site)
  if (user.isDisabled || !isRight) {
    return failed(ctx, user, subjects, { origin, at: 'second factor' })
  }
  const way = isMailed ? 'password and mailed code' : 'password and second factor'
  const result = await entered(ctx, user, subjects, { origin, way }, begun.hash)
  if (result.status !== 'IN') return result
  if (isMailed) await forgetFailures(ctx.db, mailedSubject(user))
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
  if (user === undefined || user.isDisabled) {
    return failed(ctx, user, subjects, { origin, at: 'second factor' })
  }
  return entered(ctx, user, subjects, { origin, way: 'passkey' })
}

/** The person behind a password whose second factor is still to come. */
export async function halfSignedIn(
  ctx: PeopleContext,
  secret: string | undefined,
): Promise<User | undefined> {
  const session = await liveSession(ctx, secret)
  return session?.isComplete === false ? findUser(ctx.db, session.userId) : undefined
}

/** `former`: the session between the two steps, which ends. */
async function entered(
  ctx: PeopleContext,
  user: User,
  { account }: Subjects,
  kind: NewSession,
  former?: Buffer,
): Promise<SignInResult> {
  const session = await ctx.db.inTransaction(async (tx) => {
    // The browser gets another secret: one that was planted before is worth nothing.
    if (former !== undefined) await endSession(tx, former)
    return openSession(ctx, tx, user, kind)
  })
  if (session === undefined) return WRONG
  if (account !== undefined) await forgetFailures(ctx.db, account)
  const device = ctx.people.devices.nameFor(user.email)
  return { status: kind.way === undefined ? 'CODE_NEXT' : 'IN', session, device }
}

/** The first visitor with the link is in. */
export async function signInByLink(
  ctx: PeopleContext,
  code: string,
  origin: Origin,
): Promise<string | undefined> {
  return ctx.db.inTransaction(async (tx) => {
    const userId = await takeLink(tx, hashOfSecret(code), 'SIGN_IN', ctx.clock.realNow())
    const user = userId === undefined ? undefined : await findUser(tx, userId)
    if (user === undefined || user.isDisabled) return undefined
    return openSession(ctx, tx, user, { origin, way: 'link' })
  })
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
    await failedConfirmation(ctx, person, subjects)
    return 'WRONG'
  }
  await confirmSession(ctx.db, session.hash, ctx.clock.realNow())
  return 'CONFIRMED'
}

const waiting = (ms: number) => ({ status: 'WAIT', seconds: Math.ceil(ms / 1000) }) as const

async function failed(...failure: Parameters<typeof failedSignIn>): Promise<SignInResult> {
  await failedSignIn(...failure)
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
