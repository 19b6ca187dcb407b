import type { ProviderOrder } from '../connector.ts'
import type { OpenAccount, OperatorRequest } from '../operator.ts'
import { basic, json, plainText } from '../wire-kit.ts'
import { PRODUCT_OF, type Product } from './profile.ts'

type Credentials = {
  readonly subscriptionKey: string
  readonly apiUser: string
  readonly apiKey: string
}

const credentialsOf = ({ secrets }: OpenAccount, product: Product): Credentials =>
  secrets[product] as Credentials

/** Where an order of this kind is created, and below it looked up. */
function pathOf(account: OpenAccount, order: ProviderOrder): string {
  const product = PRODUCT_OF[order.operation]
  if (product === 'collection') return '/collection/v1_0/requesttopay'
  return `/${product}/v1_0/${isOwnRefund(account, order) ? 'refund' : 'transfer'}`
}

/** MTN gives back what came in through the same account; everything else is paid out. */
const isOwnRefund = ({ name }: OpenAccount, { operation, original }: ProviderOrder): boolean =>
  operation === 'REFUND' && original?.account === name && original.reference !== undefined

export function createRequest(
  account: OpenAccount,
  order: ProviderOrder,
  reference: string,
  token: string,
): OperatorRequest {
  const callbackUrl = account.callbackUrl(reference)
  // MTN takes https only; where the operator is on this machine, it is a stand-in.
  const isTaken = callbackUrl.startsWith('https:') || account.baseUrl.startsWith('http:')
  return {
    method: 'POST',
    path: pathOf(account, order),
    headers: {
      ...commonHeaders(account, order, token),
      'x-reference-id': reference,
      'content-type': 'application/json',
      ...(isTaken ? { 'x-callback-url': callbackUrl } : {}),
    },
    body: json(bodyOf(account, order, reference)),
  }
}

export function statusRequest(
  account: OpenAccount,
  order: ProviderOrder,
  reference: string,
  token: string,
): OperatorRequest {
  return {
    method: 'GET',
    path: `${pathOf(account, order)}/${reference}`,
    headers: commonHeaders(account, order, token),
  }
}

function bodyOf(account: OpenAccount, order: ProviderOrder, reference: string): object {
  const { operation, amount, original, phoneNumber, message } = order
  const text = plainText(message, 160)
  const money = {
    amount,
    currency: currencyOf(account, order),
    externalId: reference,
    payerMessage: text,
    payeeNote: text,
  }
  if (isOwnRefund(account, order)) return { ...money, referenceIdToRefund: original?.reference }
  const party = { partyIdType: 'MSISDN', partyId: phoneNumber }
  return operation === 'DEPOSIT' ? { ...money, payer: party } : { ...money, payee: party }
}

/** MTN's test environment knows a single currency, whatever the country. */
export const currencyOf = ({ settings }: OpenAccount, { currency }: ProviderOrder): string =>
  settings.currency ?? currency

function commonHeaders(
  account: OpenAccount,
  { operation }: ProviderOrder,
  token: string,
): Readonly<Record<string, string>> {
  return accountHeaders(account, PRODUCT_OF[operation], token)
}

export function accountHeaders(
  account: OpenAccount,
  product: Product,
  token: string,
): Readonly<Record<string, string>> {
  return {
    authorization: `Bearer ${token}`,
    'x-target-environment': account.settings.targetEnvironment ?? '',
    'ocp-apim-subscription-key': credentialsOf(account, product).subscriptionKey,
  }
}

/** The slash at the end belongs to the path, and a body of no bytes has to say so. */
export function tokenRequest(account: OpenAccount, product: Product): OperatorRequest {
  const { subscriptionKey, apiUser, apiKey } = credentialsOf(account, product)
  const isJson = account.settings.tokenBody === 'json'
  return {
    method: 'POST',
    path: `/${product}/token/`,
    headers: {
      authorization: basic(apiUser, apiKey),
      'ocp-apim-subscription-key': subscriptionKey,
      'x-target-environment': account.settings.targetEnvironment ?? '',
      ...(isJson ? { 'content-type': 'application/json' } : { 'content-length': '0' }),
    },
    ...(isJson ? { body: json({ grant_type: 'client_credentials' }) } : {}),
  }
}
