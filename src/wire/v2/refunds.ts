import type { Payment, PaymentDetails } from '../../domain/payments/payment.ts'
import { present } from '../../domain/present.ts'
import { AmountText, CountryCode, CurrencyCode, UuidV4, uuidV4 } from '../formats.ts'
import type { IdentifierRule } from '../identifiers.ts'
import { createReader } from '../reader.ts'
import { type Static, Type } from '../schema.ts'
import { MetadataRequest } from './metadata.ts'
import {
  actionAnswer,
  ClientReference,
  commonDetails,
  fromAccount,
  initiationAnswer,
  PaidOutState,
  RECORD_TAIL,
  Recipient,
  statusAnswer,
  withTail,
} from './payment-parts.ts'

/** Refunds in the current generation: requests in, answers and records out. */
export const RefundRequest = Type.Object(
  {
    refundId: UuidV4,
    depositId: uuidV4(
      'the deposit to refund, which must be COMPLETED',
      'f4401bd2-1568-4140-bf2d-eb77d2b2b639',
    ),
    amount: Type.Optional(AmountText),
    currency: Type.Optional(CurrencyCode),
    clientReferenceId: Type.Optional(ClientReference),
    metadata: Type.Optional(MetadataRequest),
  },
  { $id: 'RefundRequest', additionalProperties: false },
)

export const RefundAnswer = initiationAnswer('refundId', 'RefundAnswer')
export const RefundActionAnswer = actionAnswer('refundId', 'RefundActionAnswer')

export const RefundRecord = Type.Object(
  {
    refundId: Type.String({ description: 'as sent' }),
    depositId: Type.Optional(Type.String({ description: 'the deposit that is refunded' })),
    status: PaidOutState,
    amount: Type.String({
      description: 'as requested; what was left of the deposit when no amount was given',
      examples: ['15'],
    }),
    currency: CurrencyCode,
    country: CountryCode,
    recipient: Recipient,
    ...RECORD_TAIL,
  },
  { $id: 'RefundRecord' },
)
export const RefundStatus = statusAnswer(RefundRecord, 'refund', 'RefundStatus')

type RefundRequestRead = {
  readonly idAsSent: string
  readonly depositId: string
  readonly amount: string | undefined
  readonly currency: string | undefined
  readonly details: PaymentDetails
}

const readBody = createReader(RefundRequest)

export function readRefundRequest(body: unknown, ids: IdentifierRule): RefundRequestRead {
  const request = readBody(body, ids)
  const { refundId, depositId, amount, currency } = request
  return { idAsSent: refundId, depositId, amount, currency, details: commonDetails(request) }
}

/** One function makes the record of the status check and the body of the callback. */
export function fromRefund(refund: Payment): Static<typeof RefundRecord> {
  const head = {
    refundId: refund.idAsSent,
    ...present({ depositId: refund.details.depositId }),
    status: refund.state as Static<typeof PaidOutState>,
    amount: refund.amount,
    currency: refund.currency,
    country: refund.country,
    recipient: fromAccount(refund),
  }
  return withTail(head, refund)
}
