import type { OperationType } from '../../domain/provider.ts'
import { type CodeTable, type Meaning, meaningOf } from '../wire-kit.ts'

/** The customer did not approve; where nobody has to, it just did not work. */
const NOT_APPROVED = { DEPOSIT: 'PAYMENT_NOT_APPROVED', other: 'UNSPECIFIED_FAILURE' } as const
const IN_PROGRESS = { DEPOSIT: 'PAYMENT_IN_PROGRESS', other: 'UNSPECIFIED_FAILURE' } as const
const OUTSIDE_LIMITS = { DEPOSIT: 'PAYER_LIMIT_REACHED', other: 'UNSPECIFIED_FAILURE' } as const

/** In a deposit it is about the customer, otherwise about our own account and its initiator. */
const OURS_WHEN_PAYING = { DEPOSIT: 'UNSPECIFIED_FAILURE', other: 'OUR_FAULT' } as const

/** `ResultCode`: what became of an order. The same number means different things by operation. */
export const CODES: CodeTable = {
  '1': { DEPOSIT: 'INSUFFICIENT_BALANCE', other: 'OUR_FAULT' },
  '2': OUTSIDE_LIMITS,
  '3': OUTSIDE_LIMITS,
  '4': { DEPOSIT: 'PAYER_LIMIT_REACHED', other: 'WALLET_LIMIT_REACHED' },
  // The receiver's balance: in a deposit that is our own till.
  '8': { DEPOSIT: 'OUR_FAULT', other: 'WALLET_LIMIT_REACHED' },
  '11': OURS_WHEN_PAYING,
  // The same amount of the same customer within two minutes.
  '17': IN_PROGRESS,
  '21': 'OUR_FAULT',
  // Busy. A deposit may still be on its way; for what we send see `isToBeRepeated`.
  '26': { DEPOSIT: 'PENDING', other: 'OUR_FAULT' },
  '1001': IN_PROGRESS,
  '1019': NOT_APPROVED,
  '1025': 'UNSPECIFIED_FAILURE',
  '1032': NOT_APPROVED,
  '1036': NOT_APPROVED,
  '1037': NOT_APPROVED,
  // A wrong PIN of the customer, or a wrong password of our initiator.
  '2001': { DEPOSIT: 'PAYMENT_NOT_APPROVED', other: 'OUR_FAULT' },
  '2006': OURS_WHEN_PAYING,
  '2028': 'OUR_FAULT',
  '2040': { DEPOSIT: 'UNSPECIFIED_FAILURE', other: 'RECIPIENT_NOT_FOUND' },
  '4999': 'PENDING',
  '8006': { DEPOSIT: 'PAYMENT_NOT_APPROVED', other: 'OUR_FAULT' },
  '9999': 'UNSPECIFIED_FAILURE',
  // Given back already: by whom, only the operator can say.
  R000001: { REFUND: 'UNKNOWN', other: 'UNSPECIFIED_FAILURE' },
  R000002: 'UNSPECIFIED_FAILURE',
  SFC_IC0003: { DEPOSIT: 'OUR_FAULT', other: 'RECIPIENT_NOT_FOUND' },
}

/** Every result but success has a code; one that no table knows is a failure without a reason. */
export const resultMeaning = (code: string, operation: OperationType): Meaning =>
  meaningOf(CODES, code, operation) ?? 'UNSPECIFIED_FAILURE'

/** A code, known or not, as against a word that is none. */
export const isCode = (text: string): boolean => /\d/.test(text)

/** What was not even begun is sent again later under the same reference, which rules out a second. */
export const isToBeRepeated = (code: string, operation: OperationType): boolean =>
  code === '26' && operation !== 'DEPOSIT'

/** `TransactionStatus`: how an order stands that was asked about. */
export const STATUS_WORDS: Readonly<Record<string, 'DONE' | 'FAILED' | 'PENDING'>> = {
  Completed: 'DONE',
  Cancelled: 'FAILED',
  Declined: 'FAILED',
  Expired: 'FAILED',
  Initiated: 'PENDING',
  Authorized: 'PENDING',
  Pending: 'PENDING',
}

/** What an `errorCode` says of the request that it answers. */
export type ErrorMeaning =
  | 'PENDING'
  | 'DUPLICATE'
  | 'NOT_FOUND'
  | 'BUSY'
  /** Surely not executed. */
  | 'REFUSED'
  | 'OUR_FAULT'
  | 'PAYMENT_IN_PROGRESS'
  /** May have been executed. */
  | 'UNCLEAR'

type ErrorRow = {
  readonly code: string
  /** One code has several texts, and they mean different things. */
  readonly says?: RegExp
  readonly means: ErrorMeaning
}

/** Members of our requests that come from the settings of the account. */
const OF_OUR_SETTINGS =
  /ShortCode|Password|Timestamp|TransactionType|URL|Initiator|SecurityCredential|CommandID|ReceiverParty|RecieverIdentifierType|IdentifierType/i

/** The first row that fits counts. */
const ERRORS: readonly ErrorRow[] = [
  { code: '400.002.02', says: /CheckoutRequestID/i, means: 'NOT_FOUND' },
  { code: '400.002.02', says: OF_OUR_SETTINGS, means: 'OUR_FAULT' },
  { code: '400.002.02', means: 'REFUSED' },
  { code: '404.001.01', means: 'OUR_FAULT' },
  { code: '405.001', means: 'OUR_FAULT' },
  { code: '500.001.1001', says: /being processed/i, means: 'PENDING' },
  { code: '500.001.1001', says: /lock subscriber/i, means: 'PAYMENT_IN_PROGRESS' },
  {
    code: '500.001.1001',
    says: /merchant does not exist|wrong credentials/i,
    means: 'OUR_FAULT',
  },
  { code: '500.001.1001', means: 'UNCLEAR' },
  { code: '500.002.1001', means: 'DUPLICATE' },
  // The gateway lets through so many a second, and the rest goes no further.
  { code: '500.003.02', says: /spike arrest/i, means: 'BUSY' },
  { code: '500.003.02', means: 'UNCLEAR' },
  { code: '500.003.03', means: 'BUSY' },
  { code: '500.003.1001', means: 'UNCLEAR' },
]

export const ERROR_CODES: readonly string[] = [...new Set(ERRORS.map(({ code }) => code))]

export const errorMeaning = (code: string | undefined, text: string): ErrorMeaning | undefined =>
  ERRORS.find((row) => row.code === code && (row.says === undefined || row.says.test(text)))?.means

/** One error with several codes. */
export const TOKEN_ERRORS: readonly string[] = ['404.001.03', '400.003.01', '401.003.01']
