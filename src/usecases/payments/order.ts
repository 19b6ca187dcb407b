import type { Payment } from '../../domain/payments/payment.ts'
import { OPERATION_OF } from '../../domain/payments/payment-state.ts'
import { present } from '../../domain/present.ts'
import type { ProviderOrder } from '../../providers/connector.ts'

/** What the operator of a payment is asked to do. */
export function orderOf(payment: Payment): ProviderOrder {
  const { merchantId, kind, id, provider, amount, currency, phoneNumber, details } = payment
  const { preAuthorisationCode: code, successfulUrl, failedUrl } = details
  const { authorizationUrl } = payment
  return {
    merchantId,
    paymentId: id,
    operation: OPERATION_OF[kind],
    provider,
    amount,
    currency,
    phoneNumber,
    ...present({ oneTimeCode: code, successfulUrl, failedUrl, authorizationUrl }),
  }
}
