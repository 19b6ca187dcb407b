import { findUserByEmail, listMemberships, type User } from '../../store/people/users.ts'
import { noteFailed, waitFor } from './attempts.ts'
import type { Origin, PeopleContext } from './context.ts'
import { newLink } from './manage-users.ts'

/**
 * A link to set another password, for whoever forgot theirs; undefined where there is nobody to send
 * it to, or too many were asked for. Until it is used the old password works.
 */
export async function forgottenLink(
  ctx: PeopleContext,
  given: string,
  { address }: Origin,
): Promise<{ readonly user: User; readonly code: string } | undefined> {
  const email = given.trim().toLowerCase().slice(0, 300)
  const subjects = { account: `forgotten:${email}`, address: `forgotten address:${address}` }
  if ((await waitFor(ctx, subjects)) > 0) return undefined
  await noteFailed(ctx, subjects)
  const user = await findUserByEmail(ctx.db, email)
  if (user === undefined || user.isDisabled || user.isStaff) return undefined
  const memberships = await listMemberships(ctx.db, user.userId)
  if (memberships.length === 0) return undefined
  const code = await ctx.db.inTransaction((tx) =>
    newLink(tx, user.userId, 'PASSWORD', ctx.clock.realNow()),
  )
  return { user, code }
}
