import { LIMITS } from '../../domain/timing.ts'
import type { Balance } from '../../providers/operator.ts'
import type { Database } from '../../store/engine/database.ts'
import { claimReading, keepReading } from '../../store/operators/balances.ts'
import type { Log } from '../context.ts'
import type { OpenedAccount } from './open-account.ts'

/**
 * Asks operators for the money in our accounts, where that is some time ago, and keeps it beside what
 * the ledger says at that moment. Of all nodes one asks.
 */
export async function readBalances(
  db: Database,
  log: Log,
  accounts: readonly OpenedAccount[],
  now: number,
): Promise<void> {
  for (const opened of accounts) {
    const { account, operator } = opened
    const isAskable = account.enabled && (operator.balances?.length ?? 0) > 0
    const nextAt = now + LIMITS.balancesEveryMs
    if (!isAskable || !(await claimReading(db, account.name, now, nextAt))) continue
    const balances = await balancesOf(opened)
    if (balances === undefined) {
      log.warn({ account: account.name }, 'an operator did not state the balance of an account')
      continue
    }
    for (const currency of new Set(balances.map((one) => one.currency))) {
      const same = balances.filter((one) => one.currency === currency)
      const products = Object.fromEntries(same.map((one) => [one.product, plain(one.amount)]))
      await keepReading(db, { account: account.name, currency, products }, now)
    }
  }
}

/** All of them, or none: a sum that lacks one would look like money lost. */
async function balancesOf({
  operator,
  driven,
}: OpenedAccount): Promise<readonly Balance[] | undefined> {
  const found: Balance[] = []
  for (const look of operator.balances ?? []) {
    const balance = await driven.look(look)
    if (balance === undefined) return undefined
    found.push(balance)
  }
  return found
}

/** Some operators write thousands apart. */
const plain = (amount: string): string => amount.replaceAll(',', '').trim()
