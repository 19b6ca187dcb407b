import type { Payment } from '../../domain/payments/payment.ts'
import { bulkOf } from '../bulk.ts'
import {
  AmountText,
  CountryCode,
  CurrencyCode,
  CustomerMessage,
  ProviderCode,
  timestampText,
  UuidV4,
} from '../formats.ts'
import type { IdentifierRule } from '../identifiers.ts'
import { createReader } from '../reader.ts'
import { type Static, Type } from '../schema.ts'
import { MetadataRequest } from './metadata.ts'
import {
  account,
  CustomerTimestamp,
  fromAccount,
  type PaymentRequest,
  REJECTION,
  recordEnd,
  recordMiddle,
  requestOf,
  STATES,
  withTextAmount,
} from './payment-parts.ts'

/** Payouts in the earlier generation, and the records that refunds share with them. */
const Recipient = account('whom the money goes to')

export const LegacyPayoutRequest = Type.Object(
  {
    payoutId: UuidV4,
    amount: AmountText,
    currency: CurrencyCode,
    country: Type.Optional(CountryCode),
    correspondent: ProviderCode,
    recipient: Recipient,
    customerTimestamp: CustomerTimestamp,
    statementDescription: CustomerMessage,
    metadata: Type.Optional(MetadataRequest),
  },
  { $id: 'LegacyPayoutRequest', additionalProperties: false },
)

export const LegacyPayoutAnswer = Type.Object(
  {
    payoutId: Type.String(),
    status: Type.Enum(['ACCEPTED', 'ENQUEUED', 'REJECTED', 'DUPLICATE_IGNORED'], {
      description: 'ENQUEUED: accepted, and waits until the provider works again',
    }),
    created: Type.Optional(Type.String()),
    rejectionReason: REJECTION,
  },
  { $id: 'LegacyPayoutAnswer' },
)

const readBody = createReader(LegacyPayoutRequest)

export function readPayoutRequest(body: unknown, ids: IdentifierRule): PaymentRequest {
  const request = readBody(withTextAmount(body), ids)
  return requestOf(request, request.payoutId, request.recipient.address.value)
}

export const LegacyBulkPayouts = bulkOf(
  LegacyPayoutRequest,
  LegacyPayoutAnswer,
  'payouts',
  readPayoutRequest,
)

export const PAID_OUT_RECORD = {
  status: Type.Enum(['ACCEPTED', 'ENQUEUED', 'SUBMITTED', 'COMPLETED', 'FAILED']),
  amount: Type.String(),
  currency: CurrencyCode,
  country: CountryCode,
  correspondent: ProviderCode,
  recipient: Recipient,
  customerTimestamp: Type.String(),
  statementDescription: Type.String(),
  created: Type.String(),
  receivedByRecipient: Type.Optional(Type.String({ description: 'once it is COMPLETED' })),
  correspondentIds: Type.Optional(Type.Record(Type.String(), Type.String())),
  failureReason: Type.Optional(
    Type.Object({ failureCode: Type.String(), failureMessage: Type.String() }),
  ),
  metadata: Type.Optional(Type.Record(Type.String(), Type.String())),
}

export const LegacyPayoutRecord = Type.Object(
  { payoutId: Type.String(), ...PAID_OUT_RECORD },
  { $id: 'LegacyPayoutRecord' },
)

/** One function makes the record of the status check and the body of the callback. */
export function fromPayout(payout: Payment): Static<typeof LegacyPayoutRecord> {
  return { payoutId: payout.idAsSent, ...paidOutRecord(payout) }
}

export function paidOutRecord(payment: Payment) {
  const { endedAt, state } = payment
  return {
    status: STATES[state] as Static<(typeof PAID_OUT_RECORD)['status']>,
    amount: payment.amount,
    ...recordMiddle(payment),
    recipient: fromAccount(payment),
    ...(state === 'COMPLETED' && endedAt !== undefined
      ? { receivedByRecipient: timestampText(endedAt) }
      : {}),
    ...recordEnd(payment),
  }
}
