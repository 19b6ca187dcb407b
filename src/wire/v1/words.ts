import type { Failure, FailureCode } from '../../domain/failure.ts'
import type { PaymentKind } from '../../domain/payments/payment-state.ts'

/** The codes of the earlier generation, where they differ from ours. */
type Words = Readonly<Partial<Record<FailureCode, string>>>

const REJECTIONS: Words = {
  INVALID_PROVIDER: 'INVALID_CORRESPONDENT',
  PROVIDER_TEMPORARILY_UNAVAILABLE: 'CORRESPONDENT_TEMPORARILY_UNAVAILABLE',
  PAWAPAY_WALLET_OUT_OF_FUNDS: 'BALANCE_INSUFFICIENT',
  MISSING_PARAMETER: 'PARAMETER_INVALID',
  NOT_FOUND: 'DEPOSIT_NOT_FOUND',
  INVALID_STATE: 'DEPOSIT_NOT_COMPLETED',
  DEPOSIT_ALREADY_REFUNDED: 'ALREADY_REFUNDED',
  REFUND_IN_PROGRESS: 'IN_PROGRESS',
}

const INVALID_NUMBER: Readonly<Record<PaymentKind, string>> = {
  deposit: 'INVALID_PAYER_FORMAT',
  payout: 'INVALID_RECIPIENT_FORMAT',
  refund: 'INVALID_RECIPIENT_FORMAT',
  remittance: 'INVALID_RECIPIENT_FORMAT',
}

/** Why a request was refused, in the words of the earlier generation. */
export function rejectionOf(
  kind: PaymentKind,
  failure: Failure,
): { rejectionCode: string; rejectionMessage: string } {
  const rejectionCode = rejectionCodeOf(kind, failure)
  return { rejectionCode, rejectionMessage: inLegacyWords(failure.message) }
}

function rejectionCodeOf(kind: PaymentKind, { code, bound }: Failure): string {
  if (code === 'INVALID_PHONE_NUMBER') return INVALID_NUMBER[kind]
  // A refund names no correspondent; the account has lost that of its deposit.
  if (code === 'INVALID_PROVIDER' && kind === 'refund') return 'REFUNDS_NOT_ALLOWED'
  if (code === 'AMOUNT_OUT_OF_BOUNDS') {
    return bound === 'MINIMUM' ? 'AMOUNT_TOO_SMALL' : 'AMOUNT_TOO_LARGE'
  }
  return REJECTIONS[code] ?? code
}

/**
 * Messages are written for the current generation; the earlier one has other words for some. What
 * stands in quotes was sent by the caller, and stays. `repeats` is free text of the caller with its
 * quotes, which may hold quotes itself.
 */
export function inLegacyWords(message: string, repeats?: string): string {
  if (repeats === undefined) return reworded(message)
  return message.split(repeats).map(reworded).join(repeats)
}

const reworded = (text: string): string =>
  text.replaceAll(/'[^']*'|\bprovider\b|\b(?:PROCESSING|IN_RECONCILIATION)\b/g, (found) => {
    if (found.startsWith("'")) return found
    return found === 'provider' ? 'correspondent' : 'SUBMITTED'
  })

const FAILURES: Words = {
  UNSPECIFIED_FAILURE: 'OTHER_ERROR',
  UNKNOWN_ERROR: 'OTHER_ERROR',
  PAYMENT_IN_PROGRESS: 'TRANSACTION_ALREADY_IN_PROCESS',
  PAWAPAY_WALLET_OUT_OF_FUNDS: 'BALANCE_INSUFFICIENT',
}

/** Why a payment failed, in the words of the earlier generation. */
export function failureCodeOf(kind: PaymentKind, code: FailureCode): string {
  if (code === 'WALLET_LIMIT_REACHED') {
    return kind === 'deposit' ? 'PAYER_LIMIT_REACHED' : 'RECIPIENT_NOT_ALLOWED_TO_RECEIVE'
  }
  return FAILURES[code] ?? code
}
