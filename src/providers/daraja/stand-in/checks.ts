/** What the operator refuses at once, member by member. */
import { openCredential } from './key.ts'

export type Body = Readonly<Record<string, unknown>>

type Check = (value: unknown, body: Body) => boolean

export type Checks = Readonly<Record<string, Check>>

/** The name of the first member that is missing or wrong. */
export const wrongMember = (body: Body, checks: Checks): string | undefined =>
  Object.entries(checks).find(([name, check]) => !check(body[name], body))?.[0]

/** The operator takes numbers as such and as text. */
const fits =
  (pattern: RegExp): Check =>
  (value) =>
    (typeof value === 'string' || typeof value === 'number') && pattern.test(String(value))

const text =
  (least: number, most: number): Check =>
  (value) =>
    typeof value === 'string' && value.length >= least && value.length <= most

const oneOf =
  (...words: readonly string[]): Check =>
  (value) =>
    words.includes(String(value))

const optional =
  (check: Check): Check =>
  (value, body) =>
    value === undefined || check(value, body)

/** Of the public internet, or of this machine while somebody tries things out. */
const address: Check = (value) => {
  if (typeof value !== 'string' || !URL.canParse(value)) return false
  const { protocol, hostname } = new URL(value)
  return protocol === 'https:' || (protocol === 'http:' && hostname === '127.0.0.1')
}

const encrypted: Check = (value) =>
  typeof value === 'string' && openCredential(value).kind !== 'broken'

const SHORT_CODE = fits(/^\d{4,7}$/)
const NUMBER = fits(/^(254[17]|2517)\d{8}$/)
const AMOUNT = fits(/^[1-9]\d*$/)

const SIGNED: Checks = {
  BusinessShortCode: SHORT_CODE,
  Timestamp: fits(/^20\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])[0-5]\d[0-5]\d$/),
  Password: text(1, 500),
}

const RESULT_ADDRESSES: Checks = { ResultURL: address, QueueTimeOutURL: address }

export const PUSH: Checks = {
  ...SIGNED,
  TransactionType: oneOf('CustomerPayBillOnline', 'CustomerBuyGoodsOnline'),
  Amount: AMOUNT,
  PartyA: NUMBER,
  PartyB: SHORT_CODE,
  PhoneNumber: NUMBER,
  CallBackURL: address,
  AccountReference: text(1, 12),
  TransactionDesc: text(1, 13),
}

/** What Ethiopia wants besides. */
export const PUSH_IN_ETHIOPIA: Checks = {
  ...PUSH,
  MerchantRequestID: text(1, 60),
  ReferenceData: (value) =>
    Array.isArray(value) && value.every((one) => typeof one?.Key === 'string' && 'Value' in one),
}

export const PUSH_QUERY: Checks = { ...SIGNED, CheckoutRequestID: text(1, 80) }

export const PAYOUT: Checks = {
  OriginatorConversationID: text(1, 60),
  InitiatorName: text(1, 60),
  SecurityCredential: encrypted,
  CommandID: oneOf('SalaryPayment', 'BusinessPayment', 'PromotionPayment'),
  Amount: AMOUNT,
  PartyA: SHORT_CODE,
  PartyB: NUMBER,
  Remarks: text(2, 100),
  ...RESULT_ADDRESSES,
  Occassion: optional(text(1, 100)),
}

export const REVERSAL: Checks = {
  Initiator: text(1, 60),
  SecurityCredential: encrypted,
  CommandID: oneOf('TransactionReversal'),
  TransactionID: text(1, 30),
  Amount: AMOUNT,
  ReceiverParty: SHORT_CODE,
  RecieverIdentifierType: oneOf('11'),
  Remarks: text(2, 100),
  ...RESULT_ADDRESSES,
  Occasion: optional(text(0, 100)),
}

export const STATUS: Checks = {
  Initiator: text(1, 60),
  SecurityCredential: encrypted,
  CommandID: oneOf('TransactionStatusQuery'),
  PartyA: SHORT_CODE,
  IdentifierType: oneOf('4'),
  Remarks: text(1, 100),
  ...RESULT_ADDRESSES,
  Occasion: optional(text(0, 100)),
  // One of the two names the order.
  OriginalConversationID: (value, { TransactionID }) =>
    text(1, 60)(value, {}) || (value === undefined && text(1, 30)(TransactionID, {})),
}
