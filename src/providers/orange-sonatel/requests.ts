import type { ProviderOrder } from '../connector.ts'
import type { OpenAccount, OperatorRequest } from '../operator.ts'
import { json, nationalNumber } from '../wire-kit.ts'
import { encryptPin } from './crypto.ts'

const secretOf = ({ secrets }: OpenAccount, name: string): string => String(secrets[name] ?? '')

export function tokenRequest(account: OpenAccount): OperatorRequest {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: secretOf(account, 'clientId'),
    client_secret: secretOf(account, 'clientSecret'),
  })
  return {
    method: 'POST',
    path: '/oauth/v1/token',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: form.toString(),
  }
}

export const keyRequest = (token: string): OperatorRequest => ({
  method: 'GET',
  path: '/api/account/v1/publicKeys',
  headers: headersOf(token),
})

/** Takes money from a customer who gave a one-time code. */
export function paymentRequest(
  account: OpenAccount,
  order: ProviderOrder,
  reference: string,
  token: string,
): OperatorRequest {
  const customer = { ...customerOf(account, order), otp: order.oneTimeCode ?? '' }
  const partner = { idType: 'CODE', id: account.settings.merchantCode ?? '' }
  const body = { customer, partner, ...moneyOf(order, reference) }
  return {
    method: 'POST',
    path: '/api/eWallet/v1/payments/onestep',
    headers: headersOf(token),
    body: json(body),
  }
}

/** Gives money to a customer; the PIN of our own wallet is encrypted for the operator. */
export function cashInRequest(
  account: OpenAccount,
  order: ProviderOrder,
  reference: string,
  [token, publicKey]: readonly [string, string],
): OperatorRequest {
  const encryptedPinCode = encryptPin(secretOf(account, 'pin'), publicKey)
  const body = {
    customer: customerOf(account, order),
    partner: { ...ownWallet(account), encryptedPinCode },
    ...moneyOf(order, reference),
  }
  return {
    method: 'POST',
    path: '/api/eWallet/v1/cashins',
    headers: headersOf(token),
    body: json(body),
  }
}

/** Without a filter by type, with which nothing is found. */
export const searchRequest = (reference: string, token: string): OperatorRequest => ({
  method: 'GET',
  path: `/api/eWallet/v1/transactions?reference=${encodeURIComponent(reference)}`,
  headers: headersOf(token),
})

/** The gateway wants a type even where there is no body. */
const headersOf = (token: string): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  accept: 'application/json',
})

const customerOf = ({ catalog }: OpenAccount, order: ProviderOrder) => ({
  idType: 'MSISDN',
  id: nationalNumber(order, catalog),
})

/** Those who pay out are known by a number rather than by a code. */
function ownWallet({ settings }: OpenAccount) {
  const id = settings.merchantCode ?? ''
  return { idType: /^7\d{8}$/.test(id) ? 'MSISDN' : 'CODE', id }
}

const moneyOf = ({ amount, currency }: ProviderOrder, reference: string) => ({
  amount: { value: Number(amount), unit: currency },
  reference,
  receiveNotification: true,
})
