import { randomBytes } from 'node:crypto'
import type { MerchantId } from '../../domain/ids.ts'
import { type PasswordFault, passwordFault } from '../../domain/people/password.ts'
import type { Role } from '../../domain/people/roles.ts'
import { LIFETIMES } from '../../domain/timing.ts'
import { hashPassword } from '../../signing/passwords.ts'
import type { Db } from '../../store/engine/database.ts'
import { addAuditEntry } from '../../store/people/audit.ts'
import { endSessionsOf } from '../../store/people/sessions.ts'
import {
  dropLinksOf,
  findLink,
  insertLink,
  type LinkPurpose,
  takeLink,
} from '../../store/people/sign-in.ts'
import {
  changeUser,
  findUser,
  putMembership,
  putUser,
  type User,
} from '../../store/people/users.ts'
import { recordAbout } from './change.ts'
import type { PeopleContext } from './context.ts'
import { hashOfSecret } from './sessions.ts'

/** Who made a change, for the audit log. */
type Actor = { readonly email: string; readonly address: string }
export const COMMAND_LINE: Actor = { email: 'command line', address: '' }

type NewMember = {
  readonly email: string
  readonly merchantId: MerchantId
  readonly role: Role
  readonly countries: readonly string[]
}

const EMAIL = /^[^\s@<>"]{1,64}@[^\s@<>"]{1,190}$/

export const isEmail = (text: string): boolean => EMAIL.test(text)

/** Undefined where the e-mail belongs to staff: an account is a merchant's or staff, never both. */
export async function addMember(
  tx: Db,
  member: NewMember,
  actor: Actor,
  now: number,
): Promise<User | undefined> {
  const { merchantId, role, countries } = member
  const email = member.email.trim().toLowerCase()
  const user = await putUser(tx, { email, isStaff: false, now })
  if (user === undefined || user.isStaff) return undefined
  await putMembership(tx, { merchantId, userId: user.userId, role, countries, now })
  await addAuditEntry(tx, {
    merchantId,
    at: now,
    actor: actor.email,
    action: 'user invited',
    object: email,
    address: actor.address,
    after: { role, countries },
  })
  return user
}

/** A link that works once; its text is nowhere but in the answer. */
export async function newLink(
  tx: Db,
  userId: number,
  purpose: LinkPurpose,
  now: number,
): Promise<string> {
  const code = randomBytes(24).toString('base64url')
  const lasts = purpose === 'PASSWORD' ? LIFETIMES.passwordLinkMs : LIFETIMES.signInLinkMs
  if (purpose === 'PASSWORD') await dropLinksOf(tx, userId, purpose)
  await insertLink(tx, { hash: hashOfSecret(code), userId, purpose, expiresMs: now + lasts })
  return code
}

export const passwordUrl = (publicUrl: string, code: string): string =>
  `${publicUrl}/set-password/${code}`
export const signInUrl = (publicUrl: string, code: string): string => `${publicUrl}/sign-in/${code}`

/** Whose password a link sets, while it works. */
export async function userOfPasswordLink(
  ctx: PeopleContext,
  code: string,
): Promise<User | undefined> {
  const now = ctx.clock.realNow()
  const userId = await findLink(ctx.db, hashOfSecret(code), 'PASSWORD', now)
  return userId === undefined ? undefined : findUser(ctx.db, userId)
}

type PasswordSet =
  | { readonly status: 'SET'; readonly user: User }
  | { readonly status: 'REFUSED'; readonly fault: PasswordFault }
  | { readonly status: 'LINK_GONE' }

/** Sets the first password, or another one after a reset; all sessions of the person end. */
export async function setPasswordByLink(
  ctx: PeopleContext,
  code: string,
  password: string,
  address: string,
): Promise<PasswordSet> {
  const user = await userOfPasswordLink(ctx, code)
  if (user === undefined) return { status: 'LINK_GONE' }
  const fault = passwordFault(password, user.email, ctx.people.commonPasswords())
  if (fault !== undefined) return { status: 'REFUSED', fault }
  const passwordHash = await hashPassword(password)
  const now = ctx.clock.realNow()
  const isTaken = await ctx.db.inTransaction(async (tx) => {
    const userId = await takeLink(tx, hashOfSecret(code), 'PASSWORD', now)
    if (userId === undefined) return false
    await changeUser(tx, userId, { passwordHash })
    await endSessionsOf(tx, userId)
    const entry = { at: now, actor: user.email, action: 'password set by link' }
    await recordAbout(tx, user, { ...entry, address })
    return true
  })
  return isTaken ? { status: 'SET', user } : { status: 'LINK_GONE' }
}
