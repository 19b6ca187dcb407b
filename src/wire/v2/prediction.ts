import { CountryCode, PhoneNumber, ProviderCode } from '../formats.ts'
import { createReader } from '../reader.ts'
import { Type } from '../schema.ts'

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
