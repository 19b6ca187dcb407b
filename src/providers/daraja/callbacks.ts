/**
 * What the operator reports by itself. It is kept with the payment, and weighed when the payment is
 * looked at: only then is it known what was asked for, and of whom.
 */
import type { OperatorIds } from '../../domain/payments/payment.ts'
import type { CallbackRequest, Claim } from '../operator.ts'
import { jsonOf, member, textIn } from '../wire-kit.ts'
import { partyMark } from './crypto.ts'

/** The end of an order, or the answer to a question about one. What was not reported is empty. */
export type Report = {
  /** `ResultCode`, or a word for how the order stands. */
  readonly code: string
  /** The order, as the operator calls it and as its client does. */
  readonly theirs: string
  readonly ours: string
  readonly receipt: string
  readonly amount: string
  /** A mark of the customer's number: see `partyMark`. */
  readonly party: string
}

type ReportKind = 'result' | 'status'

const MEMBERS = ['code', 'theirs', 'ours', 'receipt', 'amount', 'party'] as const

const nameOf = (kind: ReportKind, name: keyof Report): string =>
  `${kind}${name.charAt(0).toUpperCase()}${name.slice(1)}`

/** All of them are written each time, so that nothing of an earlier report stays. */
const idsOf = (kind: ReportKind, report: Report): OperatorIds =>
  Object.fromEntries(MEMBERS.map((name) => [nameOf(kind, name), clean(report[name])]))

export function reportIn(ids: OperatorIds, kind: ReportKind): Report | undefined {
  const of = (name: keyof Report): string => ids[nameOf(kind, name)] ?? ''
  if (of('code') === '') return undefined
  const [code, theirs, ours] = [of('code'), of('theirs'), of('ours')]
  return { code, theirs, ours, receipt: of('receipt'), amount: of('amount'), party: of('party') }
}

/** Anybody who knows the address can write there, so only what identifiers look like is kept. */
const clean = (text: string): string => (/^[\x20-\x7e]{1,80}$/.test(text) ? text : '')

const ACCEPTED = { status: 200, body: { ResultCode: 0, ResultDesc: 'Accepted' } } as const

export function readCallback({ raw }: CallbackRequest, now: number): Claim {
  const body = jsonOf(raw)
  const ids = idsFrom(body)
  if (ids === undefined) return { isGenuine: true, reply: ACCEPTED }
  const reference = ids.resultOurs ?? ''
  return {
    isGenuine: true,
    reply: ACCEPTED,
    ids: { ...ids, callbackAt: String(now) },
    ...(reference === '' ? {} : { reference }),
  }
}

function idsFrom(body: unknown): OperatorIds | undefined {
  const prompt = member(body, 'Body', 'stkCallback')
  if (prompt !== undefined) return idsOf('result', reportOfPrompt(prompt))
  const result = member(body, 'Result')
  if (result !== undefined) return idsFromResult(result)
  // The operator gives back the request itself when it waited for too long: nothing is known then.
  const isRequest = textIn(body, 'CommandID') !== undefined
  return isRequest ? { timedOut: 'yes' } : undefined
}

function reportOfPrompt(prompt: unknown): Report {
  const value = pairsIn(member(prompt, 'CallbackMetadata', 'Item'), 'Name')
  return {
    code: textIn(prompt, 'ResultCode') ?? '',
    theirs: textIn(prompt, 'CheckoutRequestID') ?? '',
    ours: textIn(prompt, 'MerchantRequestID') ?? '',
    receipt: value('MpesaReceiptNumber'),
    amount: value('Amount'),
    party: markOf([value('PhoneNumber')]),
  }
}

/** The answer to a question has a word for how the order stands; the end of an order has none. */
function idsFromResult(result: unknown): OperatorIds {
  const value = pairsIn(member(result, 'ResultParameters', 'ResultParameter'), 'Key')
  const party = markOf([
    value('ReceiverPartyPublicName'),
    value('CreditPartyPublicName'),
    value('CreditPartyName'),
    // The operator's own sample has the customer under this name, as the second of two.
    ...value.all('DebitPartyName'),
  ])
  const word = value('TransactionStatus')
  if (word !== '') {
    return idsOf('status', {
      code: word,
      theirs: value('ConversationID'),
      ours: value('OriginatorConversationID'),
      receipt: value('ReceiptNo'),
      amount: value('Amount'),
      party,
    })
  }
  return idsOf('result', {
    code: textIn(result, 'ResultCode') ?? '',
    theirs: textIn(result, 'ConversationID') ?? '',
    ours: textIn(result, 'OriginatorConversationID') ?? '',
    receipt: value('TransactionReceipt') || (textIn(result, 'TransactionID') ?? ''),
    amount: value('TransactionAmount') || value('Amount'),
    party,
  })
}

/** A list of names and values, some without a value and some twice; a single one may lack the list. */
function pairsIn(list: unknown, named: 'Name' | 'Key') {
  const pairs: readonly unknown[] = Array.isArray(list) ? list : [list]
  const all = (name: string): readonly string[] =>
    pairs.flatMap((pair) =>
      textIn(pair, named) === name ? [(textIn(pair, 'Value') ?? '').trim()] : [],
    )
  return Object.assign((name: string): string => all(name)[0] ?? '', { all })
}

/** Of the first that begins with a whole number: short codes are shorter, and some are masked. */
function markOf(parties: readonly string[]): string {
  const [number] = parties.flatMap((party) => /^\+?(\d{11,15})(?=$|[ -])/.exec(party)?.[1] ?? [])
  return number === undefined ? '' : partyMark(number)
}
