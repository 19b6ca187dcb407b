import type { FailureCode } from '../../domain/failure.ts'
import type { MerchantId, PaymentId, PaymentKey } from '../../domain/ids.ts'
import type { AccountName } from '../../domain/payments/ledger.ts'
import type {
  Generation,
  OperatorIds,
  Payment,
  PaymentDetails,
} from '../../domain/payments/payment.ts'
import type { PaymentKind, PaymentState } from '../../domain/payments/payment-state.ts'
import { ifGiven, present } from '../../domain/present.ts'

/** How a payment lies in its table, and back. Times leave the database as milliseconds. */
export type PaymentRow = {
  readonly merchant_id: number
  readonly kind: string
  readonly id: string
  readonly id_as_sent: string | null
  readonly key: string
  readonly generation: string
  readonly state: string
  readonly amount: string
  readonly currency: string
  readonly country: string
  readonly provider: string
  readonly phone_number: string
  readonly details: PaymentDetails | null
  readonly pre_authorisation_code: string | null
  readonly created_ms: number
  readonly submitted_ms: number | null
  readonly unknown_ms: number | null
  readonly provider_reference: string | null
  readonly provider_transaction_id: string | null
  readonly failure_code: string | null
  readonly failure_message: string | null
  readonly held_from: string | null
  readonly refund_of: string | null
  readonly split_id: string | null
  readonly checkout_id: string | null
  readonly ended_ms: number | null
  readonly authorization_url: string | null
  readonly operator_account: string | null
  readonly operator_ids: OperatorIds | null
}

export const PAYMENT_COLUMNS = `
  p.merchant_id, p.kind, p.id, p.id_as_sent, p.key, p.generation, p.state, p.amount::text as amount,
  p.currency, p.country, p.provider, p.phone_number, p.details, p.pre_authorisation_code,
  (extract(epoch from p.created_at) * 1000)::float8 as created_ms,
  (extract(epoch from p.submitted_at) * 1000)::float8 as submitted_ms,
  (extract(epoch from p.unknown_since) * 1000)::float8 as unknown_ms,
  p.provider_reference, p.provider_transaction_id, p.failure_code, p.failure_message,
  p.held_from, p.refund_of, p.split_id, p.checkout_id, p.authorization_url,
  p.operator_account, p.operator_ids,
  (extract(epoch from p.ended_at) * 1000)::float8 as ended_ms`

export function toPayment(row: PaymentRow): Payment {
  return {
    merchantId: row.merchant_id as MerchantId,
    kind: row.kind as PaymentKind,
    id: row.id as PaymentId,
    idAsSent: row.id_as_sent ?? row.id,
    key: row.key as PaymentKey,
    generation: row.generation as Generation,
    state: row.state as PaymentState,
    amount: row.amount,
    currency: row.currency,
    country: row.country,
    provider: row.provider,
    phoneNumber: row.phone_number,
    details: {
      ...row.details,
      ...present({ preAuthorisationCode: row.pre_authorisation_code }),
    },
    createdAt: Math.round(row.created_ms),
    ...present({
      endedAt: ifGiven(row.ended_ms, Math.round),
      heldFrom: row.held_from as AccountName | null,
      refundOf: row.refund_of as PaymentId | null,
      splitId: row.split_id as PaymentId | null,
      checkoutId: row.checkout_id as PaymentId | null,
      submittedAt: ifGiven(row.submitted_ms, Math.round),
      unknownSince: ifGiven(row.unknown_ms, Math.round),
      providerReference: row.provider_reference,
      providerTransactionId: row.provider_transaction_id,
      authorizationUrl: row.authorization_url,
      operatorAccount: row.operator_account,
      operatorIds: row.operator_ids,
      failure: ifGiven(row.failure_code, (code) => ({
        code: code as FailureCode,
        message: row.failure_message ?? '',
      })),
    }),
  }
}
