import { UPKEEP } from '../../domain/upkeep-timing.ts'
import type { Db } from '../../store/engine/database.ts'
import { findFailures, noteFailure } from '../../store/people/sign-in.ts'
import type { Clock } from '../context.ts'

/** Under which names a failed attempt counts; what nobody can guess counts by address alone. */
export type Subjects = { readonly account?: string; readonly address?: string }

type Counting = { readonly db: Db; readonly clock: Pick<Clock, 'realNow'> }

/** Failures that cost nothing yet, of an account and of an address, which many may share. */
const FREE = { account: 5, address: 30 }

/** Milliseconds until the next attempt is taken; 0 where it may come at once. */
export async function waitFor(ctx: Counting, subjects: Subjects): Promise<number> {
  const now = ctx.clock.realNow()
  const waits = await Promise.all(
    (['account', 'address'] as const).map(async (kind) => {
      const subject = subjects[kind]
      const [found] = subject === undefined ? [] : await findFailures(ctx.db, [subject])
      const beyond = (found?.failures ?? 0) - FREE[kind]
      if (found === undefined || beyond < 0) return 0
      if (now - found.lastMs > UPKEEP.failuresForgottenMs) return 0
      return found.lastMs + Math.min(UPKEEP.signInWaitAtMostMs, 1000 * 2 ** beyond) - now
    }),
  )
  return Math.max(0, ...waits)
}

/** Answers whether this is the first failure of a series of the account. */
export async function noteFailed(ctx: Counting, { account, address }: Subjects): Promise<boolean> {
  const now = ctx.clock.realNow()
  const subjects = [account, address].filter((one) => one !== undefined)
  const first = await noteFailure(ctx.db, subjects, now, now - UPKEEP.failuresForgottenMs)
  return account !== undefined && first.includes(account)
}
