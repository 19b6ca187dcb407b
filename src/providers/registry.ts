import { instructionsFor } from '../domain/hosted/instructions.ts'
import type { OperatorAccount } from '../domain/operators/account.ts'
import type { Predict } from '../domain/payments/prediction.ts'
import {
  type AuthorisationType,
  type ListedProvider,
  OPERATION_TYPES,
  type OperationLimits,
  type OperationType,
} from '../domain/provider.ts'
import type { Catalog } from './catalog.ts'
import type { Connector } from './connector.ts'

/** Which provider is reached through what. It changes with the accounts, on all nodes. */
export type Registry = {
  readonly catalog: Catalog
  /** As it can be used here: with the operations that are served, and how deposits are approved. */
  find(code: string): ListedProvider | undefined
  /** All of these. */
  readonly reached: () => readonly ListedProvider[]
  /**
   * Where a payment goes or went. Undefined where it has not been sent, and nothing takes it at the
   * moment.
   */
  routeFor(order: Routed): Route | undefined
  /** False while the account is not used for new orders. */
  takes(account: string, operation: OperationType): boolean
  /** Without any operator within reach, no payment can be accepted. */
  readonly hasOperator: () => boolean
  /** Which provider of the catalogue a number most likely belongs to. */
  readonly predict: Predict
  /** Whether numbers of the sandbox are taken that no number plan has. */
  readonly withTestNumbers: boolean
  /** Takes over the accounts as they are now. */
  use(accounts: readonly ServingAccount[]): void
}

export type Route = { readonly connector: Connector; readonly account?: string }

/** The accounts that were tried and could not be reached are left out. */
export type Routed = {
  readonly provider: string
  readonly operation: OperationType
  readonly account?: string
  readonly isSent: boolean
  readonly without?: readonly string[]
  /** Taken before others, where it can be. */
  readonly preferred?: string
  /** How the customer can approve: an account that does it in another way is of no use. */
  readonly flows?: readonly AuthorisationType[]
  /** The account that refused it once: it goes through no other. */
  readonly only?: string
}

/** An account that is ready to be used. */
type ServingAccount = Pick<OperatorAccount, 'name' | 'providers' | 'enabled'> & {
  readonly connector: Connector
  readonly authType: AuthorisationType
  readonly codeShortCode?: string
  /** False while it is not used: its operator cannot be reached, or refuses this operation. */
  takes(operation: OperationType): boolean
}

type Parts = Pick<Registry, 'catalog' | 'predict' | 'withTestNumbers'> & {
  /** The simulated operator, which serves what no account serves. */
  readonly simulator: Connector | undefined
}

export function createRegistry({ catalog, predict, withTestNumbers, simulator }: Parts): Registry {
  /** In the order of their priority. */
  let accounts: readonly ServingAccount[] = []
  let reached = new Map<string, ListedProvider>()

  const serving = (provider: string, operation: OperationType): readonly ServingAccount[] =>
    // Asked for every payment, and without accounts there is nothing to look through.
    accounts.length === 0
      ? accounts
      : accounts.filter(
          ({ enabled, providers }) => enabled && providers[provider]?.includes(operation),
        )

  const refresh = (): void => {
    const usable = catalog.all.flatMap((provider) => servedPart(provider, serving, simulator) ?? [])
    reached = new Map(usable.map((provider) => [provider.code, provider]))
  }
  refresh()

  return {
    catalog,
    find: (code) => reached.get(code),
    reached: () => [...reached.values()],
    routeFor: (routed) => {
      const { provider, operation, account, isSent, without = [] } = routed
      if (account !== undefined) {
        const known = accounts.find(({ name }) => name === account)
        return known && { connector: known.connector, account }
      }
      const able = isSent ? [] : serving(provider, operation)
      if (able.length === 0 && routed.only === undefined) {
        return simulator && catalog.find(provider) && { connector: simulator }
      }
      const fitting = able.filter(
        (one) => one.takes(operation) && !without.includes(one.name) && isFitting(one, routed),
      )
      const taken = fitting.find(({ name }) => name === routed.preferred) ?? fitting[0]
      return taken && { connector: taken.connector, account: taken.name }
    },
    takes: (account, operation) =>
      accounts.some(({ name, enabled, takes }) => name === account && enabled && takes(operation)),
    hasOperator: () => simulator !== undefined || accounts.length > 0,
    predict,
    withTestNumbers,
    use: (next) => {
      accounts = next
      refresh()
    },
  }
}

const isFitting = ({ name, authType }: ServingAccount, { only, flows }: Routed): boolean =>
  (only === undefined || only === name) && (flows === undefined || flows.includes(authType))

/** Undefined where nothing of it is served. */
function servedPart(
  provider: ListedProvider,
  serving: (provider: string, operation: OperationType) => readonly ServingAccount[],
  simulator: Connector | undefined,
): ListedProvider | undefined {
  const servedBy = new Map(OPERATION_TYPES.map((one) => [one, serving(provider.code, one)]))
  if ([...servedBy.values()].every((accounts) => accounts.length === 0)) {
    return simulator && provider
  }
  const isServed = (one: OperationType): boolean =>
    simulator !== undefined || (servedBy.get(one)?.length ?? 0) > 0
  const able = servedBy.get('DEPOSIT') ?? []
  const first = able.find(({ takes }) => takes('DEPOSIT')) ?? able[0]
  const currencies = provider.currencies.map((currency) => {
    const operations: Partial<Record<OperationType, OperationLimits>> = {}
    for (const one of OPERATION_TYPES) {
      const limits = currency.operations[one]
      if (limits === undefined || !isServed(one)) continue
      operations[one] =
        one === 'DEPOSIT' && first !== undefined ? withFlow(limits, first, provider) : limits
    }
    return { ...currency, operations }
  })
  return { ...provider, currencies }
}

/** How customers approve follows from the connector; what the catalogue says of prompts may not fit. */
function withFlow(
  limits: OperationLimits,
  { authType, codeShortCode: shortCode }: ServingAccount,
  { walletName }: ListedProvider,
): OperationLimits {
  if ((limits.authType ?? 'PROVIDER_AUTH') === authType) return limits
  const { pinPrompt, pinPromptRevivable, instructions, ...rest } = limits
  if (authType === 'PROVIDER_AUTH') return { ...rest, authType, pinPrompt: 'AUTOMATIC' }
  if (shortCode === undefined) return { ...rest, authType }
  const dialled = { provider: walletName, shortCode, isForAnyAmount: true }
  return { ...rest, authType, instructions: instructionsFor('PREAUTH', dialled) }
}
