import type { CodeTable } from '../wire-kit.ts'

/** Nobody approved it; where nobody has to, it just did not work. */
export const NOT_APPROVED = {
  DEPOSIT: 'PAYMENT_NOT_APPROVED',
  other: 'UNSPECIFIED_FAILURE',
} as const

/** A limit of the customer, who pays or is paid. */
const CUSTOMER_LIMIT = { DEPOSIT: 'PAYER_LIMIT_REACHED', other: 'WALLET_LIMIT_REACHED' } as const

/** Refused at once for what stands in the request or in the portal: nothing was begun. */
export const NOT_TAKEN: readonly string[] = [
  'INS-13', // Short code.
  'INS-15', // Amount.
  'INS-17', // Transaction reference.
  'INS-18', // Transaction of a reversal.
  'INS-20', // A field is missing.
  'INS-21', // A field is wrong.
  'INS-26', // Currency.
  'INS-28', // Conversation id.
  'INS-30', // Description.
  'INS-31',
  'INS-35',
  'INS-995', // More than the interface takes at once.
  'INS-996', // Outside the hours that were agreed.
  'INS-997', // Not enabled for the application.
  'INS-998', // Another market.
]

/** Every code of version 2. Mozambique's older interface gives several of them other meanings. */
export const CODES: CodeTable = {
  ...Object.fromEntries(NOT_TAKEN.map((code) => [code, 'OUR_FAULT'])),
  'INS-1': 'UNKNOWN',
  'INS-6': 'UNSPECIFIED_FAILURE',
  'INS-9': 'UNKNOWN',
  'INS-10': 'UNKNOWN',
  'INS-23': 'UNKNOWN',
  'INS-6140': 'UNKNOWN',
  'INS-990': CUSTOMER_LIMIT,
  'INS-991': CUSTOMER_LIMIT,
  'INS-992': CUSTOMER_LIMIT,
  // Limits of our own organisation.
  'INS-993': 'OUR_FAULT',
  'INS-994': 'OUR_FAULT',
  'INS-2002': NOT_APPROVED,
  // Not enough money: the customer's in a deposit, that of our own account otherwise.
  'INS-2006': { DEPOSIT: 'INSUFFICIENT_BALANCE', other: 'OUR_FAULT' },
  'INS-2051': { DEPOSIT: 'PAYER_NOT_FOUND', other: 'RECIPIENT_NOT_FOUND' },
}

/** The platform does not know the order, or not yet. */
export const NOT_FOUND: readonly string[] = ['INS-23', 'INS-6140']
