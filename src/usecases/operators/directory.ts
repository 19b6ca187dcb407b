import { timingSafeEqual } from 'node:crypto'
import { FAILURES_MAX } from '../../domain/operators/breaker.ts'
import { OPERATION_OF } from '../../domain/payments/payment-state.ts'
import { present } from '../../domain/present.ts'
import type { OperationType } from '../../domain/provider.ts'
import { LIFETIMES } from '../../domain/timing.ts'
import { traceFacts } from '../../domain/trace.ts'
import { UPKEEP } from '../../domain/upkeep-timing.ts'
import type { Exchange } from '../../providers/exchange.ts'
import type { Registry } from '../../providers/registry.ts'
import type { Database } from '../../store/engine/database.ts'
import type { Group } from '../../store/engine/group.ts'
import { createTurns } from '../../store/engine/turns.ts'
import { listAccounts } from '../../store/operators/accounts.ts'
import { type KeptExchange, removeOldExchanges } from '../../store/operators/exchanges.ts'
import { listBreakers, type OpenBreaker } from '../../store/operators/health.ts'
import type { Log } from '../context.ts'
import type { OperatorWatch } from '../payments/context.ts'
import type { AccountWorld, OpenedAccount } from './open-account.ts'
import { createOpenedAccounts, keptExchange } from './opened-accounts.ts'
import { readBalances } from './read-balances.ts'
import { restAccount, tryAccounts } from './rest-account.ts'

/** The accounts with operators as this node uses them; it follows every change within a second. */
export type OperatorDirectory = OperatorWatch & {
  /** Takes over what others have changed. */
  refresh(): Promise<void>
  all(): readonly OpenedAccount[]
  breakers(): readonly OpenBreaker[]
  /** Undefined for a name that does not exist, and for a wrong secret. */
  byAddress(name: string, secret: string): OpenedAccount | undefined
  named(name: string): OpenedAccount | undefined
  /** Tries accounts that rest, and reads balances, where it is time. */
  lookAfter(): Promise<void>
  /** What was exchanged about a payment, kept for people. */
  keep(exchange: KeptExchange): void
}

type DirectoryParts = {
  readonly db: Database
  readonly log: Log
  readonly world: AccountWorld
  readonly registry: Registry
  readonly exchanges: Group<KeptExchange, void>
  readonly measure: OperatorMeasure
  readonly hasSimulator: boolean
  readonly returnUrlOf: OperatorWatch['returnUrlOf']
}

export type OperatorMeasure = {
  exchange(
    account: string,
    what: string,
    outcome: string,
    ms: number,
    traceparent: string | undefined,
  ): void
  alert(account: string): void
}

export function createOperatorDirectory(parts: DirectoryParts): OperatorDirectory {
  const { db, world, registry, log } = parts
  const rests = createRests(parts, () => refresh())
  const keep = keeper(parts)
  const accounts = createOpenedAccounts(world, log, (name) => ({
    record: (exchange) => record(parts, keep, name, exchange),
    reached: (isReached, why) => rests.reached(name, isReached, why),
  }))
  let opened: readonly OpenedAccount[] = []
  let tidiedAt = Number.NEGATIVE_INFINITY
  const tidy = async (): Promise<void> => {
    if (world.realNow() - tidiedAt < UPKEEP.exchangesSweptEveryMs) return
    tidiedAt = world.realNow()
    await removeOldExchanges(db, world.now() - LIFETIMES.exchangeMs)
  }
  const named = (name: string): OpenedAccount | undefined =>
    opened.find(({ account }) => account.name === name)

  const inTurn = createTurns()
  /** One after the other: of two under way at once, the earlier could end last. */
  const refresh = (): Promise<void> => inTurn(readAgain)
  const readAgain = async (): Promise<void> => {
    const stored = await listAccounts(db)
    rests.use(await listBreakers(db))
    opened = accounts.open(stored)
    registry.use(
      opened.map(({ account, kind, driven }) => ({
        ...account,
        connector: driven,
        authType: kind.authType,
        ...present({ codeShortCode: kind.codeShortCode }),
        takes: (operation) => rests.takes(account.name, operation),
      })),
    )
  }

  return {
    refresh,
    named,
    keep,
    all: () => opened,
    breakers: rests.all,
    byAddress: (name, secret) => {
      const found = named(name)
      return found !== undefined && isSame(found.account.callbackSecret, secret) ? found : undefined
    },
    hasAny: () => opened.length > 0,
    returnUrlOf: parts.returnUrlOf,
    alert: (payment, words) => {
      const { key: paymentKey, merchantId, kind, operatorAccount: account = '' } = payment
      parts.measure.alert(account)
      const facts = { account, paymentKey, merchantId, kind, words }
      const traced = traceFacts(payment.details.traceparent)
      log.error({ ...facts, ...traced }, 'an operator needs attention')
    },
    refused: async ({ operatorAccount, kind }, message, needsPerson) => {
      if (operatorAccount === undefined) return
      // Where it cannot be written, the payment itself cannot be either, and says so.
      await rests.rest(operatorAccount, OPERATION_OF[kind], message, needsPerson)
    },
    lookAfter: async () => {
      const tried = await tryAccounts({ ...parts, named }, rests.all(), world.now())
      for (const one of tried) log.info(one, 'an operator account was tried')
      if (tried.length > 0) await refresh()
      await readBalances(db, log, opened, world.now())
      await tidy()
    },
  }
}

/** Which accounts are not used for now: what all nodes know, and what this one has just noticed. */
function createRests(parts: DirectoryParts, refresh: () => Promise<void>) {
  const { log, world } = parts
  const failures = new Map<string, number>()
  let resting = new Set<string>()
  let breakers: readonly OpenBreaker[] = []

  const rest = async (
    account: string,
    operation: OperationType | '*',
    reason: string,
    needsPerson = false,
  ): Promise<void> => {
    const name = `${account}/${operation}`
    if (resting.has(name)) return
    resting.add(name)
    const breaker = { account, operation, reason, needsPerson }
    try {
      const isNew = await restAccount(parts, breaker, world.now())
      if (isNew) log.error({ account, operation, reason }, 'an operator account rests')
    } catch (error) {
      // It is not known to the others, and nobody would try it again.
      resting.delete(name)
      throw error
    }
    await refresh()
  }

  return {
    rest,
    all: () => breakers,
    takes: (account: string, operation: OperationType): boolean =>
      !resting.has(`${account}/*`) && !resting.has(`${account}/${operation}`),
    use: (next: readonly OpenBreaker[]): void => {
      breakers = next
      resting = new Set(next.map(({ account, operation }) => `${account}/${operation}`))
    },
    /** Transport only: what an operator answers, however bad, shows that it can be reached. */
    reached: (account: string, isReached: boolean, why: string): void => {
      const count = isReached ? 0 : (failures.get(account) ?? 0) + 1
      failures.set(account, count)
      if (count < FAILURES_MAX) return
      failures.delete(account)
      rest(account, '*', why).catch((err) => {
        log.warn({ err, account }, 'that an operator account rests was not written')
      })
    },
  }
}

const keeper =
  ({ exchanges, log }: DirectoryParts) =>
  (exchange: KeptExchange): void => {
    exchanges.add(exchange).catch((err) => {
      log.warn({ err, account: exchange.account }, 'an exchange with an operator was not kept')
    })
  }

function record(
  { measure, world }: DirectoryParts,
  keep: OperatorDirectory['keep'],
  account: string,
  exchange: Exchange,
): void {
  const { what, outcome, reason, status = 0, durationMs } = exchange
  const answered = status >= 400 ? 'refused' : 'answered'
  const result = outcome ?? (reason === undefined ? answered : 'failed')
  measure.exchange(account, what, result, durationMs, exchange.order?.traceparent)
  const kept = keptExchange(account, exchange, world.now())
  if (kept !== undefined) keep(kept)
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
