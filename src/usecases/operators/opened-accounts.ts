import { present } from '../../domain/present.ts'
import type { Exchange } from '../../providers/exchange.ts'
import type { StoredAccount } from '../../store/operators/accounts.ts'
import type { KeptExchange } from '../../store/operators/exchanges.ts'
import type { Log } from '../context.ts'
import {
  type AccountEvents,
  type AccountWorld,
  type OpenedAccount,
  openAccount,
} from './open-account.ts'

/** Accounts as they are opened once: one that has not changed keeps its tokens and its line. */
type OpenedAccounts = { open(stored: readonly StoredAccount[]): readonly OpenedAccount[] }

export function createOpenedAccounts(
  world: AccountWorld,
  log: Log,
  eventsOf: (account: string) => AccountEvents,
): OpenedAccounts {
  let kept = new Map<string, { readonly stored: string; readonly account: OpenedAccount }>()

  const openOne = (stored: StoredAccount): OpenedAccount | undefined => {
    const text = JSON.stringify(stored)
    const known = kept.get(stored.name)
    if (known?.stored === text) return known.account
    const { sealedSecrets, ...account } = stored
    try {
      return openAccount(world, account, sealedSecrets, eventsOf(account.name))
    } catch (err) {
      log.error({ err, account: account.name }, 'an operator account cannot be used')
      return undefined
    }
  }

  return {
    open: (all) => {
      const opened = all.flatMap((stored) => {
        const account = openOne(stored)
        return account === undefined ? [] : [{ stored: JSON.stringify(stored), account }]
      })
      kept = new Map(opened.map((one) => [one.account.account.name, one]))
      return opened.map(({ account }) => account)
    },
  }
}

/** What is kept of an exchange; one that is about no payment is only counted. */
export function keptExchange(
  account: string,
  exchange: Exchange,
  now: number,
): KeptExchange | undefined {
  const { what, order, request, status, answer, reason, outcome, durationMs } = exchange
  if (order === undefined || (what !== 'submit' && what !== 'query')) return undefined
  const { merchantId, paymentKey } = order
  return {
    ...{ merchantId, paymentKey, account, what, request, durationMs },
    at: now - durationMs,
    ...present({ httpStatus: status, answer, reason, outcome }),
  }
}
