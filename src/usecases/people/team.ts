/** Who belongs to a merchant, and what they may do. People grant only what they hold themselves. */
import { mayGrant, mayGrantCountries, type Role } from '../../domain/people/roles.ts'
import type { Db } from '../../store/engine/database.ts'
import { endSessionsOf } from '../../store/people/sessions.ts'
import {
  changeMember,
  findMember,
  insertMember,
  listMembers,
  lockMember,
  lockOwners,
  type Member,
  setMemberDisabled,
} from '../../store/people/team.ts'
import { putUser } from '../../store/people/users.ts'
import { recordChange } from './change.ts'
import type { PeopleContext, Person } from './context.ts'
import { isEmail, newLink } from './manage-users.ts'

export const teamOf = (ctx: PeopleContext, { merchant }: Person): Promise<readonly Member[]> =>
  listMembers(ctx.db, merchant.id)

export const memberOf = (
  ctx: PeopleContext,
  { merchant }: Person,
  userId: number,
): Promise<Member | undefined> => findMember(ctx.db, merchant.id, userId)

/** Whether this person may change the other one at all. */
export const mayManage = ({ role, countries }: Person, member: Member): boolean =>
  mayGrant(role, member.role) && mayGrantCountries(countries, member.countries)

export type Grant = { readonly role: Role; readonly countries: readonly string[] }

export type TeamFault =
  /** More than the person who asks holds. */
  | 'ROLE'
  | 'COUNTRIES'
  | 'NOT_AN_EMAIL'
  /** The e-mail belongs to somebody of the team, or cannot belong to a merchant. */
  | 'ALREADY'
  | 'NOT_THERE'
  | 'LAST_OWNER'
  /** Without mail nobody but the person may get the link, because it opens other merchants too. */
  | 'ELSEWHERE'

/** `code`: of the link to set a password; absent for people who have one. */
export type TeamResult =
  | { readonly status: 'DONE'; readonly member: Member; readonly code?: string }
  | { readonly status: TeamFault }

const grantFault = (person: Person, { role, countries }: Grant): TeamFault | undefined => {
  if (!mayGrant(person.role, role)) return 'ROLE'
  return mayGrantCountries(person.countries, countries) ? undefined : 'COUNTRIES'
}

/** Thrown inside a transaction to undo what was done so far. */
class Refused extends Error {
  readonly fault: TeamFault
  constructor(fault: TeamFault) {
    super(fault)
    this.fault = fault
  }
}

async function unlessRefused(
  ctx: PeopleContext,
  work: (tx: Db) => Promise<TeamResult>,
): Promise<TeamResult> {
  try {
    return await ctx.db.inTransaction(work)
  } catch (error) {
    if (error instanceof Refused) return { status: error.fault }
    throw error
  }
}

export async function invite(
  ctx: PeopleContext,
  person: Person,
  invited: Grant & { readonly email: string },
): Promise<TeamResult> {
  const email = invited.email.trim().toLowerCase()
  if (!isEmail(email)) return { status: 'NOT_AN_EMAIL' }
  const fault = grantFault(person, invited)
  if (fault !== undefined) return { status: fault }
  const { role, countries } = invited
  const { id: merchantId } = person.merchant
  const now = ctx.clock.realNow()
  return unlessRefused(ctx, async (tx) => {
    const user = await putUser(tx, { email, isStaff: false, now })
    if (user === undefined || user.isStaff) throw new Refused('ALREADY')
    const { userId } = user
    const isNew = await insertMember(tx, { merchantId, userId, role, countries, now })
    if (!isNew) throw new Refused('ALREADY')
    const after = { role, countries }
    await recordChange(ctx, tx, person, { action: 'user invited', object: email, after })
    return withLink(ctx, tx, person, userId)
  })
}

/** Once more the mail to somebody who has not come yet. */
export const inviteAgain = (
  ctx: PeopleContext,
  person: Person,
  userId: number,
): Promise<TeamResult> =>
  onMember(ctx, person, userId, async (tx, member) => {
    if (member.state !== 'pending') throw new Refused('NOT_THERE')
    await recordChange(ctx, tx, person, { action: 'invitation sent again', object: member.email })
    return withLink(ctx, tx, person, userId)
  })

/** A link to set another password; until it is used the old one works. */
export const sendReset = (
  ctx: PeopleContext,
  person: Person,
  userId: number,
): Promise<TeamResult> =>
  onMember(ctx, person, userId, async (tx, member) => {
    if (member.state === 'disabled') throw new Refused('NOT_THERE')
    await recordChange(ctx, tx, person, { action: 'reset link sent', object: member.email })
    return withLink(ctx, tx, person, userId, true)
  })

async function withLink(
  ctx: PeopleContext,
  tx: Db,
  { merchant }: Person,
  userId: number,
  isReset = false,
): Promise<TeamResult> {
  const member = await findMember(tx, merchant.id, userId)
  if (member === undefined) throw new Refused('NOT_THERE')
  if (member.hasPassword && !isReset) return { status: 'DONE', member }
  if (ctx.people.mailer.way === 'NONE' && member.isElsewhere) throw new Refused('ELSEWHERE')
  const code = await newLink(tx, userId, 'PASSWORD', ctx.clock.realNow())
  return { status: 'DONE', member, code }
}

export async function changeGrant(
  ctx: PeopleContext,
  person: Person,
  userId: number,
  grant: Grant,
): Promise<TeamResult> {
  const fault = grantFault(person, grant)
  if (fault !== undefined) return { status: fault }
  const { role, countries } = grant
  return onMember(ctx, person, userId, async (tx, member, owners) => {
    if (role !== 'owner') refuseLastOwner(owners, userId)
    await changeMember(tx, person.merchant.id, userId, grant)
    await recordChange(ctx, tx, person, {
      action: 'user changed',
      object: member.email,
      before: { role: member.role, countries: member.countries },
      after: { role, countries },
    })
    return { status: 'DONE', member }
  })
}

/** The person is out at once: every request looks at it. */
export const disableMember = (
  ctx: PeopleContext,
  person: Person,
  userId: number,
): Promise<TeamResult> =>
  onMember(ctx, person, userId, async (tx, member, owners) => {
    refuseLastOwner(owners, userId)
    await setMemberDisabled(tx, person.merchant.id, userId, ctx.clock.realNow())
    if (!member.isElsewhere) await endSessionsOf(tx, userId)
    await recordChange(ctx, tx, person, {
      action: 'user disabled',
      object: member.email,
      before: { state: member.state },
      after: { state: 'disabled' },
    })
    return { status: 'DONE', member }
  })

export const enableMember = (
  ctx: PeopleContext,
  person: Person,
  userId: number,
): Promise<TeamResult> =>
  onMember(ctx, person, userId, async (tx, member) => {
    await setMemberDisabled(tx, person.merchant.id, userId, null)
    await recordChange(ctx, tx, person, {
      action: 'user enabled',
      object: member.email,
      before: { state: member.state },
      after: { state: 'active' },
    })
    return { status: 'DONE', member }
  })

/** With the owners and the member locked, in this order: changes at once take turns. */
function onMember(
  ctx: PeopleContext,
  person: Person,
  userId: number,
  work: (tx: Db, member: Member, owners: readonly number[]) => Promise<TeamResult>,
): Promise<TeamResult> {
  const { id } = person.merchant
  return unlessRefused(ctx, async (tx) => {
    const owners = await lockOwners(tx, id)
    await lockMember(tx, id, userId)
    const member = await findMember(tx, id, userId)
    if (member === undefined) throw new Refused('NOT_THERE')
    if (!mayManage(person, member)) throw new Refused('ROLE')
    return work(tx, member, owners)
  })
}

function refuseLastOwner(owners: readonly number[], userId: number): void {
  if (owners.length === 1 && owners[0] === userId) throw new Refused('LAST_OWNER')
}
