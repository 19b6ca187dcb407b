import { availabilityOf } from '../../../domain/accounts/merchant.ts'
import type { Availability, ListedProvider, OperationType } from '../../../domain/provider.ts'
import { readConfiguration } from '../../../usecases/accounts/read-configuration.ts'
import type { Visit } from '../visit.ts'

export type ProviderStatus = {
  readonly provider: ListedProvider
  readonly operations: readonly {
    readonly operation: OperationType
    readonly status: Availability
  }[]
}

export type CountryStatus = {
  readonly country: string
  readonly name: string
  readonly providers: readonly ProviderStatus[]
  /** How many operations are so. */
  readonly closed: number
  readonly delayed: number
}

/** What `GET /v2/availability` says, of the countries that the person may see. */
export function statusOfCountries(
  { ctx, person, lang }: Visit,
  country: string | undefined,
): readonly CountryStatus[] {
  const { merchant, countries } = person
  return readConfiguration(ctx, merchant, { country })
    .filter((one) => countries.length === 0 || countries.includes(one.country))
    .map(({ country: code, name, providers: enabled }) => {
      const providers = enabled.map(({ provider, operations }) => ({
        provider,
        operations: operations.map((operation) => ({
          operation,
          status: availabilityOf(merchant, provider.code, operation),
        })),
      }))
      const count = (status: Availability): number =>
        providers.flatMap(({ operations }) => operations.filter((one) => one.status === status))
          .length
      const counts = { closed: count('CLOSED'), delayed: count('DELAYED') }
      return { country: code, name: name[lang], providers, ...counts }
    })
}
