import { createHash } from 'node:crypto'
import { isSameSum } from '../../domain/amount.ts'
import { present } from '../../domain/present.ts'
import type { OperationType } from '../../domain/provider.ts'
import type { ProviderOrder } from '../connector.ts'
import type { OpenAccount, OperatorRequest } from '../operator.ts'
import { basic, json, plainText } from '../wire-kit.ts'

/** What each operation is called; a refund that cannot be a reversal is paid out. */
const TYPE_OF: Readonly<Record<OperationType, string>> = {
  DEPOSIT: 'merchantpay',
  PAYOUT: 'disbursement',
  REFUND: 'disbursement',
  REMITTANCE: 'inttransfer',
}

type Party = { readonly key: string; readonly value: string }

/** Our own account with the operator, where the settings name it; else it goes by who asks. */
export function ownParty({ settings }: OpenAccount): Party | undefined {
  const { payeeMsisdn, payeeAccount } = settings
  if (payeeMsisdn !== undefined) return { key: 'msisdn', value: withPlus(payeeMsisdn) }
  return payeeAccount === undefined ? undefined : { key: 'accountid', value: payeeAccount }
}

const withPlus = (digits: string): string => `+${digits.replace(/^\+/, '')}`

/** What came in through the same account can be reversed, in part or as a whole. */
export const isReversal = (
  { name }: OpenAccount,
  { operation, original }: ProviderOrder,
): boolean =>
  operation === 'REFUND' && original?.account === name && original.transactionId !== undefined

/** Any other deposit is given back by a payout to who paid it. */
export const isPaidOutRefund = (account: OpenAccount, order: ProviderOrder): boolean =>
  order.operation === 'REFUND' && !isReversal(account, order)

export const mayPayOut = ({ providers }: OpenAccount, { provider }: ProviderOrder): boolean =>
  providers[provider]?.includes('PAYOUT') === true

export function createRequest(
  account: OpenAccount,
  order: ProviderOrder,
  reference: string,
  token: string,
): OperatorRequest {
  const body = json(bodyOf(account, order, reference))
  return {
    method: 'POST',
    path: pathTo(account, pathOf(account, order)),
    headers: {
      ...commonHeaders(account, token),
      'content-type': 'application/json',
      'x-correlationid': reference,
      'x-callback-url': account.callbackUrl(reference),
      'x-content-hash': createHash('sha256').update(body).digest('hex'),
    },
    body,
  }
}

export const getRequest = (account: OpenAccount, path: string, token: string): OperatorRequest => ({
  method: 'GET',
  path: pathTo(account, path),
  headers: commonHeaders(account, token),
})

const pathTo = ({ settings }: OpenAccount, path: string): string =>
  (settings.basePath ?? '').replace(/\/+$/, '') + path

function pathOf(account: OpenAccount, order: ProviderOrder): string {
  if (!isReversal(account, order)) return `/transactions/type/${TYPE_OF[order.operation]}`
  return `/transactions/${encodeURIComponent(order.original?.transactionId ?? '')}/reversals`
}

function bodyOf(account: OpenAccount, order: ProviderOrder, reference: string): object {
  const { operation, amount, currency, oneTimeCode, original } = order
  const texts = {
    descriptionText: plainText(order.message, 160),
    requestingOrganisationTransactionReference: reference,
  }
  if (isReversal(account, order)) {
    // Some operators reverse as a whole only, and refuse an amount.
    const isWhole = original !== undefined && isSameSum(original.amount, amount)
    return { type: 'reversal', ...(isWhole ? {} : { amount, currency }), ...texts }
  }
  const own = ownParty(account)
  const [ours, customer] = [own && [own], [{ key: 'msisdn', value: withPlus(order.phoneNumber) }]]
  return operation === 'DEPOSIT'
    ? { amount, currency, debitParty: customer, creditParty: ours, ...texts, oneTimeCode }
    : { amount, currency, debitParty: ours, creditParty: customer, ...texts }
}

function commonHeaders(account: OpenAccount, token: string): Readonly<Record<string, string>> {
  return {
    accept: 'application/json',
    'accept-charset': 'utf-8',
    'x-date': new Date(account.realNow()).toISOString(),
    ...keyHeaders(account),
    ...authorisation(account, token),
    ...institutionHeaders(account),
  }
}

/** A secret that is a text; all of this connector are. */
const secret = ({ secrets }: OpenAccount, name: string): string | undefined => {
  const value = secrets[name]
  return typeof value === 'string' ? value : undefined
}

/** A client signs in and gets a bearer token; a user's name and password go with every request. */
export const signsIn = (account: OpenAccount): boolean =>
  secret(account, 'clientId') !== undefined && secret(account, 'clientSecret') !== undefined

function authorisation(account: OpenAccount, token: string): Readonly<Record<string, string>> {
  if (signsIn(account)) return { authorization: `Bearer ${token}` }
  const username = secret(account, 'username')
  if (username === undefined) return {}
  return { authorization: basic(username, secret(account, 'password') ?? '') }
}

function keyHeaders(account: OpenAccount): Readonly<Record<string, string>> {
  const [apiKey, clientId] = [secret(account, 'apiKey'), secret(account, 'clientId')]
  return {
    ...present({ 'x-api-key': apiKey, 'x-client-id': clientId }),
  }
}

/** For gateways that lead to several institutions. */
function institutionHeaders({ settings }: OpenAccount): Readonly<Record<string, string>> {
  const { accountHoldingInstitution: text } = settings
  if (text === undefined) return {}
  const [type, identifier] = text.includes(':') ? text.split(':', 2) : ['organisationid', text]
  return {
    'x-account-holding-institution-identifier-type': type ?? '',
    'x-account-holding-institution-identifier': identifier ?? '',
  }
}

export function tokenRequest(account: OpenAccount): OperatorRequest {
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: secret(account, 'clientId') ?? '',
    client_secret: secret(account, 'clientSecret') ?? '',
  })
  return {
    method: 'POST',
    path: account.settings.tokenPath ?? '/oauth/token',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...keyHeaders(account),
    },
    body: form.toString(),
  }
}

/** Of our own account; who asks is its holder where the settings name none. */
export function balancePath(account: OpenAccount): string {
  const own = ownParty(account)
  if (own === undefined) return '/accounts/balance'
  // A plus is itself in a path, and masks know numbers by it.
  const identifier = encodeURIComponent(own.value).replace('%2B', '+')
  return `/accounts/${own.key}/${identifier}/balance`
}
