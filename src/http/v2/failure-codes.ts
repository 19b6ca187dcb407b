import type { FailureCode } from '../../domain/failure.ts'
import { isOptionalSchema } from '../../wire/schema.ts'
import type { Endpoint } from '../endpoint.ts'

/** Which failure codes an operation or a callback can carry: what the reference shows with each. */
type Codes = readonly FailureCode[]

const PROVIDER_RULES = ['INVALID_PROVIDER', 'INVALID_CURRENCY'] as const
const AMOUNT_RULES = ['INVALID_AMOUNT', 'AMOUNT_OUT_OF_BOUNDS'] as const
const UNAVAILABLE = 'PROVIDER_TEMPORARILY_UNAVAILABLE'

/** The rules of a page for customers; whether the provider is available is known when they pay. */
const PAGE_RULES: Codes = [...PROVIDER_RULES, 'INVALID_PHONE_NUMBER', ...AMOUNT_RULES]
const PAYMENT_RULES: Codes = [...PAGE_RULES, UNAVAILABLE]
const REFUND_RULES: Codes = [
  ...PROVIDER_RULES,
  ...AMOUNT_RULES,
  UNAVAILABLE,
  'NOT_FOUND',
  'INVALID_STATE',
  'AMOUNT_TOO_LARGE',
  'REFUND_IN_PROGRESS',
  'DEPOSIT_ALREADY_REFUNDED',
]
const NO_SUCH_STATE: Codes = ['NOT_FOUND', 'INVALID_STATE']

const WITHOUT_REASON: Codes = ['UNSPECIFIED_FAILURE', 'OTHER_ERROR']
const COLLECTING: Codes = [
  'PAYMENT_NOT_APPROVED',
  'INSUFFICIENT_BALANCE',
  'PAYMENT_IN_PROGRESS',
  'PAYER_NOT_FOUND',
  'PAYER_LIMIT_REACHED',
  'TRANSACTION_ALREADY_IN_PROCESS',
  'WALLET_LIMIT_REACHED',
]
const PAYING_OUT: Codes = [
  'RECIPIENT_NOT_FOUND',
  'WALLET_LIMIT_REACHED',
  'RECIPIENT_LIMIT_REACHED',
  'PAWAPAY_WALLET_OUT_OF_FUNDS',
  'MANUALLY_CANCELLED',
]

/** In the records of each kind, which status checks and callbacks share. */
const IN_RECORDS: Readonly<Record<string, Codes>> = {
  Deposit: [...COLLECTING, ...WITHOUT_REASON],
  Payout: [...PAYING_OUT, ...WITHOUT_REASON],
  Refund: [...PAYING_OUT, ...WITHOUT_REASON],
  Remittance: [...PAYING_OUT, ...WITHOUT_REASON],
  SplitPayment: [...new Set([...COLLECTING, ...PAYING_OUT, ...WITHOUT_REASON])],
  Checkout: [...COLLECTING, ...WITHOUT_REASON],
  Statement: ['UNKNOWN_ERROR'],
}

/** With HTTP 200 and status REJECTED. */
const REJECTED: Readonly<Record<string, Codes>> = {
  initiateDeposit: PAYMENT_RULES,
  initiatePayout: PAYMENT_RULES,
  // One entry without the right does not refuse the others.
  initiateBulkPayouts: ['PAYOUTS_NOT_ALLOWED', ...PAYMENT_RULES],
  initiateRefund: REFUND_RULES,
  initiateRemittance: PAYMENT_RULES,
  initiateBulkRemittances: ['REMITTANCES_NOT_ALLOWED', ...PAYMENT_RULES],
  initiateSplitPayment: [...PAYMENT_RULES, 'PAYOUT_EXCEEDS_DEPOSIT'],
  createCheckout: PAGE_RULES,
  createPaymentPage: PAGE_RULES,
  requestStatement: ['INVALID_CALLBACK_URL', 'INVALID_DATE_RANGE', 'WALLET_NOT_FOUND'],
}

/** With HTTP 403, beside a token or an account that may not call at all. */
const FORBIDDEN: Readonly<Record<string, Codes>> = {
  initiateDeposit: ['DEPOSITS_NOT_ALLOWED'],
  initiatePayout: ['PAYOUTS_NOT_ALLOWED'],
  initiateRefund: ['REFUNDS_NOT_ALLOWED'],
  initiateRemittance: ['REMITTANCES_NOT_ALLOWED'],
  initiateSplitPayment: ['SPLIT_PAYMENTS_NOT_ALLOWED'],
  createCheckout: ['DEPOSITS_NOT_ALLOWED'],
  createPaymentPage: ['DEPOSITS_NOT_ALLOWED'],
}

/** Empty where the answer has no code, as in the whole earlier generation, which has its own. */
export function failureCodesOf(endpoint: Endpoint, status: number): Codes {
  const { operationId, failureShape } = endpoint
  if (failureShape.kind === 'legacy') return []
  if (status === 200) return codesOfAnswer(operationId)
  if (status === 400) return codesOfBadRequest(endpoint)
  if (status === 401) return ['AUTHENTICATION_ERROR']
  if (status === 403) return ['AUTHORISATION_ERROR', ...(FORBIDDEN[operationId] ?? [])]
  if (status === 404) return ['NOT_FOUND']
  if (status === 413) return ['INVALID_INPUT']
  return status >= 500 ? ['UNKNOWN_ERROR'] : []
}

function codesOfAnswer(operationId: string): Codes {
  if (/^(resend.+Callback|cancelEnqueued.+)$/.test(operationId)) return NO_SUCH_STATE
  if (/^(findPayments|explainPayment)$/.test(operationId)) return IN_RECORDS.SplitPayment ?? []
  const [, record = ''] = /^get(.+)$/.exec(operationId) ?? []
  return REJECTED[operationId] ?? IN_RECORDS[record] ?? []
}

function codesOfBadRequest({ operationId, path, body, query = {} }: Endpoint): Codes {
  if (operationId === 'resetClock') return ['INVALID_STATE']
  if (body !== undefined) {
    const hasMetadata = JSON.stringify(body).includes('"metadata"')
    return [
      'INVALID_INPUT',
      'MISSING_PARAMETER',
      'INVALID_PARAMETER',
      'UNSUPPORTED_PARAMETER',
      ...(hasMetadata ? (['DUPLICATE_METADATA_FIELD'] as const) : []),
    ]
  }
  const asked = Object.values(query)
  if (asked.length === 0 && !path.includes(':')) return []
  const isAnyRequired = asked.some((schema) => !isOptionalSchema(schema))
  return [...(isAnyRequired ? (['MISSING_PARAMETER'] as const) : []), 'INVALID_PARAMETER']
}

/** Of a callback by its name, such as `depositCallback`. */
export function failureCodesOfCallback(name: string): Codes {
  const record = name.replace(/Callback$/, '')
  return IN_RECORDS[record.slice(0, 1).toUpperCase() + record.slice(1)] ?? []
}
