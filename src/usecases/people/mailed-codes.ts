/** Six digits by mail: the second factor of people who have neither authenticator nor passkey. */
import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { LIFETIMES } from '../../domain/timing.ts'
import { keyFor } from '../../signing/keys.ts'
import { putMailedCode, takeMailedCode, tryMailedCode } from '../../store/people/mailed-codes.ts'
import { lockUser, type User } from '../../store/people/users.ts'
import { isMailShown } from '../../store/sandbox/mails.ts'
import { noteFailed, waitFor } from './attempts.ts'
import type { PeopleContext } from './context.ts'

const DIGITS = 6
const TRIES = 5

/** Whether a mail would reach the person, or somebody who may read it for them. */
export async function canBeMailed({ db, people }: PeopleContext, user: User): Promise<boolean> {
  if (people.mailer.way === 'KEPT') return isMailShown(db, user.userId)
  return people.mailer.way === 'SMTP'
}

/** How often a person was mailed a code; each counts until one of them is given. */
export const mailedSubject = ({ userId }: User): string => `mailed code:${userId}`

/**
 * The code for a session between its two steps; its text is nowhere but in the answer. Too many in a
 * row wait, longer each time, so that nobody who knows the password can fill the mailbox.
 */
export async function newMailedCode(
  ctx: PeopleContext,
  user: User,
  session: Buffer,
): Promise<{ readonly code: string } | { readonly waitMs: number }> {
  const { clock } = ctx
  return ctx.db.inTransaction(async (db) => {
    // Of several at once, each sees how many were sent before.
    await lockUser(db, user.userId)
    const account = mailedSubject(user)
    const waitMs = await waitFor({ db, clock }, { account })
    if (waitMs > 0) return { waitMs }
    await noteFailed({ db, clock }, { account })
    const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')
    const expiresMs = clock.realNow() + LIFETIMES.mailedCodeMs
    await putMailedCode(db, { session, hash: hashOf(ctx, session, code), expiresMs })
    return { code }
  })
}

/** True once: the code is gone afterwards, and after a few wrong ones too. */
export async function isMailedCode(
  ctx: PeopleContext,
  session: Buffer,
  given: string,
): Promise<boolean> {
  const tried = { now: ctx.clock.realNow(), triesAtMost: TRIES }
  const expected = await tryMailedCode(ctx.db, session, tried)
  const hash = hashOf(ctx, session, given.replaceAll(/\s/g, ''))
  if (expected === undefined || !timingSafeEqual(hash, expected)) return false
  return takeMailedCode(ctx.db, session, hash)
}

/** Six digits are soon tried out, so a copy of the database must not be enough to do it. */
const hashOf = ({ people }: PeopleContext, session: Buffer, code: string): Buffer =>
  createHmac('sha256', keyFor(people.secretKey, 'mailed code v1'))
    .update(session)
    .update(code)
    .digest()
