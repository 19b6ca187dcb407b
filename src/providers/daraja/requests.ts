import { isSameSum } from '../../domain/amount.ts'
import { present } from '../../domain/present.ts'
import type { ProviderOrder } from '../connector.ts'
import type { OpenAccount, OperatorRequest } from '../operator.ts'
import { base32, basic, json, plainText } from '../wire-kit.ts'
import { reportIn } from './callbacks.ts'
import { passwordOf, timestampAt } from './crypto.ts'
import { isEthiopia, pathsOf } from './profile.ts'

/** How an order is carried out; a refund is one of two, and `ids.by` says which. */
export type Way = 'push' | 'payout' | 'reversal'

/** Undefined: a refund that the operator cannot make, of an account that may not pay out. */
export function wayOf(account: OpenAccount, order: ProviderOrder): Way | undefined {
  const { operation, provider, ids } = order
  if (operation === 'DEPOSIT') return 'push'
  if (operation !== 'REFUND') return 'payout'
  if (ids?.by === 'payout' || ids?.by === 'reversal') return ids.by
  if (receiptToReverse(account, order) !== undefined) return 'reversal'
  return account.providers[provider]?.includes('PAYOUT') ? 'payout' : undefined
}

/** The receipt of a deposit of the same account; without it, there is nothing to give back. */
function receiptToReverse(account: OpenAccount, { original }: ProviderOrder): string | undefined {
  if (original?.account !== account.name) return undefined
  if (pathsOf(account).reversal === undefined) return undefined
  return original.transactionId ?? receiptOf(original)
}

/** As the callback about a deposit named it, if it was about this one. */
export function receiptOf({
  ids = {},
  amount,
}: Pick<ProviderOrder, 'ids' | 'amount'>): string | undefined {
  const report = reportIn(ids, 'result')
  if (report === undefined || report.code !== '0' || report.receipt === '') return undefined
  const { checkoutRequestId = report.theirs } = ids
  if (report.theirs !== checkoutRequestId || !isSameSum(report.amount, amount)) return undefined
  return report.receipt
}

/** The operator takes whole amounts only. */
export const wholeAmount = (amount: string): number | undefined =>
  /^[1-9]\d{0,11}(\.0+)?$/.test(amount) ? Number(amount) : undefined

/** A setting that this way needs and the account has not; the form cannot say all of it. */
export function missingSetting(
  { settings }: Pick<OpenAccount, 'settings'>,
  way: Way,
): string | undefined {
  const isTill = settings.transactionType === 'CustomerBuyGoodsOnline'
  if (way === 'push' && isTill && settings.till === undefined) return 'till'
  if (way === 'payout' && payingCode({ settings }) === '') return 'b2cShortCode'
  return undefined
}

/** Some accounts receive and pay out under one short code. */
const payingCode = ({ settings }: Pick<OpenAccount, 'settings'>): string =>
  settings.b2cShortCode ?? settings.shortCode ?? ''

type Sending = {
  readonly account: OpenAccount
  readonly order: ProviderOrder
  readonly reference: string
  /** The password of the initiator, encrypted; nothing for a prompt. */
  readonly credential: string
}

export function createRequest(sending: Sending, way: Way, token: string): OperatorRequest {
  const { account } = sending
  const paths = pathsOf(account)
  switch (way) {
    case 'push':
      return post(paths.push, token, pushBody(sending))
    case 'payout':
      return post(paths.payout, token, payoutBody(sending))
    case 'reversal':
      return post(paths.reversal ?? '', token, reversalBody(sending))
  }
}

function pushBody({ account, order, reference }: Sending): object {
  const { settings } = account
  const { transactionType = 'CustomerPayBillOnline' } = settings
  const isTill = transactionType === 'CustomerBuyGoodsOnline'
  const number = Number(order.phoneNumber)
  return {
    ...(isEthiopia(account) ? { MerchantRequestID: reference } : {}),
    ...signed(account),
    TransactionType: transactionType,
    Amount: wholeAmount(order.amount),
    PartyA: number,
    PartyB: isTill ? settings.till : settings.shortCode,
    PhoneNumber: number,
    CallBackURL: account.callbackUrl(reference),
    AccountReference: shortReference(reference),
    TransactionDesc: plainText(order.message, 13),
    ...(isEthiopia(account)
      ? { ReferenceData: [{ Key: 'ThirdPartyReference', Value: shortReference(reference) }] }
      : {}),
  }
}

/** Customers see it, and it has twelve characters at most. */
const shortReference = (reference: string): string => base32(reference).slice(0, 12)

function signed({ settings, secrets, realNow }: OpenAccount): object {
  const { shortCode = '' } = settings
  const timestamp = timestampAt(realNow())
  return {
    BusinessShortCode: shortCode,
    Password: passwordOf(shortCode, String(secrets.passkey ?? ''), timestamp),
    Timestamp: timestamp,
  }
}

function payoutBody({ account, order, reference, credential }: Sending): object {
  return {
    OriginatorConversationID: reference,
    InitiatorName: account.settings.initiatorName,
    SecurityCredential: credential,
    CommandID: 'BusinessPayment',
    Amount: wholeAmount(order.amount),
    PartyA: payingCode(account),
    PartyB: Number(order.phoneNumber),
    Remarks: remarksOf(order),
    ...resultAddresses(account, reference),
    // Spelt like this by the operator, and with one "s" in its other requests.
    Occassion: shortReference(reference),
  }
}

function reversalBody({ account, order, reference, credential }: Sending): object {
  return {
    Initiator: account.settings.initiatorName,
    SecurityCredential: credential,
    CommandID: 'TransactionReversal',
    TransactionID: receiptToReverse(account, order),
    Amount: wholeAmount(order.amount),
    ReceiverParty: account.settings.shortCode,
    // Spelt like this by the operator.
    RecieverIdentifierType: '11',
    ...resultAddresses(account, reference),
    Remarks: remarksOf(order),
    Occasion: shortReference(reference),
  }
}

/** Both at one address: what comes there says what it is. */
const resultAddresses = ({ callbackUrl }: OpenAccount, reference: string): object => ({
  QueueTimeOutURL: callbackUrl(reference),
  ResultURL: callbackUrl(reference),
})

/** Two characters at least. */
function remarksOf({ message }: ProviderOrder): string {
  const text = plainText(message, 100)
  return text.length < 2 ? 'Payment' : text
}

/** How a prompt stands, by what the operator calls it. */
export function pushQueryRequest(
  account: OpenAccount,
  path: string,
  checkoutRequestId: string,
  token: string,
): OperatorRequest {
  return post(path, token, { ...signed(account), CheckoutRequestID: checkoutRequestId })
}

/** Asks how an order stands that is known by this conversation; the answer comes by callback. */
export function statusRequest(
  { account, order, reference, credential }: Sending,
  conversation: string,
  token: string,
): OperatorRequest {
  const isReversal = wayOf(account, order) === 'reversal'
  return post(pathsOf(account).status, token, {
    Initiator: account.settings.initiatorName,
    SecurityCredential: credential,
    CommandID: 'TransactionStatusQuery',
    OriginalConversationID: conversation,
    PartyA: isReversal ? account.settings.shortCode : payingCode(account),
    IdentifierType: '4',
    ...resultAddresses(account, reference),
    Remarks: 'Status',
    Occasion: shortReference(reference),
  })
}

const post = (path: string, token: string, body: object): OperatorRequest => ({
  method: 'POST',
  path,
  headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  body: json(present(body)),
})

export function tokenRequest(account: OpenAccount): OperatorRequest {
  const { consumerKey, consumerSecret } = account.secrets
  return {
    method: 'GET',
    path: pathsOf(account).token,
    headers: { authorization: basic(String(consumerKey), String(consumerSecret)) },
  }
}
