import type { CodeTable } from '../wire-kit.ts'

/** The customer may not pay with this wallet; in a payout it just did not work. */
const NOT_APPROVED = { DEPOSIT: 'PAYMENT_NOT_APPROVED', other: 'UNSPECIFIED_FAILURE' } as const

/** Every code that Wave gives: for attempts to pay, for payouts, for refunds, and for any call. */
export const CODES: CodeTable = {
  // The customer's money in a deposit, that of our own wallet otherwise.
  'insufficient-funds': { DEPOSIT: 'INSUFFICIENT_BALANCE', other: 'OUR_FAULT' },
  'blocked-account': NOT_APPROVED,
  'cross-border-payment-not-allowed': NOT_APPROVED,
  'customer-age-restricted': NOT_APPROVED,
  'payer-mobile-mismatch': NOT_APPROVED,
  'kyb-limits-exceeded': 'OUR_FAULT',
  'payment-failure': 'UNSPECIFIED_FAILURE',

  'recipient-limit-exceeded': 'WALLET_LIMIT_REACHED',
  'recipient-account-blocked': 'RECIPIENT_NOT_FOUND',
  'recipient-account-inactive': 'RECIPIENT_NOT_FOUND',
  'recipient-minor': 'RECIPIENT_NOT_FOUND',
  'country-mismatch': 'OUR_FAULT',
  'currency-mismatch': 'OUR_FAULT',
  'aggregated-merchant-required': 'OUR_FAULT',
  'invalid-aggregated-merchant-id': 'OUR_FAULT',
  // Something was sent under this key before: it is looked up.
  'idempotency-mismatch': 'UNKNOWN',

  'checkout-refund-failed': 'UNSPECIFIED_FAILURE',
  'checkout-session-not-found': 'UNSPECIFIED_FAILURE',

  'missing-auth-header': 'OUR_FAULT',
  'invalid-auth': 'OUR_FAULT',
  'api-key-not-provided': 'OUR_FAULT',
  'no-matching-api-key': 'OUR_FAULT',
  'api-key-revoked': 'OUR_FAULT',
  'missing-signature': 'OUR_FAULT',
  'invalid-signature': 'OUR_FAULT',
  'invalid-wallet': 'OUR_FAULT',
  'disabled-wallet': 'OUR_FAULT',
  'unauthorized-wallet': 'OUR_FAULT',
  'request-not-json': 'UNSPECIFIED_FAILURE',
  'request-parsing-error': 'UNSPECIFIED_FAILURE',
  'request-validation-error': 'UNSPECIFIED_FAILURE',
}
