/** What people change about how they sign in. */
import { type PasswordFault, passwordFault } from '../../domain/people/password.ts'
import { hashPassword, isPassword } from '../../signing/passwords.ts'
import {
  endSessionOf,
  endSessionsOf,
  listSessions,
  type Session,
} from '../../store/people/sessions.ts'
import { countRecoveryCodes } from '../../store/people/sign-in.ts'
import { changeUser } from '../../store/people/users.ts'
import { waitFor } from './attempts.ts'
import { changeAs } from './change.ts'
import type { PeopleContext, Person } from './context.ts'
import { newLink } from './manage-users.ts'
import { failedConfirmation } from './sign-in-log.ts'

type PasswordChanged = 'CHANGED' | 'WRONG' | 'WAIT' | PasswordFault

/** The old one is asked for, whatever was proved before; all other sessions end. */
export async function changePassword(
  ctx: PeopleContext,
  person: Person,
  old: string,
  password: string,
): Promise<PasswordChanged> {
  const { user, session, origin } = person
  const subjects = { account: `code:${user.userId}`, address: `address:${origin.address}` }
  if ((await waitFor(ctx, subjects)) > 0) return 'WAIT'
  if (!(await isPassword(old, user.passwordHash ?? undefined))) {
    await failedConfirmation(ctx, person, subjects)
    return 'WRONG'
  }
  const fault = passwordFault(password, user.email, ctx.people.commonPasswords())
  if (fault !== undefined) return fault
  const passwordHash = await hashPassword(password)
  await changeAs(ctx, person, { action: 'password changed', object: user.email }, async (tx) => {
    await changeUser(tx, user.userId, { passwordHash })
    await endSessionsOf(tx, user.userId, session.hash)
  })
  return 'CHANGED'
}

/** For people who have no password yet: a link that sets one, for themselves. */
export async function firstPasswordLink(ctx: PeopleContext, person: Person): Promise<string> {
  const { user } = person
  const change = { action: 'password link made', object: user.email }
  return changeAs(ctx, person, change, (tx) =>
    newLink(tx, user.userId, 'PASSWORD', ctx.clock.realNow()),
  )
}

type Preferences = {
  readonly name: string
  readonly language: 'en' | 'fr'
  readonly timeZone: string
}

const NAME_MAX = 100

/** False where one of them cannot be used. */
export async function setPreferences(
  ctx: PeopleContext,
  person: Person,
  wanted: Preferences,
): Promise<boolean> {
  const { user } = person
  const name = wanted.name.trim().replaceAll(/\s+/g, ' ')
  const { language, timeZone } = wanted
  if (name.length > NAME_MAX || /\p{Cc}/u.test(name) || !isTimeZone(timeZone)) return false
  const change = {
    action: 'preferences changed',
    object: user.email,
    before: { name: user.name, language: user.language, timeZone: user.timeZone },
    after: { name, language, timeZone },
  }
  await changeAs(ctx, person, change, (tx) =>
    changeUser(tx, user.userId, { name, language, timeZone }),
  )
  return true
}

/** Those that both this program and the pages can work with. */
export const timeZones = (): readonly string[] => [
  'UTC',
  ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC'),
]

const isTimeZone = (text: string): boolean => timeZones().includes(text)

export const sessionsOf = (ctx: PeopleContext, { user }: Person): Promise<readonly Session[]> =>
  listSessions(ctx.db, user.userId)

export const recoveryCodesLeft = (ctx: PeopleContext, { user }: Person): Promise<number> =>
  countRecoveryCodes(ctx.db, user.userId)

/** False where there is no such session of this person. */
export async function endOneSession(
  ctx: PeopleContext,
  person: Person,
  hash: Buffer,
): Promise<boolean> {
  const { user } = person
  const all = await listSessions(ctx.db, user.userId)
  const meant = all.find((session) => session.hash.equals(hash))
  if (meant === undefined) return false
  const change = {
    action: 'session ended',
    object: user.email,
    before: { address: meant.address, agent: meant.agent },
  }
  await changeAs(ctx, person, change, (tx) => endSessionOf(tx, user.userId, hash))
  return true
}

export async function endOtherSessions(ctx: PeopleContext, person: Person): Promise<void> {
  const { user, session } = person
  const change = { action: 'other sessions ended', object: user.email }
  await changeAs(ctx, person, change, (tx) => endSessionsOf(tx, user.userId, session.hash))
}
