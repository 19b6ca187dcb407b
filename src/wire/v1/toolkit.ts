import type { EnabledCountry } from '../../domain/accounts/configuration.ts'
import { availabilityOf, type Merchant } from '../../domain/accounts/merchant.ts'
import type { Prediction } from '../../domain/payments/prediction.ts'
import type { Availability, OperationType } from '../../domain/provider.ts'
import { CountryCode, CurrencyCode, ProviderCode } from '../formats.ts'
import { createReader } from '../reader.ts'
import { type Static, Type } from '../schema.ts'

/** Configuration, availability and prediction in the earlier generation. */
const OPERATIONS = ['DEPOSIT', 'PAYOUT', 'REFUND'] as const

/** Availability never showed refunds. */
const WITH_AVAILABILITY = ['DEPOSIT', 'PAYOUT'] as const

/** What the earlier generation has words for, and the correspondents that it can use. */
function known<Known extends OperationType>(
  countries: readonly EnabledCountry[],
  shown: readonly Known[],
) {
  const isShown = (type: OperationType): type is Known => shown.some((one) => one === type)
  return countries
    .map(({ country, providers }) => ({
      country,
      providers: providers
        .map(({ provider, operations }) => ({ provider, operations: operations.filter(isShown) }))
        .filter(({ operations }) => operations.length > 0),
    }))
    .filter(({ providers }) => providers.length > 0)
}

export const LegacyConfiguration = Type.Object(
  {
    merchantId: Type.String(),
    merchantName: Type.String(),
    countries: Type.Array(
      Type.Object({
        country: CountryCode,
        correspondents: Type.Array(
          Type.Object({
            correspondent: ProviderCode,
            currency: CurrencyCode,
            ownerName: Type.String(),
            operationTypes: Type.Array(
              Type.Object({
                operationType: Type.Enum([...OPERATIONS]),
                minTransactionLimit: Type.String(),
                maxTransactionLimit: Type.String(),
              }),
            ),
          }),
        ),
      }),
    ),
  },
  { $id: 'LegacyConfiguration' },
)

/** A correspondent with two currencies is listed once for each; one without operations never. */
export function fromConfiguration(
  merchant: Merchant,
  countries: readonly EnabledCountry[],
): Static<typeof LegacyConfiguration> {
  return {
    merchantId: merchant.slug,
    merchantName: merchant.name,
    countries: known(countries, OPERATIONS).map(({ country, providers }) => ({
      country,
      correspondents: providers.flatMap(({ provider, operations }) =>
        provider.currencies.map((offered) => ({
          correspondent: provider.code,
          currency: offered.currency,
          ownerName: merchant.name,
          operationTypes: operations.flatMap((operationType) => {
            const limits = offered.operations[operationType]
            if (limits === undefined) return []
            const { min, max } = limits
            return [{ operationType, minTransactionLimit: min, maxTransactionLimit: max }]
          }),
        })),
      ),
    })),
  }
}

export const LegacyAvailability = Type.Array(
  Type.Object({
    country: CountryCode,
    correspondents: Type.Array(
      Type.Object({
        correspondent: ProviderCode,
        operationTypes: Type.Array(
          Type.Object({
            operationType: Type.Enum([...WITH_AVAILABILITY]),
            status: Type.Enum(['OPERATIONAL', 'DELAYED', 'CLOSED']),
          }),
        ),
      }),
    ),
  }),
  { $id: 'LegacyAvailability' },
)

/** Without a merchant it is the state of the platform, whose providers all work. */
export function fromAvailability(
  merchant: Merchant | undefined,
  countries: readonly EnabledCountry[],
): Static<typeof LegacyAvailability> {
  const statusOf = (provider: string, type: OperationType): Availability =>
    merchant === undefined ? 'OPERATIONAL' : availabilityOf(merchant, provider, type)
  return known(countries, WITH_AVAILABILITY).map(({ country, providers }) => ({
    country,
    correspondents: providers.map(({ provider, operations }) => ({
      correspondent: provider.code,
      operationTypes: operations.map((operationType) => ({
        operationType,
        status: statusOf(provider.code, operationType),
      })),
    })),
  }))
}

export const LegacyPredictionRequest = Type.Object(
  {
    msisdn: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'a phone number with the country code, as a person wrote it',
      examples: ['+260 763-456789'],
    }),
  },
  { $id: 'LegacyPredictionRequest', additionalProperties: false },
)
export const readPredictionRequest = createReader(LegacyPredictionRequest)

export const LegacyPrediction = Type.Object(
  {
    country: CountryCode,
    operator: Type.String({ examples: ['MTN'] }),
    correspondent: ProviderCode,
    msisdn: Type.String(),
  },
  { $id: 'LegacyPrediction' },
)

export function fromPrediction(prediction: Prediction): Static<typeof LegacyPrediction> {
  const [operator = ''] = prediction.provider.split('_')
  return {
    country: prediction.country,
    operator,
    correspondent: prediction.provider,
    msisdn: prediction.phoneNumber,
  }
}
