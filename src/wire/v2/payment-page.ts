import type { PageTerms } from '../../domain/hosted/page-session.ts'
import { PAGE_REASON_MAX } from '../../domain/payments/request-limits.ts'
import { present } from '../../domain/present.ts'
import {
  AmountText,
  CountryCode,
  CurrencyCode,
  CustomerMessage,
  PhoneNumber,
  ReturnUrl,
  uuidV4,
} from '../formats.ts'
import type { IdentifierRule } from '../identifiers.ts'
import { createReader } from '../reader.ts'
import { Type } from '../schema.ts'
import { FailureReason } from './errors.ts'
import { MetadataRequest, readMetadata } from './metadata.ts'

/** The Payment Page: a link for a customer who pays one deposit. */
export const PaymentPageRequest = Type.Object(
  {
    depositId: uuidV4(
      'the deposit that exists once the customer has pressed Pay',
      '5c1e0a7e-0c3b-4b0e-9b52-0b6f8f5d2a10',
    ),
    returnUrl: ReturnUrl,
    customerMessage: Type.Optional(CustomerMessage),
    amountDetails: Type.Optional(
      Type.Object(
        { amount: AmountText, currency: CurrencyCode },
        {
          additionalProperties: false,
          description: 'what is to be paid; without it the customer says how much',
        },
      ),
    ),
    phoneNumber: Type.Optional(PhoneNumber),
    language: Type.Optional(
      Type.Enum(['EN', 'FR'], { description: 'of the page; the customer can choose another' }),
    ),
    country: Type.Optional(CountryCode),
    reason: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: PAGE_REASON_MAX,
        description: 'what is paid for, shown to the customer',
        examples: ['Ticket to the match'],
      }),
    ),
    metadata: Type.Optional(MetadataRequest),
  },
  { $id: 'PaymentPageRequest', additionalProperties: false },
)

export const PaymentPageCreated = Type.Object(
  {
    redirectUrl: Type.String({
      description: 'where to send the customer; valid for 15 minutes',
      examples: ['https://pay.example/pay/3kTnA0cQy9ZsV1rUe7LwXm'],
    }),
  },
  { $id: 'PaymentPageCreated' },
)

export const PaymentPageAnswer = Type.Object(
  {
    depositId: Type.String({ description: 'as sent' }),
    status: Type.Enum(['DUPLICATE_IGNORED', 'REJECTED'], {
      description: 'DUPLICATE_IGNORED: this is a deposit already, so there is nothing to pay',
    }),
    failureReason: Type.Optional(FailureReason),
  },
  { $id: 'PaymentPageAnswer', description: 'no page was made' },
)

const readBody = createReader(PaymentPageRequest)

export function readPaymentPageRequest(
  body: unknown,
  ids: IdentifierRule,
): {
  readonly idAsSent: string
  readonly terms: PageTerms
} {
  const { depositId, metadata: entries, ...given } = readBody(body, ids)
  const metadata = readMetadata(entries)
  return {
    idAsSent: depositId,
    terms: { ...given, ...present({ metadata }) },
  }
}
