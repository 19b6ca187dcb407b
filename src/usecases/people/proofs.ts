/** How people prove who they are beside their password. */
import { hash } from 'node:crypto'
import { unseal } from '../../signing/keys.ts'
import { stepOfCode } from '../../signing/one-time-codes.ts'
import { takeRecoveryCode } from '../../store/people/sign-in.ts'
import { takeCodeStep, type User } from '../../store/people/users.ts'
import type { PeopleContext } from './context.ts'
import { passkeyOf, type Site } from './passkeys.ts'

/** A password alone does not let them in. */
export const hasSecondFactor = ({ hasCode, passkeys }: User): boolean => hasCode || passkeys > 0

/** A code of the authenticator, a recovery code, or what a passkey signed. */
export async function isSecondFactorOf(
  ctx: PeopleContext,
  user: User,
  proof: string,
  site: Site | undefined,
): Promise<boolean> {
  if (!proof.startsWith('{')) return isCodeOf(ctx, user, proof)
  const purpose = secondFactorPurpose(user.userId)
  const passkey = await passkeyOf(ctx, { site, purpose, answer: proof, isAlone: false })
  return passkey?.userId === user.userId
}

export const secondFactorPurpose = (userId: number): string => `second factor of ${userId}`

async function isCodeOf(ctx: PeopleContext, user: User, code: string): Promise<boolean> {
  const { userId, sealedCodeKey, hasCode, codeStep } = user
  const now = ctx.clock.realNow()
  if (sealedCodeKey !== null && hasCode) {
    const key = unseal(ctx.people.secretKey, sealedCodeKey)
    const step = stepOfCode(key, code, now, codeStep)
    if (step !== undefined) return takeCodeStep(ctx.db, userId, step)
  }
  return takeRecoveryCode(ctx.db, userId, recoveryHash(userId, code), now)
}

/** People type them with spaces and dashes, in either case. */
export const recoveryHash = (userId: number, code: string): Buffer =>
  hash('sha256', `${userId} ${code.toLowerCase().replace(/[^a-z0-9]/g, '')}`, 'buffer')
