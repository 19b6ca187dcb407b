import { parsePaymentId } from '../../domain/ids.ts'
import type { MetadataEntry } from '../../domain/payments/payment.ts'
import { ifGiven, present } from '../../domain/present.ts'
import { bulkOf } from '../bulk.ts'
import { invalid } from '../fault.ts'
import { type IdentifierRule, NOT_A_UUID } from '../identifiers.ts'
import { LegacyDepositAnswer, LegacyDepositRequest, readDepositRequest } from './deposits.ts'
import type { PaymentRequest } from './payment-parts.ts'
import { LegacyPayoutAnswer, LegacyPayoutRequest, readPayoutRequest } from './payouts.ts'
import { readRefundRequest } from './refunds.ts'
import { readPredictionRequest } from './toolkit.ts'
import { readWidgetRequest } from './widget.ts'

/** A request of the earlier generation as the current one wants it. */
export type CurrentCall = {
  readonly method: 'POST'
  readonly path: string
  readonly body?: unknown
  /** Where two calls had the same body: which of them this takes the place of. */
  readonly when?: string
}

/** The field by which a request is recognised, first match first, and how it is translated. */
const TRANSLATIONS: readonly {
  readonly field: string
  readonly path: string
  readonly translate: (body: unknown) => object
}[] = [
  { field: 'returnUrl', path: '/v2/paymentpage', translate: toPaymentPage },
  { field: 'refundId', path: '/v2/refunds', translate: toRefund },
  { field: 'payoutId', path: '/v2/payouts', translate: toPayout },
  { field: 'depositId', path: '/v2/deposits', translate: toDeposit },
  { field: 'msisdn', path: '/v2/predict-provider', translate: toPrediction },
]

/** Resends and cancellations had their identifier in a body that holds nothing else. */
const MOVED_TO_PATH: ReadonlyMap<string, readonly string[]> = new Map([
  ['depositId', ['/deposits/resend-callback']],
  ['payoutId', ['/payouts/resend-callback', '/payouts/fail-enqueued']],
  ['refundId', ['/refunds/resend-callback']],
])

export function toCurrentCalls(body: unknown): readonly CurrentCall[] {
  if (Array.isArray(body)) return toBulk(body)
  const names = namesIn(body)
  const [only = ''] = names
  const moved = MOVED_TO_PATH.get(only)
  if (names.length === 1 && moved !== undefined) {
    return toActions(moved, only, (body as Record<string, unknown>)[only])
  }
  const found = TRANSLATIONS.find(({ field }) => names.includes(field))
  if (found === undefined) {
    throw invalid('body', 'it holds none of refundId, payoutId, depositId and msisdn')
  }
  return [{ method: 'POST', path: found.path, body: found.translate(body) }]
}

function namesIn(body: unknown): readonly string[] {
  if (typeof body === 'object' && body !== null) return Object.keys(body)
  throw invalid('body', 'it must be an object or a list of them')
}

function toActions(paths: readonly string[], idField: string, id: unknown): readonly CurrentCall[] {
  if (typeof id !== 'string' || parsePaymentId(id) === undefined) {
    throw invalid(idField, NOT_A_UUID)
  }
  return paths.map((path) => ({
    method: 'POST',
    path: `/v2${path}/${id}`,
    ...(paths.length === 1 ? {} : { when: `it was sent to ${path}` }),
  }))
}

/** What the account allows is not known here; the call itself is judged when it is sent. */
const ANY: IdentifierRule = { anyUuid: true }

const Payouts = bulkOf(LegacyPayoutRequest, LegacyPayoutAnswer, 'payouts', toPayout)
const Deposits = bulkOf(LegacyDepositRequest, LegacyDepositAnswer, 'deposits', toDeposit)

/** Payouts stay together; deposits have no bulk call any more. */
function toBulk(entries: readonly unknown[]): readonly CurrentCall[] {
  const [first = {}] = entries
  if (namesIn(first).includes('payoutId')) {
    return [{ method: 'POST', path: '/v2/payouts/bulk', body: Payouts.read(entries) }]
  }
  if (!namesIn(first).includes('depositId')) {
    throw invalid('body', 'a list holds deposits or payouts')
  }
  return Deposits.read(entries).map((body) => ({ method: 'POST', path: '/v2/deposits', body }))
}

function toDeposit(body: unknown): object {
  const request = readDepositRequest(body, ANY)
  const { preAuthorisationCode } = request.details
  return {
    depositId: request.idAsSent,
    ...sum(request),
    payer: account(request),
    ...present({ preAuthorisationCode }),
    ...additions(request),
  }
}

function toPayout(body: unknown): object {
  const request = readPayoutRequest(body, ANY)
  return {
    payoutId: request.idAsSent,
    ...sum(request),
    recipient: account(request),
    ...additions(request),
  }
}

function toRefund(body: unknown): object {
  const { idAsSent, depositId, amount, details } = readRefundRequest(body, ANY)
  return {
    refundId: idAsSent,
    depositId,
    ...present({ amount }),
    ...additions({ details }),
  }
}

/** The currency of the amount is that of the country's account, which only the merchant knows. */
function toPaymentPage(body: unknown): object {
  const { idAsSent, amount, terms } = readWidgetRequest(body, ANY)
  const { customerMessage: _, metadata: __, ...kept } = terms
  return {
    depositId: idAsSent,
    ...present({
      amountDetails: ifGiven(amount, (value) => ({ amount: value, currency: CURRENCY_TO_FILL_IN })),
    }),
    ...kept,
    ...additions({ details: terms }),
  }
}

/** Not a currency, so that nobody sends it by mistake. */
const CURRENCY_TO_FILL_IN = '<currency>'

function toPrediction(body: unknown): object {
  return { phoneNumber: readPredictionRequest(body).msisdn }
}

const sum = ({ amount, currency }: PaymentRequest) => ({ amount, currency })

const account = ({ phoneNumber, provider }: PaymentRequest) => ({
  type: 'MMO',
  accountDetails: { phoneNumber, provider },
})

function additions({ details }: Pick<PaymentRequest, 'details'>): object {
  const { customerMessage, metadata } = details
  return present({ customerMessage, metadata: metadata?.map(entry) })
}

function entry({ name, value, pii }: MetadataEntry): object {
  if (name === 'isPII') {
    throw invalid('metadata', "the current generation cannot use 'isPII' as a name")
  }
  return pii ? { [name]: value, isPII: true } : { [name]: value }
}
