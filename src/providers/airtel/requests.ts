import type { KeyObject } from 'node:crypto'
import { isSameSum } from '../../domain/amount.ts'
import type { ProviderOrder } from '../connector.ts'
import type { OpenAccount, OperatorRequest } from '../operator.ts'
import { json, nationalNumber, plainText } from '../wire-kit.ts'
import { encryptFor, signatureHeaders } from './crypto.ts'
import { COUNTRIES } from './profile.ts'

/** An account with its key, which is undefined where there is none that can be used. */
export type Client = { readonly account: OpenAccount; readonly rsaKey: KeyObject | undefined }

/** How an order is made; `none`: Airtel has no way for it. */
export type Way = 'push' | 'disbursement' | 'refund' | 'none'

/**
 * Airtel gives back whole amounts only, of what came in through the same account; everything else
 * is paid out to the payer. What was chosen once stays: the order is looked up accordingly.
 */
export function wayOf(account: OpenAccount, order: ProviderOrder): Way {
  const { operation, ids, provider } = order
  if (operation === 'DEPOSIT') return 'push'
  if (operation !== 'REFUND') return 'disbursement'
  if (ids?.by !== undefined) return ids.by === 'payout' ? 'disbursement' : 'refund'
  if (isOwnAndWhole(account, order)) return 'refund'
  return account.providers[provider]?.includes('PAYOUT') ? 'disbursement' : 'none'
}

const isOwnAndWhole = ({ name }: OpenAccount, { amount, original }: ProviderOrder): boolean =>
  original?.account === name &&
  original.transactionId !== undefined &&
  isSameSum(original.amount, amount)

type Version = 'v1' | 'v2' | 'v3'

const versionOf = ({ settings }: OpenAccount): Version =>
  (settings.disbursementVersion as Version | undefined) ?? 'v1'

/** The third version of disbursements is always signed. */
export const isSigned = (account: OpenAccount, way: Way): boolean =>
  account.settings.signing === 'v2' || (way === 'disbursement' && versionOf(account) === 'v3')

export function createRequest(
  client: Client,
  order: ProviderOrder,
  reference: string,
  token: string,
): OperatorRequest {
  const { account, rsaKey } = client
  const way = wayOf(account, order)
  const body = json(bodyOf(client, order, reference, way))
  const isToBeSigned = rsaKey !== undefined && isSigned(account, way)
  return {
    method: 'POST',
    path: pathOf(account, way),
    headers: {
      ...headersFor(placeOf(account, order), token),
      'content-type': 'application/json',
      ...(isToBeSigned ? signatureHeaders(rsaKey, body) : {}),
    },
    body,
  }
}

const DISBURSEMENTS: Readonly<Record<Version, string>> = {
  v1: '/standard/v1/disbursements/',
  v2: '/standard/v2/disbursements/',
  v3: '/standard/v3/disbursements',
}

/** Signatures came with the second version of collections. */
function pathOf(account: OpenAccount, way: Way): string {
  const version = isSigned(account, way) ? 'v2' : 'v1'
  if (way === 'push') return `/merchant/${version}/payments/`
  if (way === 'refund') return `/standard/${version}/payments/refund`
  return DISBURSEMENTS[versionOf(account)]
}

function bodyOf(client: Client, order: ProviderOrder, id: string, way: Way): object {
  if (way === 'refund') return { transaction: { airtel_money_id: order.original?.transactionId } }
  if (way === 'disbursement') return disbursementBody(client, order, id)
  const { account } = client
  const place = placeOf(account, order)
  return {
    reference: purposeOf(order),
    subscriber: { ...place, msisdn: nationalNumber(order, account.catalog) },
    transaction: { amount: Number(order.amount), ...place, id },
  }
}

function disbursementBody(
  { account, rsaKey }: Client,
  order: ProviderOrder,
  id: string,
): Readonly<Record<string, unknown>> {
  const version = versionOf(account)
  const { pin = '' } = account.secrets
  const isOldest = version === 'v1'
  return {
    payee: {
      msisdn: nationalNumber(order, account.catalog),
      ...(isOldest ? {} : { currency: order.currency }),
      ...(version === 'v3' ? { wallet_type: 'NORMAL' } : {}),
    },
    reference: purposeOf(order),
    pin: rsaKey === undefined ? '' : encryptFor(rsaKey, String(pin)),
    transaction: { amount: Number(order.amount), id, ...(isOldest ? {} : { type: 'B2C' }) },
  }
}

/** 4 to 64 letters and digits. */
function purposeOf({ message }: ProviderOrder): string {
  const text = plainText(message, 64).replaceAll(' ', '')
  return text.length < 4 ? 'Payment' : text
}

export function statusRequest(
  account: OpenAccount,
  order: ProviderOrder,
  reference: string,
  token: string,
): OperatorRequest {
  return {
    method: 'GET',
    path: statusPath(account, order, reference),
    headers: headersFor(placeOf(account, order), token),
  }
}

/** The third version of disbursements is looked up with the second. */
function statusPath(account: OpenAccount, order: ProviderOrder, reference: string): string {
  if (wayOf(account, order) === 'push') return `/standard/v1/payments/${reference}`
  return versionOf(account) === 'v1'
    ? `/standard/v1/disbursements/${reference}`
    : `/standard/v2/disbursements/${reference}?transactionType=B2C`
}

export type Wallet = 'COLL' | 'DISB'

export const balanceRequest = (
  account: OpenAccount,
  place: Place,
  wallet: Wallet,
  token: string,
): OperatorRequest => ({
  method: 'GET',
  path: `/standard/${versionOf(account) === 'v1' ? 'v1' : 'v2'}/users/balance?type=${wallet}`,
  headers: headersFor(place, token),
})

export type Place = { readonly country: string; readonly currency: string }

const placeOf = ({ catalog }: OpenAccount, { provider, currency }: ProviderOrder): Place => ({
  country: COUNTRIES[catalog.find(provider)?.country ?? ''] ?? '',
  currency,
})

const headersFor = (
  { country, currency }: Place,
  token: string,
): Readonly<Record<string, string>> => ({
  authorization: `Bearer ${token}`,
  accept: '*/*',
  'x-country': country,
  'x-currency': currency,
})

export const tokenRequest = ({ secrets }: OpenAccount): OperatorRequest => ({
  method: 'POST',
  path: '/auth/oauth2/token',
  headers: { accept: '*/*', 'content-type': 'application/json' },
  body: json({
    client_id: secrets.clientId,
    client_secret: secrets.clientSecret,
    grant_type: 'client_credentials',
  }),
})
