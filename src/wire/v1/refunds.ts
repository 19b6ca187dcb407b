import type { Payment, PaymentDetails } from '../../domain/payments/payment.ts'
import { present } from '../../domain/present.ts'
import { AmountText, UuidV4 } from '../formats.ts'
import type { IdentifierRule } from '../identifiers.ts'
import { createReader } from '../reader.ts'
import { type Static, Type } from '../schema.ts'
import { MetadataRequest } from './metadata.ts'
import { detailsOf, REJECTION, withTextAmount } from './payment-parts.ts'
import { PAID_OUT_RECORD, paidOutRecord } from './payouts.ts'

/** Refunds in the earlier generation: requests in, answers and records out. */
export const LegacyRefundRequest = Type.Object(
  {
    refundId: UuidV4,
    depositId: UuidV4,
    amount: Type.Optional(AmountText),
    metadata: Type.Optional(MetadataRequest),
  },
  { $id: 'LegacyRefundRequest', additionalProperties: false },
)

export const LegacyRefundAnswer = Type.Object(
  {
    refundId: Type.String(),
    status: Type.Enum(['ACCEPTED', 'REJECTED', 'DUPLICATE_IGNORED']),
    created: Type.Optional(Type.String()),
    rejectionReason: REJECTION,
  },
  { $id: 'LegacyRefundAnswer' },
)

const readBody = createReader(LegacyRefundRequest)

export function readRefundRequest(
  body: unknown,
  ids: IdentifierRule,
): {
  readonly idAsSent: string
  readonly depositId: string
  readonly amount: string | undefined
  readonly details: PaymentDetails
} {
  const { refundId, depositId, amount, metadata } = readBody(withTextAmount(body), ids)
  const details = detailsOf(present({ metadata }))
  return { idAsSent: refundId, depositId, amount, details }
}

export const LegacyRefundRecord = Type.Object(
  { refundId: Type.String(), ...PAID_OUT_RECORD },
  { $id: 'LegacyRefundRecord' },
)

/** One function makes the record of the status check and the body of the callback. */
export function fromRefund(refund: Payment): Static<typeof LegacyRefundRecord> {
  return { refundId: refund.idAsSent, ...paidOutRecord(refund) }
}
