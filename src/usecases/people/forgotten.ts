import { findUserByEmail, listMemberships, type User } from '../../store/people/users.ts'
import { noteFailed, waitFor } from './attempts.ts'
import { recordAbout } from './change.ts'
import type { Origin, PeopleContext } from './context.ts'
import { newLink } from './manage-users.ts'
import { STRANGER } from './sign-in-log.ts'

/**
 * A link to set another password, for people who forgot theirs; undefined where there is nobody to send
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
  const isFirst = await noteFailed(ctx, subjects)
  const user = await findUserByEmail(ctx.db, email)
  if (user === undefined || user.isDisabled || user.isStaff) return undefined
  const memberships = await listMemberships(ctx.db, user.userId)
  if (memberships.length === 0) return undefined
  const at = ctx.clock.realNow()
  const code = await ctx.db.inTransaction(async (tx) => {
    const link = await newLink(tx, user.userId, 'PASSWORD', at)
    // Strangers can ask too, and must not fill the log: one entry for a series.
    if (isFirst) {
      await recordAbout(tx, user, { at, actor: STRANGER, action: 'reset link asked for', address })
    }
    return link
  })
  return { user, code }
}
