import type { CodeTable } from '../wire-kit.ts'

/** The customer's PIN or code in a deposit, that of our own account otherwise. */
const CODE = { DEPOSIT: 'PAYMENT_NOT_APPROVED', other: 'OUR_FAULT' } as const

/** Nobody approved it; where nobody has to, it just did not work. */
const NOT_APPROVED = { DEPOSIT: 'PAYMENT_NOT_APPROVED', other: 'UNSPECIFIED_FAILURE' } as const

/** Not enough money: the customer's in a deposit, that of our own account otherwise. */
const SHORT = { DEPOSIT: 'INSUFFICIENT_BALANCE', other: 'OUR_FAULT' } as const

const UNKNOWN_NUMBER = { DEPOSIT: 'PAYER_NOT_FOUND', other: 'RECIPIENT_NOT_FOUND' } as const

/** The receiver of a deposit is our own wallet. */
const RECEIVER = { DEPOSIT: 'OUR_FAULT', other: 'WALLET_LIMIT_REACHED' } as const

/** Every code of an error, and every word for an order that did not work. */
export const CODES: CodeTable = {
  // No such customer; no such number.
  2000: UNKNOWN_NUMBER,
  2001: UNKNOWN_NUMBER,
  // The PIN has to be changed; is wrong, for the first, second and last time.
  2010: CODE,
  2011: CODE,
  2012: CODE,
  2013: CODE,
  // Too little money: of somebody, of the payer, of the receiver.
  2020: SHORT,
  2021: SHORT,
  2022: RECEIVER,
  // A limit is reached: of somebody, of the payer, of the receiver.
  2023: { DEPOSIT: 'PAYER_LIMIT_REACHED', other: 'UNSPECIFIED_FAILURE' },
  2024: { DEPOSIT: 'PAYER_LIMIT_REACHED', other: 'OUR_FAULT' },
  2025: RECEIVER,
  // Not allowed: to somebody, to the payer, to the receiver.
  2041: 'UNSPECIFIED_FAILURE',
  2042: { DEPOSIT: 'UNSPECIFIED_FAILURE', other: 'OUR_FAULT' },
  2043: RECEIVER,
  // The key that the PIN was encrypted with.
  4003: 'OUR_FAULT',
  // The QR code has expired.
  4004: NOT_APPROVED,
  CANCELLED: NOT_APPROVED,
  REJECTED: NOT_APPROVED,
  FAILED: 'UNSPECIFIED_FAILURE',
}

/** Words for an order that has not ended. */
export const PENDING_WORDS: readonly string[] = [
  'INITIATED',
  'PRE_INITIATED',
  'PENDING',
  'ACCEPTED',
]

export const FAILED_WORDS: readonly string[] = ['FAILED', 'CANCELLED', 'REJECTED']
