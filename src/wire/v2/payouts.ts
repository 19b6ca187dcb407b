import type { Payment } from '../../domain/payments/payment.ts'
import { bulkOf } from '../bulk.ts'
import { AmountText, CountryCode, CurrencyCode, CustomerMessage, UuidV4 } from '../formats.ts'
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
  type PaymentRequest,
  RECORD_TAIL,
  Recipient,
  statusAnswer,
  withTail,
} from './payment-parts.ts'

/** Payouts in the current generation: requests in, answers and records out. */
export const PayoutRequest = Type.Object(
  {
    payoutId: UuidV4,
    amount: AmountText,
    currency: CurrencyCode,
    recipient: Recipient,
    clientReferenceId: Type.Optional(ClientReference),
    customerMessage: Type.Optional(CustomerMessage),
    metadata: Type.Optional(MetadataRequest),
  },
  { $id: 'PayoutRequest', additionalProperties: false },
)

export const PayoutAnswer = initiationAnswer('payoutId', 'PayoutAnswer')
export const PayoutActionAnswer = actionAnswer('payoutId', 'PayoutActionAnswer')

export const PayoutRecord = Type.Object(
  {
    payoutId: Type.String({ description: 'as sent' }),
    status: PaidOutState,
    amount: Type.String({ description: 'exactly as requested', examples: ['15'] }),
    currency: CurrencyCode,
    country: CountryCode,
    recipient: Recipient,
    ...RECORD_TAIL,
  },
  { $id: 'PayoutRecord' },
)
export const PayoutStatus = statusAnswer(PayoutRecord, 'payout', 'PayoutStatus')

const readBody = createReader(PayoutRequest)

export function readPayoutRequest(body: unknown, ids: IdentifierRule): PaymentRequest {
  const request = readBody(body, ids)
  const { payoutId, recipient, amount, currency } = request
  const { phoneNumber, provider } = recipient.accountDetails
  const details = commonDetails(request)
  return { idAsSent: payoutId, amount, currency, phoneNumber, provider, details }
}

export const BulkPayouts = bulkOf(PayoutRequest, PayoutAnswer, 'payouts', readPayoutRequest)

/** One function makes the record of the status check and the body of the callback. */
export function fromPayout(payout: Payment): Static<typeof PayoutRecord> {
  const head = {
    payoutId: payout.idAsSent,
    status: payout.state as Static<typeof PaidOutState>,
    amount: payout.amount,
    currency: payout.currency,
    country: payout.country,
    recipient: fromAccount(payout),
  }
  return withTail(head, payout)
}
