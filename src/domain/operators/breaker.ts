import type { Availability, OperationType } from '../provider.ts'

/** When an account with an operator is left alone, and when it is tried again. */

/** So many failures on the way, one after the other, and the operator counts as out of reach. */
export const FAILURES_MAX = 5

const SECOND = 1000
const MINUTE = 60 * SECOND

/** A person changes or enables the account. */
const NEVER_MS = 100 * 365 * 24 * 60 * MINUTE

/**
 * An operator that could not be reached is tried often: a look harms nobody. A refusal for a reason
 * of ours is tried with real payments, so less and less often.
 */
export function trialPauseMs(
  operation: OperationType | '*',
  trials: number,
  needsPerson = false,
): number {
  if (needsPerson) return NEVER_MS
  if (operation === '*') return 15 * SECOND
  return Math.min(15 * SECOND * 2 ** Math.min(trials, 10), 15 * MINUTE)
}

/** What merchants see of an operation that no account takes. */
const WHEN_NONE_TAKES: Readonly<Record<OperationType, Availability>> = {
  DEPOSIT: 'CLOSED',
  PAYOUT: 'DELAYED',
  REFUND: 'DELAYED',
  REMITTANCE: 'DELAYED',
}

/** An account as far as this decides: which operations rest, '*' for all of them. */
export type Resting = {
  readonly enabled: boolean
  readonly providers: Readonly<Record<string, readonly OperationType[]>>
  readonly resting: readonly { readonly operation: OperationType | '*'; readonly reason: string }[]
}

/**
 * Whether merchants can use an operation of a provider. In the sandbox the simulated operator
 * serves what no enabled account serves.
 */
export function healthOf(
  provider: string,
  operation: OperationType,
  accounts: readonly Resting[],
  hasSimulator: boolean,
): { readonly status: Availability; readonly reason: string } {
  const serving = accounts.filter(
    (one) => one.enabled && one.providers[provider]?.includes(operation),
  )
  if (serving.length === 0) {
    if (hasSimulator) return { status: 'OPERATIONAL', reason: 'the simulated operator serves it' }
    return { status: WHEN_NONE_TAKES[operation], reason: 'no enabled account serves it' }
  }
  const reasons = serving.map(({ resting }) =>
    resting.find((one) => one.operation === '*' || one.operation === operation),
  )
  if (reasons.includes(undefined)) return { status: 'OPERATIONAL', reason: 'an account serves it' }
  return { status: WHEN_NONE_TAKES[operation], reason: reasons[0]?.reason ?? '' }
}
