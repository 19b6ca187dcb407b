import type { Localised } from '../hosted/instructions.ts'
import { type ListedProvider, OPERATION_TYPES, type OperationType } from '../provider.ts'
import type { Merchant } from './merchant.ts'

/** What an account can use: its providers with their operations, country by country. */
export type EnabledCountry = {
  readonly country: string
  readonly name: Localised
  readonly callingCode: string
  readonly providers: readonly EnabledProvider[]
}

export type EnabledProvider = {
  readonly provider: ListedProvider
  readonly operations: readonly OperationType[]
}

/** An operation that nobody offers is a filter like any other; it leaves nothing. */
export type ConfigurationFilter = {
  readonly country?: string | undefined
  readonly operationType?: string | undefined
}

export function enabledCountries(
  providers: readonly ListedProvider[],
  merchant: Pick<Merchant, 'providers'>,
  filter: ConfigurationFilter,
): readonly EnabledCountry[] {
  const countries = new Map<string, EnabledCountry>()
  for (const provider of providers) {
    const { country, countryName: name, callingCode } = provider
    if (filter.country !== undefined && filter.country !== country) continue
    const operations = enabledOperations(provider, merchant, filter.operationType)
    if (operations.length === 0) continue
    const before = countries.get(country)?.providers ?? []
    const together = [...before, { provider, operations }]
    countries.set(country, { country, name, callingCode, providers: together })
  }
  return [...countries.values()]
}

function enabledOperations(
  provider: ListedProvider,
  merchant: Pick<Merchant, 'providers'>,
  only: string | undefined,
): readonly OperationType[] {
  const enabled = merchant.providers.get(provider.code)
  return OPERATION_TYPES.filter(
    (operation) =>
      (only === undefined || only === operation) &&
      enabled?.has(operation) === true &&
      provider.currencies.some(({ operations }) => operations[operation] !== undefined),
  )
}
