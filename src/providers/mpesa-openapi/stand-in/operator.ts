import { createHash } from 'node:crypto'
import type { Ending, Entry } from '../../stand-in/book.ts'
import type {
  StandInAnswer,
  StandInOperator,
  StandInRequest,
  Tools,
} from '../../stand-in/operator.ts'
import { MARKETS } from '../profile.ts'
import { COLLECT, type Fields, faultIn, type Given, PAY, QUERY, REVERSE } from './fields.ts'
import { openedBearer, standInPublicKey } from './key.ts'

/**
 * What is set for an application in the portal of the platform. Synchronous: the request for an order
 * is answered with how it ended. Asynchronous: it is only taken, and the end is reported to the
 * response address. `PUT /portal/application` changes it here, with these members as JSON.
 */
type Application = { readonly mode: 'sync' | 'async'; readonly responseUrl?: string }

/** The platform as its documents describe it. API keys that begin with "wrong" are refused. */
export function createMpesaStandIn(first: Application = { mode: 'sync' }): StandInOperator {
  let application = first
  return {
    name: 'mpesa-openapi',
    targetOf: ({ path }) => TARGETS[CALL.exec(path)?.[2] ?? ''] ?? 'any',
    handle: (request, tools) => {
      if (request.path !== '/portal/application') return handle(request, tools, application)
      if (request.method === 'PUT') application = request.json as Application
      return { status: 200, body: { ...application, publicKey: standInPublicKey() } }
    },
    callback,
    faulty: {
      tokenExpired: () => failed('INS-989', 'Session Creation Failed'),
      notFound: () => failed('INS-23', 'Unknown Status. Contact M-Pesa Support'),
      unknownWord: (answer) => changedBody(answer, { output_ResponseTransactionStatus: 'Perhaps' }),
      // Look-ups do not name the amount.
      otherAmount: (answer) => answer,
    },
  }
}

export const MPESA_OPENAPI_STAND_IN = createMpesaStandIn()

const CALL = /^\/(?:sandbox|openapi)\/ipg\/v2\/([A-Za-z]+)\/(.+)$/

const TARGETS: Readonly<Record<string, 'token' | 'create' | 'status'>> = {
  'getSession/': 'token',
  'c2bPayment/singleStage/': 'create',
  'b2cPayment/': 'create',
  'reversal/': 'create',
  'queryTransactionStatus/': 'status',
}

type Creating = { readonly method: string; readonly what: string; readonly fields: Fields }

const CREATING: Readonly<Record<string, Creating>> = {
  'c2bPayment/singleStage/': { method: 'POST', what: 'collect', fields: COLLECT },
  'b2cPayment/': { method: 'POST', what: 'pay', fields: PAY },
  'reversal/': { method: 'PUT', what: 'reverse', fields: REVERSE },
}

function handle(request: StandInRequest, tools: Tools, application: Application): StandInAnswer {
  const { method, path, headers } = request
  const [, market = '', call = ''] = CALL.exec(path) ?? []
  if (TARGETS[call] === undefined) return { status: 404, body: { output_error: 'Not found' } }
  if (MARKETS[market] === undefined) return failed('INS-998')
  if (headers.origin === undefined) {
    return { status: 403, body: { output_error: 'The origin is not registered' } }
  }
  const secret = openedBearer(headers.authorization)
  if (secret === undefined) return { status: 401, body: { output_error: 'Unauthorized' } }
  const creating = CREATING[call]
  if (method !== (creating?.method ?? 'GET')) return { status: 405 }
  if (call === 'getSession/') return signIn(secret)
  if (!isSession(secret)) return { status: 401, body: { output_error: 'Invalid session' } }
  if (creating === undefined) return status(request, market, tools)
  if (headers['content-type'] !== 'application/json') return failed('INS-21')
  const given = (request.json ?? {}) as Given
  const fault = faultIn(given, creating.fields, market)
  return fault === undefined ? create(given, creating.what, tools, application) : failed(fault)
}

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Sessions say themselves that they are ours, so that they last longer than the process. */
const sessionOf = (apiKey: string): string => withCheck(digest(apiKey).slice(0, 16))
const withCheck = (half: string): string => half + digest(`session ${half}`).slice(0, 16)
const isSession = (text: string): boolean => text === withCheck(text.slice(0, 16))

function signIn(apiKey: string): StandInAnswer {
  if (apiKey === '' || apiKey.startsWith('wrong')) return failed('INS-989')
  const body = { ...saying('INS-0'), output_SessionID: sessionOf(apiKey) }
  return { status: 200, body }
}

function create(given: Given, what: string, tools: Tools, application: Application): StandInAnswer {
  const { book } = tools
  const field = (name: string): string => String(given[name] ?? '')
  const reference = field('input_ThirdPartyConversationID')
  const deposit = what === 'reverse' ? depositOf(tools, field('input_TransactionID')) : undefined
  if (what === 'reverse' && deposit === undefined) return failed('INS-18')
  const amount = field('input_Amount') || field('input_ReversalAmount') || (deposit?.amount ?? '')
  if (!(Number(amount) > 0)) return failed('INS-15')
  if (deposit !== undefined && Number(amount) > leftOf(tools, deposit)) return failed('INS-15')
  const { mode, responseUrl } = application
  const created = tools.order({
    reference,
    what,
    amount,
    currency: field('input_Currency') || (deposit?.currency ?? ''),
    party: field('input_CustomerMSISDN') || (deposit?.transactionId ?? ''),
    transactionId: `49XC${1_000_000 + book.nextNumber()}`,
    callbackUrl: mode === 'async' ? responseUrl : undefined,
    more: { mode },
  })
  if (created === undefined) return failed('INS-10')
  if (mode === 'async') return { status: 201, body: named(saying('INS-0'), created), created }
  return { ...endedAtOnce(tools, created), created }
}

/** In the synchronous mode the customer has approved, or not, before the answer goes out. */
function endedAtOnce({ book, now }: Tools, entry: Entry): StandInAnswer {
  const { ending, reference, transactionId } = entry
  book.change(reference, { endsAt: now() })
  const body = { output_TransactionID: transactionId }
  if (ending.says === 'success') return { status: 201, body: named(saying('INS-0'), entry, body) }
  const code = ending.says === 'pending' ? 'INS-9' : codeOf(ending)
  const none = { output_TransactionID: 'N/A' }
  return { status: HTTP[code] ?? 400, body: named(saying(code), entry, none) }
}

const depositOf = ({ book, stateOf }: Tools, transactionId: string): Entry | undefined =>
  book.findBy(
    (one) =>
      one.what === 'collect' && one.transactionId === transactionId && stateOf(one) === 'success',
  )

/** What of a deposit has not gone back yet. */
const leftOf = ({ book, stateOf }: Tools, { amount, transactionId }: Entry): number =>
  book
    .all()
    .filter(({ what, party }) => what === 'reverse' && party === transactionId)
    .filter((one) => stateOf(one) !== 'failure')
    .reduce((left, one) => left - Number(one.amount), Number(amount))

function status(request: StandInRequest, market: string, tools: Tools): StandInAnswer {
  const given = Object.fromEntries(request.query)
  const fault = faultIn(given, QUERY, market)
  if (fault !== undefined) return failed(fault)
  const { input_QueryReference: asked = '', input_ThirdPartyConversationID: question } = given
  const entry =
    tools.book.find(asked) ??
    tools.book.findBy((one) => one.transactionId === asked || conversationOf(one) === asked)
  if (entry === undefined) return failed('INS-23')
  const state = tools.stateOf(entry)
  const isReversed = state === 'success' && leftOf(tools, entry) <= 0
  return {
    status: 200,
    body: {
      ...saying('INS-0'),
      output_ConversationID: conversationOf(entry),
      output_ThirdPartyConversationID: question,
      output_OriginalTransactionID: state === 'success' ? entry.transactionId : 'N/A',
      output_ResponseTransactionStatus: state === 'failure' ? wordOf(entry.ending) : WORDS[state],
      output_Reversed: String(isReversed),
    },
  }
}

const WORDS = { success: 'Completed', pending: 'N/A' } as const

/** A failure may have a word of look-ups as its reason, or a code. */
const wordOf = (ending: Ending): string =>
  ending.says === 'failure' && ending.reason === 'Expired' ? 'Expired' : 'Cancelled'

const codeOf = (ending: Ending): string => {
  if (ending.says === 'success') return 'INS-0'
  return ending.says === 'failure' && /^INS-\d+$/.test(ending.reason) ? ending.reason : 'INS-6'
}

/** What goes to the response address. Nothing signs it. */
function callback(entry: Entry, ending: Ending): ReturnType<StandInOperator['callback']> {
  const { callbackUrl, reference, transactionId } = entry
  if (callbackUrl === undefined) return undefined
  const isDone = ending.says === 'success'
  return {
    method: 'POST',
    url: callbackUrl,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      input_OriginalConversationID: conversationOf(entry),
      input_TransactionID: isDone ? transactionId : 'N/A',
      input_ResultCode: codeOf(ending),
      input_ResultDesc: isDone ? 'Request Processed Successfully' : 'Transaction Failed',
      input_ThirdPartyConversationID: reference,
    }),
  }
}

const conversationOf = ({ reference }: Entry): string => digest(reference).slice(0, 32)

const named = (body: object, entry: Entry, more: object = {}): object => ({
  ...body,
  ...more,
  output_ConversationID: conversationOf(entry),
  output_ThirdPartyConversationID: entry.reference,
})

const saying = (code: string, words = code === 'INS-0' ? 'Request processed successfully' : code) =>
  ({ output_ResponseCode: code, output_ResponseDesc: words }) as const

/** All others are 400. */
const HTTP: Readonly<Record<string, number>> = {
  'INS-1': 500,
  'INS-6': 401,
  'INS-9': 408,
  'INS-10': 409,
  'INS-2006': 422,
}

const failed = (code: string, words?: string): StandInAnswer => ({
  status: HTTP[code] ?? 400,
  body: saying(code, words),
})

const changedBody = (answer: StandInAnswer, change: object): StandInAnswer => ({
  ...answer,
  body: { ...(answer.body as object), ...change },
})
