import type { Ending, Entry } from '../../stand-in/book.ts'
import type {
  NewOrder,
  StandInAnswer,
  StandInOperator,
  StandInRequest,
  Tools,
} from '../../stand-in/operator.ts'
import {
  type Body,
  type Checks,
  PAYOUT,
  PUSH,
  PUSH_IN_ETHIOPIA,
  PUSH_QUERY,
  REVERSAL,
  STATUS,
  wrongMember,
} from './checks.ts'
import { failure, hasToken, invalid, isSigned, signIn, WRONG_CREDENTIALS } from './gateway.ts'
import { openCredential } from './key.ts'
import { codeOf, describe, reportOf } from './reports.ts'

/** Daraja as its documents describe it, with the paths of Kenya and of Ethiopia. */
export const DARAJA_STAND_IN: StandInOperator = {
  name: 'daraja',
  targetOf: ({ path }) => ROUTES[path]?.target ?? 'any',
  handle,
  callback: reportOf,
  faulty: {
    tokenExpired: () => failure(404, '404.001.03', 'Invalid Access Token'),
    notFound: () => invalid('CheckoutRequestID'),
    unknownWord: (answer) => changedBody(answer, { ResultCode: 'PERHAPS' }),
    // A look-up names no amount.
    otherAmount: (answer) => answer,
  },
}

type Route = {
  readonly target: 'token' | 'create' | 'status'
  readonly method: 'GET' | 'POST'
  readonly checks: Checks
  handle(request: StandInRequest, body: Body, tools: Tools): StandInAnswer
}

const TOKEN: Route = { target: 'token', method: 'GET', checks: {}, handle: signIn }
const post = (
  target: 'create' | 'status',
  checks: Checks,
  work: (body: Body, tools: Tools) => StandInAnswer,
): Route => ({
  target,
  method: 'POST',
  checks,
  handle: (_request, body, tools) => work(body, tools),
})

const ROUTES: Readonly<Record<string, Route>> = {
  '/oauth/v1/generate': TOKEN,
  '/v1/token/generate': TOKEN,
  '/mpesa/stkpush/v1/processrequest': post('create', PUSH, push),
  '/mpesa/stkpush/v3/processrequest': post('create', PUSH_IN_ETHIOPIA, push),
  '/mpesa/stkpushquery/v1/query': post('status', PUSH_QUERY, pushStatus),
  '/mpesa/b2c/v3/paymentrequest': post('create', PAYOUT, payout),
  '/mpesa/b2c/v2/paymentrequest': post('create', PAYOUT, payout),
  '/mpesa/reversal/v1/request': post('create', REVERSAL, reversal),
  '/mpesa/transactionstatus/v1/query': post('status', STATUS, status),
}

function handle(request: StandInRequest, tools: Tools): StandInAnswer {
  const { method, path, headers } = request
  const route = ROUTES[path]
  if (route === undefined) return failure(404, '404.001.01', 'Resource not found')
  if (method !== route.method) return failure(405, '405.001', `${method} Method Not Allowed`)
  if (route.target === 'token') return route.handle(request, {}, tools)
  if (!hasToken(request)) return DARAJA_STAND_IN.faulty.tokenExpired()
  // Without this header, the operator finds nothing in the body and names its first member.
  const isJson = headers['content-type']?.startsWith('application/json') === true
  const body = (isJson ? (request.json ?? {}) : {}) as Body
  const wrong = wrongMember(body, route.checks)
  return wrong === undefined ? route.handle(request, body, tools) : invalid(wrong)
}

const changedBody = (answer: StandInAnswer, change: object): StandInAnswer => ({
  status: 200,
  body: { ...(answer.body as object), ...change },
})

function push(body: Body, tools: Tools): StandInAnswer {
  if (!isSigned(body)) return WRONG_CREDENTIALS
  const party = String(body.PhoneNumber)
  const amount = String(body.Amount)
  const merchant = String(body.MerchantRequestID ?? `29115-34620561-${tools.book.nextNumber()}`)
  const isRepeated = hasJustPaid(tools, party, amount)
  const created = order(tools, {
    reference: `ws_CO_${tools.now()}x${tools.book.nextNumber()}`,
    what: 'push',
    amount,
    currency: party.startsWith('251') ? 'ETB' : 'KES',
    party,
    callbackUrl: String(body.CallBackURL),
    more: { merchant, account: String(body.AccountReference) },
  })
  if (created === undefined) return failure(500, '500.003.1001', 'Internal Server Error')
  const entry = endingAs(tools, created, isRepeated ? '17' : misdirected(body))
  return {
    status: 200,
    created: entry,
    body: {
      MerchantRequestID: merchant,
      CheckoutRequestID: entry.reference,
      ResponseCode: '0',
      ResponseDescription: 'Success. Request accepted for processing',
      CustomerMessage: 'Success. Request accepted for processing',
    },
  }
}

/** Everything that moves money has a receipt of its own. */
const order = (tools: Tools, newOrder: NewOrder): Entry | undefined =>
  tools.order({ transactionId: receiptFor(tools), ...newOrder })

const receiptFor = (tools: Tools): string =>
  `SG${(tools.now() * 1000 + tools.book.nextNumber()).toString(36).toUpperCase().slice(-8)}`

/** Another end than the one that was planned. */
function endingAs({ book }: Tools, entry: Entry, reason: string | undefined): Entry {
  if (reason === undefined) return entry
  const ending: Ending = { says: 'failure', reason }
  return book.change(entry.reference, { ending }) ?? entry
}

const TWO_MINUTES_MS = 120_000

const hasJustPaid = ({ book, now }: Tools, party: string, amount: string): boolean =>
  book.findBy(
    (one) =>
      one.what === 'push' &&
      one.party === party &&
      one.amount === amount &&
      now() - one.createdAt < TWO_MINUTES_MS,
  ) !== undefined

/** A pay bill number collects for itself. */
const misdirected = ({ TransactionType, PartyB, BusinessShortCode }: Body): string | undefined =>
  TransactionType === 'CustomerPayBillOnline' && String(PartyB) !== String(BusinessShortCode)
    ? '2028'
    : undefined

function pushStatus(body: Body, { book, stateOf }: Tools): StandInAnswer {
  if (!isSigned(body)) return WRONG_CREDENTIALS
  const entry = book.find(String(body.CheckoutRequestID))
  if (entry === undefined || entry.what !== 'push') return invalid('CheckoutRequestID')
  if (stateOf(entry) === 'pending') {
    return failure(500, '500.001.1001', 'The transaction is being processed')
  }
  const code = codeOf(entry.ending)
  return {
    status: 200,
    body: {
      ResponseCode: '0',
      ResponseDescription: 'The service request has been accepted successfully',
      MerchantRequestID: entry.more.merchant,
      CheckoutRequestID: entry.reference,
      ResultCode: code,
      ResultDesc: describe(code),
    },
  }
}

/** A wrong password is found out later, by the core behind the gateway. */
const wrongInitiator = (body: Body): string | undefined => {
  const opened = openCredential(String(body.SecurityCredential))
  return opened.kind === 'password' && opened.password.startsWith('wrong') ? '2001' : undefined
}

const conversationFor = (tools: Tools): string =>
  `AG_20240706_${tools.now().toString(16)}x${tools.book.nextNumber()}`

function payout(body: Body, tools: Tools): StandInAnswer {
  const party = String(body.PartyB)
  const created = order(tools, {
    reference: String(body.OriginatorConversationID),
    what: 'payout',
    amount: String(body.Amount),
    currency: party.startsWith('251') ? 'ETB' : 'KES',
    party,
    callbackUrl: String(body.ResultURL),
    more: { conversation: conversationFor(tools) },
  })
  if (created === undefined) {
    return failure(500, '500.002.1001', 'Duplicate OriginatorConversationID.')
  }
  return taken(endingAs(tools, created, wrongInitiator(body)))
}

const taken = (created: Entry): StandInAnswer => ({
  status: 200,
  created,
  body: {
    ConversationID: created.more.conversation,
    OriginatorConversationID: created.reference,
    ResponseCode: '0',
    ResponseDescription: 'Accept the service request successfully.',
  },
})

function reversal(body: Body, tools: Tools): StandInAnswer {
  const receipt = String(body.TransactionID)
  const amount = String(body.Amount)
  const original = tools.book.findBy(
    (one) =>
      one.what === 'push' && one.transactionId === receipt && tools.stateOf(one) === 'success',
  )
  const problem = original === undefined ? 'R000002' : reversedTwice(tools, original, amount)
  const created = order(tools, {
    reference: `f1e2-4b95-a71d-${tools.now().toString(16)}x${tools.book.nextNumber()}`,
    what: 'reversal',
    amount,
    currency: 'KES',
    party: original?.party ?? '',
    callbackUrl: String(body.ResultURL),
    more: { conversation: conversationFor(tools), receipt },
  })
  if (created === undefined) return failure(500, '500.003.1001', 'Internal Server Error')
  return taken(endingAs(tools, created, wrongInitiator(body) ?? problem))
}

/** More than came in cannot go back. */
function reversedTwice(tools: Tools, original: Entry, amount: string): string | undefined {
  const isBack = (one: Entry): boolean =>
    one.what === 'reversal' &&
    one.more.receipt === original.transactionId &&
    one.ending.says === 'success'
  const back = tools.book.all().filter(isBack)
  const sum = back.reduce((total, one) => total + Number(one.amount), Number(amount))
  return sum > Number(original.amount) ? 'R000001' : undefined
}

const STATES = { success: 'Completed', failure: 'Declined', pending: 'Pending' } as const

/** The answer is a callback. The question itself moves nothing, so it is not in the book. */
function status(body: Body, tools: Tools): StandInAnswer {
  const { OriginalConversationID, TransactionID } = body
  const about = tools.book.findBy(
    (one) => one.reference === OriginalConversationID || one.transactionId === TransactionID,
  )
  const problem = wrongInitiator(body) ?? (about === undefined ? 'R000002' : undefined)
  const question: Entry = {
    reference: `3213-416199-${tools.now()}x${tools.book.nextNumber()}`,
    transactionId: 'MBN0000000',
    what: 'status',
    amount: '0',
    currency: 'KES',
    party: 'nobody',
    createdAt: tools.now(),
    endsAt: tools.now(),
    ending: problem === undefined ? { says: 'success' } : { says: 'failure', reason: problem },
    callbackUrl: String(body.ResultURL),
    more: {
      conversation: conversationFor(tools),
      ...(about === undefined ? {} : aboutOf(about, STATES[tools.stateOf(about)])),
    },
  }
  return taken(question)
}

const aboutOf = (entry: Entry, state: string): Readonly<Record<string, string>> => ({
  aboutState: state,
  aboutParty: entry.party,
  aboutAmount: entry.amount,
  aboutReceipt: entry.transactionId,
  aboutOriginator: entry.reference,
  aboutConversation: entry.more.conversation ?? '',
})
