/**
 * Every failure code the service can give, with where it occurs. `request`: the call itself is
 * refused and no payment exists. `payment`: an accepted payment ended as FAILED with it. `both`: either.
 */
export const FAILURE_CODES = {
  AUTHENTICATION_ERROR: 'request',
  AUTHORISATION_ERROR: 'request',
  DEPOSITS_NOT_ALLOWED: 'request',
  PAYOUTS_NOT_ALLOWED: 'request',
  REFUNDS_NOT_ALLOWED: 'request',
  REMITTANCES_NOT_ALLOWED: 'request',
  SPLIT_PAYMENTS_NOT_ALLOWED: 'request',
  INVALID_INPUT: 'request',
  MISSING_PARAMETER: 'request',
  INVALID_PARAMETER: 'request',
  UNSUPPORTED_PARAMETER: 'request',
  DUPLICATE_METADATA_FIELD: 'request',
  INVALID_PROVIDER: 'request',
  INVALID_CURRENCY: 'request',
  INVALID_COUNTRY: 'request',
  INVALID_PHONE_NUMBER: 'request',
  INVALID_AMOUNT: 'request',
  AMOUNT_OUT_OF_BOUNDS: 'request',
  PROVIDER_TEMPORARILY_UNAVAILABLE: 'request',
  NOT_FOUND: 'request',
  INVALID_STATE: 'request',
  AMOUNT_TOO_LARGE: 'request',
  REFUND_IN_PROGRESS: 'request',
  DEPOSIT_ALREADY_REFUNDED: 'request',
  PAYOUT_EXCEEDS_DEPOSIT: 'request',
  INVALID_CALLBACK_URL: 'request',
  INVALID_DATE_RANGE: 'request',
  WALLET_NOT_FOUND: 'request',
  PAYMENT_NOT_APPROVED: 'payment',
  INSUFFICIENT_BALANCE: 'payment',
  PAYMENT_IN_PROGRESS: 'payment',
  PAYER_NOT_FOUND: 'payment',
  PAYER_LIMIT_REACHED: 'payment',
  TRANSACTION_ALREADY_IN_PROCESS: 'payment',
  RECIPIENT_NOT_FOUND: 'payment',
  WALLET_LIMIT_REACHED: 'payment',
  RECIPIENT_LIMIT_REACHED: 'payment',
  PAWAPAY_WALLET_OUT_OF_FUNDS: 'payment',
  MANUALLY_CANCELLED: 'payment',
  UNSPECIFIED_FAILURE: 'payment',
  OTHER_ERROR: 'payment',
  UNKNOWN_ERROR: 'both',
} as const satisfies Record<string, 'request' | 'payment' | 'both'>

export type FailureCode = keyof typeof FAILURE_CODES

export type PaymentFailureCode = {
  [Code in FailureCode]: (typeof FAILURE_CODES)[Code] extends 'payment' | 'both' ? Code : never
}[FailureCode]

/** Where a code occurs. */
export const occursIn = (code: FailureCode, where: 'request' | 'payment'): boolean =>
  FAILURE_CODES[code] === where || FAILURE_CODES[code] === 'both'

export type Failure = {
  readonly code: FailureCode
  readonly message: string
  /** With AMOUNT_OUT_OF_BOUNDS: which bound the amount is beyond. */
  readonly bound?: 'MINIMUM' | 'MAXIMUM'
}

/** What a merchant reads when an operator ends a payment; written in one place for all operators. */
export const PAYMENT_FAILURE_MESSAGES: Readonly<Record<PaymentFailureCode, string>> = {
  PAYMENT_NOT_APPROVED: 'The customer did not approve the payment.',
  INSUFFICIENT_BALANCE: 'The customer does not have enough money in the wallet.',
  PAYMENT_IN_PROGRESS:
    'The customer has another payment waiting for approval. Try again in about ten minutes.',
  PAYER_NOT_FOUND: 'The phone number is not a wallet of this provider.',
  PAYER_LIMIT_REACHED: 'The customer has reached a limit of the wallet.',
  TRANSACTION_ALREADY_IN_PROCESS:
    'The provider is still handling another payment of this customer.',
  RECIPIENT_NOT_FOUND: 'The phone number is not a wallet of this provider.',
  WALLET_LIMIT_REACHED: 'The wallet cannot hold or receive this amount because of its limit.',
  RECIPIENT_LIMIT_REACHED: 'The recipient has reached a limit of the wallet.',
  PAWAPAY_WALLET_OUT_OF_FUNDS:
    'Your wallet did not hold enough money for this payment. Top it up and send a new payment.',
  MANUALLY_CANCELLED: 'The payment was cancelled while it was waiting for the provider.',
  UNSPECIFIED_FAILURE: 'The provider ended the payment without giving a reason.',
  OTHER_ERROR: 'The provider ended the payment for a reason that has no code of its own.',
  UNKNOWN_ERROR: 'The payment failed, and the reason is not known.',
}

/**
 * Who brought a failure about: the customer or recipient (too little money, no approval, a wallet that
 * does not exist or is at its limit), the merchant, or the provider. What nobody explains counts as
 * the provider's, so that a rate without customer-caused failures never looks better than it is.
 */
export const FAILURE_CAUSES: Readonly<
  Record<PaymentFailureCode, 'customer' | 'merchant' | 'provider'>
> = {
  PAYMENT_NOT_APPROVED: 'customer',
  INSUFFICIENT_BALANCE: 'customer',
  PAYMENT_IN_PROGRESS: 'customer',
  PAYER_NOT_FOUND: 'customer',
  PAYER_LIMIT_REACHED: 'customer',
  TRANSACTION_ALREADY_IN_PROCESS: 'customer',
  RECIPIENT_NOT_FOUND: 'customer',
  WALLET_LIMIT_REACHED: 'customer',
  RECIPIENT_LIMIT_REACHED: 'customer',
  PAWAPAY_WALLET_OUT_OF_FUNDS: 'merchant',
  MANUALLY_CANCELLED: 'merchant',
  UNSPECIFIED_FAILURE: 'provider',
  OTHER_ERROR: 'provider',
  UNKNOWN_ERROR: 'provider',
}

export const isCausedByCustomer = (code: string): boolean =>
  isPaymentFailureCode(code) && FAILURE_CAUSES[code] === 'customer'

export function paymentFailure(code: PaymentFailureCode, message?: string): Failure {
  return { code, message: message ?? PAYMENT_FAILURE_MESSAGES[code] }
}

export function isPaymentFailureCode(text: string): text is PaymentFailureCode {
  return Object.hasOwn(PAYMENT_FAILURE_MESSAGES, text)
}
