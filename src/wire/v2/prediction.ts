import Type from 'typebox'
import type { Unpredictable } from '../../domain/prediction.ts'
import { CountryCode, PhoneNumber, ProviderCode } from '../formats.ts'
import { createReader } from '../reader.ts'

export const PredictionRequest = Type.Object(
  {
    phoneNumber: Type.String({
      minLength: 1,
      maxLength: 64,
      description:
        'a phone number with the country code, as a person wrote it: everything that is not a ' +
        'digit is dropped',
      examples: ['+260 763-456789'],
    }),
  },
  { $id: 'PredictionRequest', additionalProperties: false },
)
export const readPredictionRequest = createReader(PredictionRequest)

export const ProviderPrediction = Type.Object(
  { country: CountryCode, provider: ProviderCode, phoneNumber: PhoneNumber },
  { $id: 'ProviderPrediction', description: 'the number as other calls take it' },
)

/** Why a number is refused, in words for its sender. */
export const UNPREDICTABLE: Readonly<Record<Unpredictable, string>> = {
  UNKNOWN_COUNTRY:
    'it must begin with the country code of a country that this service reaches, such as 260',
  UNKNOWN_NETWORK:
    'its length and its first digits belong to no provider that this service reaches',
}
