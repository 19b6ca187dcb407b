import { type KeyObject, randomUUID } from 'node:crypto'
import type { Outcome, ProviderOrder } from '../connector.ts'
import type { OpenAccount, OperatorRequest } from '../operator.ts'
import { hex32, json, ourFault, plainText, refused } from '../wire-kit.ts'
import { sealedFor } from './crypto.ts'
import { MARKETS } from './profile.ts'

/** An account with the key that its bearers are sealed with. */
type Sealing = { readonly account: OpenAccount; readonly key: KeyObject }

/** What the platform is asked to do. */
type Way = 'collect' | 'pay' | 'reverse'

const CALLS: Readonly<Record<Way, Pick<OperatorRequest, 'method' | 'path'>>> = {
  collect: { method: 'POST', path: 'c2bPayment/singleStage/' },
  pay: { method: 'POST', path: 'b2cPayment/' },
  reverse: { method: 'PUT', path: 'reversal/' },
}

/**
 * The platform gives back what came in through the same account; everything else is paid out, if the
 * account may do that. Undefined: there is no way.
 */
export function wayOf(
  { name, providers }: OpenAccount,
  { operation, provider, original }: ProviderOrder,
): Way | undefined {
  if (operation === 'DEPOSIT') return 'collect'
  if (operation !== 'REFUND') return 'pay'
  if (original?.account === name && original.transactionId !== undefined) return 'reverse'
  return providers[provider]?.includes('PAYOUT') ? 'pay' : undefined
}

/** Why an order cannot be made with this account; undefined where it can. */
export function faultOf(account: OpenAccount, order: ProviderOrder): Outcome | undefined {
  const name = account.settings.market ?? ''
  const market = MARKETS[name]
  const country = account.catalog.find(order.provider)?.country
  if (market === undefined || market.country !== country) {
    return ourFault(`the market ${name} does not serve ${order.provider}`)
  }
  if (market.currency !== order.currency) {
    return refused('UNSPECIFIED_FAILURE', `the market ${name} takes ${market.currency} only`)
  }
  return wayOf(account, order) === undefined
    ? refused('UNSPECIFIED_FAILURE', 'the deposit cannot be reversed, and nothing is paid out')
    : undefined
}

export function createRequest(
  { account, key }: Sealing,
  order: ProviderOrder,
  reference: string,
  session: string,
): OperatorRequest {
  const way = wayOf(account, order) ?? 'pay'
  const { method, path } = CALLS[way]
  return {
    method,
    path: addressOf(account, path),
    headers: headersOf(account, sealedFor(key, session)),
    body: json(bodyOf(account, order, reference, way)),
  }
}

function bodyOf(
  account: OpenAccount,
  order: ProviderOrder,
  reference: string,
  way: Way,
): Readonly<Record<string, string>> {
  const { amount, currency, phoneNumber, original, message } = order
  const common = { ...partyOf(account), input_ThirdPartyConversationID: reference }
  if (way === 'reverse') {
    // Without an amount, all of the deposit would go back.
    const input_TransactionID = original?.transactionId ?? ''
    return { ...common, input_TransactionID, input_ReversalAmount: amount }
  }
  const text = plainText(message, 256)
  return {
    ...common,
    input_Amount: amount,
    input_Currency: currency,
    input_CustomerMSISDN: phoneNumber,
    input_TransactionReference: reference.slice(0, 20),
    ...(way === 'collect' ? { input_PurchasedItemsDesc: text } : { input_PaymentItemsDesc: text }),
  }
}

export function statusRequest(
  { account, key }: Sealing,
  reference: string,
  session: string,
): OperatorRequest {
  const asked = new URLSearchParams({
    input_QueryReference: reference,
    ...partyOf(account),
    // Of the question itself, so that no question is taken for a duplicate.
    input_ThirdPartyConversationID: hex32(randomUUID()),
  })
  return {
    method: 'GET',
    path: `${addressOf(account, 'queryTransactionStatus/')}?${asked}`,
    headers: headersOf(account, sealedFor(key, session)),
  }
}

export function sessionRequest({ account, key }: Sealing): OperatorRequest {
  const { apiKey } = account.secrets
  return {
    method: 'GET',
    path: addressOf(account, 'getSession/'),
    headers: headersOf(account, sealedFor(key, String(apiKey))),
  }
}

const partyOf = ({ settings: { market = '', serviceProviderCode = '' } }: OpenAccount) => ({
  input_Country: MARKETS[market]?.writtenAs ?? '',
  input_ServiceProviderCode: serviceProviderCode,
})

const addressOf = ({ settings: { environment, market } }: OpenAccount, call: string): string =>
  `/${environment}/ipg/v2/${market}/${call}`

const headersOf = ({ settings: { origin = '*' } }: OpenAccount, bearer: string) => ({
  authorization: `Bearer ${bearer}`,
  origin,
  'content-type': 'application/json',
})
