import type { ProviderOrder } from '../connector.ts'
import type { OpenAccount, OperatorRequest } from '../operator.ts'
import { basic, json, plainText } from '../wire-kit.ts'
import { LONGEST, SEGMENTS } from './profile.ts'

const secretOf = ({ secrets }: OpenAccount, name: string): string => String(secrets[name] ?? '')

export function tokenRequest(account: OpenAccount): OperatorRequest {
  return {
    method: 'POST',
    path: '/oauth/v3/token',
    headers: {
      authorization: basic(secretOf(account, 'clientId'), secretOf(account, 'clientSecret')),
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: 'grant_type=client_credentials',
  }
}

/** Asks for a page on which the customer pays; the number is typed there, and is not sent. */
export function createRequest(
  account: OpenAccount,
  order: ProviderOrder,
  reference: string,
  token: string,
): OperatorRequest {
  const { settings } = account
  return requestOf(account, order, 'webpayment', token, {
    merchant_key: secretOf(account, 'merchantKey'),
    currency: settings.currency ?? order.currency,
    order_id: reference,
    amount: Number(order.amount),
    return_url: returnUrl(account, order.successfulUrl),
    cancel_url: returnUrl(account, order.failedUrl),
    notif_url: notificationUrl(account, reference),
    lang: settings.language ?? 'fr',
    reference: plainText(order.message, LONGEST.reference),
  })
}

export function statusRequest(
  account: OpenAccount,
  order: ProviderOrder,
  reference: string,
  payToken: string,
  token: string,
): OperatorRequest {
  return requestOf(account, order, 'transactionstatus', token, {
    order_id: reference,
    amount: Number(order.amount),
    pay_token: payToken,
  })
}

function requestOf(
  account: OpenAccount,
  order: ProviderOrder,
  call: string,
  token: string,
  body: object,
): OperatorRequest {
  return {
    method: 'POST',
    path: `/orange-money-webpay/${segmentOf(account, order)}/v1/${call}`,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json',
    },
    body: json(body),
  }
}

/** Undefined where Orange is not known to have pages in the country. */
export const segmentOf = (
  { settings, catalog }: OpenAccount,
  { provider }: ProviderOrder,
): string | undefined => settings.country ?? SEGMENTS[catalog.find(provider)?.country ?? '']

/** Pages take whole amounts only. */
export const isWhole = ({ amount }: ProviderOrder): boolean => Number.isSafeInteger(Number(amount))

export const isTooLong = (url: string | undefined): boolean =>
  url !== undefined && url.length > LONGEST.address

/** Orange wants an address even if the merchant gave none, and takes no long one. */
const returnUrl = (account: OpenAccount, url: string | undefined): string =>
  url === undefined || isTooLong(url) ? new URL(account.callbackUrl('')).origin : url

/** A long public address leaves no room for the order: then look-ups alone tell how it ended. */
function notificationUrl(account: OpenAccount, reference: string): string {
  const url = account.callbackUrl(reference)
  return isTooLong(url) ? account.callbackUrl('').replace(/\/$/, '') : url
}
