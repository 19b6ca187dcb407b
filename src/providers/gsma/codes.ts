import type { OperationType } from '../../domain/provider.ts'
import type { ProviderOrder } from '../connector.ts'
import type { OpenAccount } from '../operator.ts'
import { type CodeTable, type Meaning, meaningOf, member, textIn } from '../wire-kit.ts'
import { isPaidOutRefund, ownParty } from './requests.ts'

/** What a question is about. */
export type Asked = {
  readonly account: OpenAccount
  readonly order: ProviderOrder
  readonly reference: string
}

/** "The party" has reached a limit: the one that pays, where nothing names the other. */
const LIMIT = { DEPOSIT: 'PAYER_LIMIT_REACHED', other: 'OUR_FAULT' } as const

/** The sum does not suit the service, for any payer. */
const BOUND = { DEPOSIT: 'PAYER_LIMIT_REACHED', other: 'UNSPECIFIED_FAILURE' } as const

/** Every error code of version 1.2. */
export const CODES: CodeTable = {
  requestDeclined: { DEPOSIT: 'PAYMENT_NOT_APPROVED', other: 'UNSPECIFIED_FAILURE' },
  // Of a payout, it is our own account that is short.
  insufficientFunds: { DEPOSIT: 'INSUFFICIENT_BALANCE', other: 'OUR_FAULT' },
  dailyVolumeLimitExceeded: LIMIT,
  dailyValueLimitExceeded: LIMIT,
  weeklyVolumeLimitExceeded: LIMIT,
  weeklyValueLimitExceeded: LIMIT,
  monthlyVolumeLimitExceeded: LIMIT,
  monthlyValueLimitExceeded: LIMIT,
  accountMaxTotalVolumeExceeded: LIMIT,
  accountMaxTotalValueExceeded: LIMIT,
  lessThanTransactionMinValue: BOUND,
  greaterThanTransactionMaxValue: BOUND,
  // The account of the credit party is full: ours, when we collect.
  maxBalanceExceeded: { DEPOSIT: 'OUR_FAULT', other: 'WALLET_LIMIT_REACHED' },
  // Of a reversal, it may as well be the transaction that is not found.
  identifierError: {
    DEPOSIT: 'PAYER_NOT_FOUND',
    REFUND: 'UNSPECIFIED_FAILURE',
    other: 'RECIPIENT_NOT_FOUND',
  },
  duplicateRequest: 'UNKNOWN',
  incorrectState: 'UNSPECIFIED_FAILURE',
  samePartiesError: 'UNSPECIFIED_FAILURE',
  underPaymentNotAllowed: 'UNSPECIFIED_FAILURE',
  overPaymentNotAllowed: 'UNSPECIFIED_FAILURE',
  quoteHasExpired: 'UNSPECIFIED_FAILURE',
  genericError: 'UNSPECIFIED_FAILURE',
  rateLimitError: 'OUR_FAULT',
  clientAuthorisationError: 'OUR_FAULT',
  requestingPartyAuthorisationError: 'OUR_FAULT',
  servicingPartyAuthorisationError: 'OUR_FAULT',
  transactionTypeError: 'OUR_FAULT',
  noMandateAuthority: 'OUR_FAULT',
  linkViolation: 'OUR_FAULT',
  lengthError: 'OUR_FAULT',
  formatError: 'OUR_FAULT',
  negativeValue: 'OUR_FAULT',
  currencyNotSupported: 'OUR_FAULT',
  mandatoryValueNotSupplied: 'OUR_FAULT',
  invalidOffset: 'OUR_FAULT',
  countryofOriginNotPermitted: 'OUR_FAULT',
  nationalityNotPermitted: 'OUR_FAULT',
  idDocumentNotSupported: 'OUR_FAULT',
  issuingCountryNotSupported: 'OUR_FAULT',
}

const CUSTOMER_LIMIT = { DEPOSIT: 'PAYER_LIMIT_REACHED', other: 'WALLET_LIMIT_REACHED' } as const

/** Codes about a party, where the error says that it is the customer. */
const OF_CUSTOMER: CodeTable = {
  identifierError: { DEPOSIT: 'PAYER_NOT_FOUND', other: 'RECIPIENT_NOT_FOUND' },
  ...Object.fromEntries(
    Object.keys(CODES)
      .filter((code) => CODES[code] === LIMIT)
      .map((code) => [code, CUSTOMER_LIMIT]),
  ),
}

const SPELLINGS = new Map(Object.keys(CODES).map((code) => [code.toLowerCase(), code]))

/** As version 1.2 spells it: the documents before it began codes with a capital. */
export function codeIn(error: unknown): string | undefined {
  const code = textIn(error, 'errorCode')
  return code === undefined ? undefined : (SPELLINGS.get(code.toLowerCase()) ?? code)
}

/** Whose fault it is by the operator's own division: its own, in two of the six. */
export function isTheirs(error: unknown): boolean {
  const category = textIn(error, 'errorCategory')?.toLowerCase().replaceAll(' ', '')
  if (category === undefined) return codeIn(error) === 'genericError'
  return category === 'internal' || category === 'serviceunavailable'
}

/** What an error means for an order; undefined where no table knows its code. */
export function meaningIn(error: unknown, asked: Asked): Meaning | undefined {
  const { account, order } = asked
  const operation = isPaidOutRefund(account, order) ? 'PAYOUT' : order.operation
  const code = codeIn(error)
  const ofCustomer = meaningOf(OF_CUSTOMER, code, operation)
  const party = ofCustomer && partyIn(error, asked, operation)
  if (party === 'ours') return 'OUR_FAULT'
  return party === 'customer' ? ofCustomer : meaningOf(CODES, code, operation)
}

/** The parameters of an error are not harmonised: the name of a side or an identifier will do. */
function partyIn(
  error: unknown,
  { account, order }: Asked,
  operation: OperationType,
): 'ours' | 'customer' | undefined {
  const given = member(error, 'errorParameters')
  const parameters = Array.isArray(given) ? given : []
  const own = ownParty(account)?.value
  const customerSide = operation === 'DEPOSIT' ? 'debit' : 'credit'
  for (const parameter of parameters) {
    const [key = '', value = ''] = [textIn(parameter, 'key'), textIn(parameter, 'value')]
    if (value.replace(/^\+/, '') === order.phoneNumber) return 'customer'
    if (value === own) return 'ours'
    const side = /(debit|credit)party/i.exec(`${key} ${value}`)?.[1]?.toLowerCase()
    if (side !== undefined) return side === customerSide ? 'customer' : 'ours'
  }
  return undefined
}
