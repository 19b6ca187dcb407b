import { healthOf, type Resting, trialPauseMs } from '../../domain/operators/breaker.ts'
import { OPERATION_TYPES } from '../../domain/provider.ts'
import { LIMITS } from '../../domain/timing.ts'
import { announceChange } from '../../store/cluster/service-state.ts'
import { type Database, type Db, untilItPasses } from '../../store/engine/database.ts'
import { listAccounts } from '../../store/operators/accounts.ts'
import {
  claimTrial,
  closeBreaker,
  enterHealth,
  listBreakers,
  type OpenBreaker,
  openBreaker,
  planTrial,
  releaseLine,
  setHealth,
} from '../../store/operators/health.ts'
import type { OpenedAccount } from './open-account.ts'

type Parts = { readonly db: Database; readonly hasSimulator: boolean }

/**
 * The account is not used for now, on any node: its operator cannot be reached, or refuses an
 * operation for a reason that is ours. Answers false where that is known already.
 */
export async function restAccount(
  { db, hasSimulator }: Parts,
  breaker: Pick<OpenBreaker, 'account' | 'operation' | 'reason'> & {
    readonly needsPerson?: boolean
  },
  now: number,
): Promise<boolean> {
  return untilItPasses(() =>
    db.inTransaction(async (tx) => {
      await enterHealth(tx)
      const trials = await openBreaker(tx, breaker, now, LIMITS.breakerForgottenMs)
      if (trials === undefined) return false
      const pause = trialPauseMs(breaker.operation, trials, breaker.needsPerson)
      await planTrial(tx, breaker, now + pause)
      await decideHealth(tx, hasSimulator, now)
      await announceChange(tx)
      return true
    }),
  )
}

/**
 * Works out what merchants see of every provider that accounts serve, keeps what changed, and lets
 * go of what waited in line for a provider that works again. Comes after `enterHealth`.
 */
export async function decideHealth(tx: Db, hasSimulator: boolean, now: number): Promise<void> {
  const breakers = await listBreakers(tx)
  const accounts: readonly Resting[] = (await listAccounts(tx)).map((one) => ({
    ...one,
    resting: breakers.filter(({ account }) => account === one.name),
  }))
  const stored = await tx.query<{ provider: string }>(
    'select distinct provider from provider_health',
  )
  const providers = new Set([
    ...accounts.flatMap((one) => Object.keys(one.providers)),
    ...stored.map(({ provider }) => provider),
  ])
  for (const provider of [...providers].toSorted()) {
    for (const operation of OPERATION_TYPES) {
      const { status, reason } = healthOf(provider, operation, accounts, hasSimulator)
      const health = { provider, operation, decidedBy: 'SERVICE' as const, status, reason }
      const changed = await setHealth(tx, health, now)
      if (changed && status === 'OPERATIONAL') await releaseLine(tx, { provider, operation })
    }
  }
}

type Tried = {
  readonly account: string
  readonly operation: string
  readonly isBack: boolean
  readonly message: string
}

/** Tries accounts whose time has come; of all nodes one tries each. */
export async function tryAccounts(
  parts: Parts & { readonly named: (name: string) => OpenedAccount | undefined },
  breakers: readonly OpenBreaker[],
  now: number,
): Promise<readonly Tried[]> {
  const tried: Tried[] = []
  for (const breaker of breakers.filter(({ trialMs }) => trialMs <= now)) {
    const { account, operation, trials } = breaker
    const nextAt = now + trialPauseMs(operation, trials + 1)
    if (!(await claimTrial(parts.db, breaker, now, nextAt))) continue
    const { isBack, message } = await trial(parts.named(account), breaker)
    if (isBack) await reopen(parts, breaker, now)
    tried.push({ account, operation, isBack, message })
  }
  return tried
}

/** A refusal of an operation shows only with the next real payment; reachability with any look. */
async function trial(
  opened: OpenedAccount | undefined,
  { operation }: OpenBreaker,
): Promise<{ readonly isBack: boolean; readonly message: string }> {
  if (operation !== '*') return { isBack: true, message: 'payments try it' }
  const steps = (await opened?.driven.test()) ?? []
  const answered = steps.find(({ isAnswered }) => isAnswered)
  const isBack = steps.length === 0 || answered !== undefined
  return { isBack, message: isBack ? 'the operator answers' : (steps[0]?.message ?? '') }
}

async function reopen(
  { db, hasSimulator }: Parts,
  breaker: OpenBreaker,
  now: number,
): Promise<void> {
  await untilItPasses(() =>
    db.inTransaction(async (tx) => {
      await enterHealth(tx)
      await closeBreaker(tx, breaker, now)
      await decideHealth(tx, hasSimulator, now)
      await announceChange(tx)
    }),
  )
}
