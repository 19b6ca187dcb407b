import type { Chance } from '../../../harness/random/chance.ts'
import { MOODS, moodyNumber, OPERATIONS, PLACES } from '../../../harness/random/world.ts'
import type { Action } from './plan.ts'

/** Everything that is paid out. */
export const PAID_OUT = OPERATIONS.slice(1)

/** A provider works, is slow or is closed, for these operations. */
export function switched(
  merchant: number,
  provider: string,
  operations: readonly string[],
  status: string,
): Action {
  const changes = operations.map((operationType) => ({ provider, operationType, status }))
  return { do: 'switch', merchant, changes }
}

/** What changes around the payments of a merchant: providers, wallets, numbers, its own server. */
export function aroundPayments(chance: Chance, merchant: number): Action {
  const place = chance.pick(PLACES)
  const { provider, country, currency } = place
  switch (chance.below(5)) {
    case 0:
    case 1: {
      const status = chance.pick(['OPERATIONAL', 'DELAYED', 'DELAYED', 'CLOSED'])
      const operations = chance.oneIn(2) ? PAID_OUT : [chance.pick(OPERATIONS)]
      return switched(merchant, provider, operations, status)
    }
    case 2: {
      const balance = chance.pick(['0', '150', '900.50', '5000', '100000'])
      const alone = chance.oneIn(3) ? { provider } : {}
      return { do: 'wallet', merchant, change: { country, currency, balance, ...alone } }
    }
    case 3:
      return {
        do: 'script',
        merchant,
        number: moodyNumber(place),
        script: chance.pick(MOODS).script,
      }
    default:
      return { do: 'receive', how: chance.pick(['well', 'well', 'badly', 'not at all']) }
  }
}
