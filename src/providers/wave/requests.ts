import { isSameSum } from '../../domain/amount.ts'
import type { OperatorIds } from '../../domain/payments/payment.ts'
import { present } from '../../domain/present.ts'
import type { ProviderOrder } from '../connector.ts'
import type { OpenAccount, OperatorRequest } from '../operator.ts'
import { json, plainText } from '../wire-kit.ts'
import { signatureHeader } from './crypto.ts'

/** What an order is at Wave. */
type Way = 'checkout' | 'payout' | 'refund'

/**
 * Wave gives back whole sessions of the same account; every other refund is a payout to the payer.
 * Nothing here changes once the deposit is over, so an order that is repeated goes the same way.
 */
export function wayOf({ name }: OpenAccount, { operation, amount, original }: ProviderOrder): Way {
  if (operation === 'DEPOSIT') return 'checkout'
  if (operation !== 'REFUND' || original?.account !== name) return 'payout'
  const isWhole = original.ids?.session !== undefined && isSameSum(amount, original.amount)
  return isWhole ? 'refund' : 'payout'
}

const SESSIONS = '/v1/checkout/sessions'

export function sessionRequest(
  account: OpenAccount,
  order: ProviderOrder,
  reference: string,
): OperatorRequest {
  return call(account, 'POST', SESSIONS, {
    body: {
      amount: wholeAmount(order),
      currency: order.currency,
      success_url: httpsOr(order.successfulUrl),
      error_url: httpsOr(order.failedUrl),
      client_reference: reference,
      restrict_payer_mobile: mobileOf(order),
    },
  })
}

/** The body follows from the order alone: the same key with another body is refused. */
export function payoutRequest(
  account: OpenAccount,
  order: ProviderOrder,
  reference: string,
): OperatorRequest {
  return call(account, 'POST', '/v1/payout', {
    headers: { 'idempotency-key': reference },
    body: {
      currency: order.currency,
      receive_amount: wholeAmount(order),
      mobile: mobileOf(order),
      payment_reason: plainText(order.message, 40),
      client_reference: reference,
    },
  })
}

/** Whole, and done once however often it is asked for. */
export const refundRequest = (account: OpenAccount, { original }: ProviderOrder): OperatorRequest =>
  call(account, 'POST', `${SESSIONS}/${encodeURIComponent(original?.ids?.session ?? '')}/refund`)

/** By what Wave calls it, where that is known. */
export function sessionLookUp(
  account: OpenAccount,
  reference: string,
  { session }: OperatorIds = {},
): OperatorRequest {
  return call(account, 'GET', `${SESSIONS}/${idOrSearch(session, reference)}`)
}

export function payoutLookUp(
  account: OpenAccount,
  reference: string,
  { payout }: OperatorIds = {},
): OperatorRequest {
  const folder = payout === undefined ? '/v1/payouts' : '/v1/payout'
  return call(account, 'GET', `${folder}/${idOrSearch(payout, reference)}`)
}

const idOrSearch = (id: string | undefined, reference: string): string =>
  id === undefined
    ? `search?client_reference=${encodeURIComponent(reference)}`
    : encodeURIComponent(id)

type Content = {
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

function call(
  { secrets, realNow }: OpenAccount,
  method: 'GET' | 'POST',
  path: string,
  { body, headers }: Content = {},
): OperatorRequest {
  const text = body === undefined ? undefined : json(body)
  const { apiKey, signingSecret } = secrets
  const isSigned = typeof signingSecret === 'string'
  return {
    method,
    path,
    headers: {
      authorization: `Bearer ${apiKey}`,
      ...present({
        'content-type': text === undefined ? undefined : 'application/json',
        // Keys that were made with request signing refuse every call without it.
        'wave-signature': isSigned
          ? signatureHeader(signingSecret, realNow(), text ?? '')
          : undefined,
      }),
      ...headers,
    },
    ...present({ body: text }),
  }
}

/** XOF has no decimals, and Wave takes none. */
const wholeAmount = ({ amount }: ProviderOrder): string => amount.replace(/\.0*$/, '')

const mobileOf = ({ phoneNumber }: ProviderOrder): string => `+${phoneNumber}`

/** Where customers end without an address of the merchant that Wave takes: https, and no other. */
const NEUTRAL_PAGE = 'https://www.wave.com/'

const httpsOr = (url = ''): string => (/^https:\/\//i.test(url) ? url : NEUTRAL_PAGE)
