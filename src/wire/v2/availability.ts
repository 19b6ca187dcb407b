import type { EnabledCountry } from '../../domain/accounts/configuration.ts'
import { availabilityOf, type Merchant } from '../../domain/accounts/merchant.ts'
import { AVAILABILITIES } from '../../domain/provider.ts'
import { CountryCode, ProviderCode } from '../formats.ts'
import { type Static, Type } from '../schema.ts'

const Status = Type.Optional(
  Type.Enum([...AVAILABILITIES], {
    description:
      'OPERATIONAL works; DELAYED refuses deposits and takes everything else into a queue; ' +
      'CLOSED refuses everything',
  }),
)

export const ProviderAvailability = Type.Array(
  Type.Object({
    country: CountryCode,
    providers: Type.Array(
      Type.Object({
        provider: ProviderCode,
        operationTypes: Type.Object(
          { DEPOSIT: Status, PAYOUT: Status, REFUND: Status, REMITTANCE: Status },
          { description: 'the operations enabled for the account, each with its state' },
        ),
      }),
    ),
  }),
  { $id: 'ProviderAvailability', description: "the account's providers, by country" },
)

export function fromAvailability(
  merchant: Merchant,
  countries: readonly EnabledCountry[],
): Static<typeof ProviderAvailability> {
  return countries.map(({ country, providers }) => ({
    country,
    providers: providers.map(({ provider: { code }, operations }) => ({
      provider: code,
      operationTypes: Object.fromEntries(
        operations.map((type) => [type, availabilityOf(merchant, code, type)]),
      ),
    })),
  }))
}
