import type { Failure } from '../../domain/failure.ts'
import type { PageTerms } from '../../domain/hosted/page-session.ts'
import { present } from '../../domain/present.ts'
import { missing } from '../fault.ts'
import {
  AmountText,
  CountryCode,
  CustomerMessage,
  PhoneNumber,
  ReturnUrl,
  UuidV4,
} from '../formats.ts'
import type { IdentifierRule } from '../identifiers.ts'
import { createReader } from '../reader.ts'
import { Type } from '../schema.ts'
import { MetadataRequest } from './metadata.ts'
import { detailsOf, REJECTION, withTextAmount } from './payment-parts.ts'
import { rejectionOf } from './words.ts'

/** Sessions of the Payment Page in the earlier generation, which calls it a widget. */
export const LegacyWidgetRequest = Type.Object(
  {
    depositId: Type.String({ ...UuidV4, examples: ['9f2c41d0-6a57-4c8e-8b1f-3b7d5a0e6c24'] }),
    returnUrl: ReturnUrl,
    statementDescription: Type.Optional(CustomerMessage),
    amount: Type.Optional(AmountText),
    msisdn: Type.Optional(PhoneNumber),
    language: Type.Optional(Type.Enum(['EN', 'FR'])),
    country: Type.Optional(CountryCode),
    reason: Type.Optional(Type.String({ minLength: 1, maxLength: 50 })),
    metadata: Type.Optional(MetadataRequest),
  },
  { $id: 'LegacyWidgetRequest', additionalProperties: false },
)

export const LegacyWidgetCreated = Type.Object(
  { redirectUrl: Type.String({ description: 'where to send the customer' }) },
  { $id: 'LegacyWidgetCreated' },
)

export const LegacyWidgetAnswer = Type.Object(
  {
    depositId: Type.String(),
    status: Type.Enum(['DUPLICATE_IGNORED', 'REJECTED']),
    rejectionReason: REJECTION,
  },
  { $id: 'LegacyWidgetAnswer', description: 'no page was made' },
)

export type WidgetRequest = {
  readonly idAsSent: string
  /** In the first currency of the country, which is given with it. */
  readonly amount?: string
  readonly terms: Omit<PageTerms, 'amountDetails'>
}

const readBody = createReader(LegacyWidgetRequest)

export function readWidgetRequest(body: unknown, ids: IdentifierRule): WidgetRequest {
  const request = readBody(withTextAmount(body), ids)
  const { depositId, returnUrl, amount, msisdn, language, country, reason } = request
  if (amount !== undefined && country === undefined) throw missing('country')
  return {
    idAsSent: depositId,
    ...present({ amount }),
    terms: {
      returnUrl,
      ...present({ phoneNumber: msisdn, language, country, reason }),
      ...detailsOf(request),
    },
  }
}

export const fromWidgetRefusal = (depositId: string, failure: Failure) => ({
  depositId,
  status: 'REJECTED',
  rejectionReason: rejectionOf('deposit', failure),
})
