import { randomBytes } from 'node:crypto'
import type { Ending, Entry } from '../../stand-in/book.ts'
import type {
  StandInAnswer,
  StandInOperator,
  StandInRequest,
  Tools,
} from '../../stand-in/operator.ts'

/** Orange's pages as its documents describe them; nobody opens them, and they end all the same. */
export const ORANGE_WEBPAY_STAND_IN: StandInOperator = {
  name: 'orange-webpay',
  targetOf: ({ path }) => {
    if (TOKEN.test(path)) return 'token'
    const call = CALL.exec(path)?.[2]
    if (call === undefined) return 'any'
    return call === 'webpayment' ? 'create' : 'status'
  },
  handle,
  callback: (entry, ending) =>
    entry.callbackUrl === undefined
      ? undefined
      : {
          method: 'POST',
          url: entry.callbackUrl,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            status: wordOf(ending),
            notif_token: entry.more.notifToken,
            txnid: entry.transactionId,
          }),
        },
  faulty: {
    tokenExpired: () => refusal(401, 42, 'Expired credentials'),
    notFound: () => refusal(404, 60, 'Resource not found'),
    unknownWord: (answer) => changedBody(answer, { status: 'PERHAPS' }),
    // No answer of Orange has an amount.
    otherAmount: (answer) => answer,
  },
}

const TOKEN = /^\/oauth\/v[23]\/token$/

const CALL = /^\/orange-money-webpay\/([a-z]{2,5})\/v1\/(webpayment|transactionstatus)$/

function handle(request: StandInRequest, tools: Tools): StandInAnswer {
  const { method, path, headers } = request
  if (TOKEN.test(path)) return signIn(request)
  const call = CALL.exec(path)
  if (call === null) return refusal(404, 60, 'Resource not found')
  if (method !== 'POST') return refusal(405, 61, 'Method not allowed')
  if (headers.authorization === undefined) return refusal(401, 40, 'Missing credentials')
  if (!headers.authorization.startsWith(`Bearer ${TOKEN_PREFIX}`)) {
    return refusal(401, 41, 'Invalid credentials')
  }
  if (headers['content-type'] !== 'application/json') return refusal(415, 67, 'Not JSON')
  const body = (request.json ?? {}) as Body
  const [, country = '', what] = call
  return what === 'webpayment' ? create(body, country, tools) : status(body, tools)
}

type Body = Readonly<Record<string, unknown>>

const TOKEN_PREFIX = 'webpay.'

function signIn({ method, headers, text }: StandInRequest): StandInAnswer {
  const given = /^Basic (.+)$/.exec(headers.authorization ?? '')?.[1] ?? ''
  const [client = '', secret = ''] = Buffer.from(given, 'base64').toString().split(':')
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
  if (method !== 'POST' || !isForm || text !== 'grant_type=client_credentials') {
    return { status: 400, body: { error: 'invalid_request' } }
  }
  if (client === '' || secret === '' || secret.startsWith('wrong')) {
    return { status: 401, body: { error: 'invalid_client' } }
  }
  // Some 90 days.
  const body = { token_type: 'Bearer', access_token: TOKEN_PREFIX + client, expires_in: 7_776_000 }
  return { status: 200, body }
}

function create(body: Body, country: string, tools: Tools): StandInAnswer {
  const fault = faultIn(body, country)
  if (fault !== undefined) return refusal(400, 25, `Invalid ${fault}`)
  if (textOf(body.merchant_key).startsWith('wrong')) return refusal(403, 50, 'Access denied')
  const [payToken, notifToken] = [randomBytes(32).toString('hex'), randomBytes(16).toString('hex')]
  const created = tools.order({
    reference: textOf(body.order_id),
    what: 'webpayment',
    amount: String(body.amount),
    currency: textOf(body.currency),
    // A customer types the number on the page; here the digits of the text stand for it.
    party: textOf(body.reference).replace(/\D/g, ''),
    callbackUrl: textOf(body.notif_url),
    more: { payToken, notifToken },
  })
  if (created === undefined) return refusal(409, 69, 'order_id is known')
  const payment = {
    status: 201,
    message: 'OK',
    pay_token: payToken,
    payment_url: `https://pages.example/payment/pay_token/${payToken}`,
    notif_token: notifToken,
  }
  return { status: 201, body: payment, created }
}

/** The name of the first member that Orange does not take. */
function faultIn(body: Body, country: string): string | undefined {
  return Object.entries(MEMBERS).find(([name, isTaken]) => !isTaken(body[name], country))?.[0]
}

type Check = (value: unknown, country: string) => boolean

const isText =
  (longest: number): Check =>
  (value) =>
    typeof value === 'string' && value !== '' && value.length <= longest

const isAddress: Check = (value, country) =>
  isText(120)(value, country) && URL.canParse(textOf(value))

const MEMBERS: Readonly<Record<string, Check>> = {
  merchant_key: isText(200),
  // The test environment has a currency of its own, and nobody else takes it.
  currency: (value, country) =>
    typeof value === 'string' &&
    /^[A-Z]{3}$/.test(value) &&
    (value === 'OUV') === (country === 'dev'),
  order_id: isText(30),
  amount: (value) => Number.isSafeInteger(value) && Number(value) > 0,
  return_url: isAddress,
  cancel_url: isAddress,
  notif_url: isAddress,
  lang: (value) => typeof value === 'string' && /^[a-z]{2}$/.test(value),
  reference: isText(30),
}

/** Found by all three, or not at all. */
function status({ order_id, amount, pay_token }: Body, { book, stateOf }: Tools): StandInAnswer {
  if (typeof amount !== 'number') return refusal(400, 25, 'Invalid amount')
  const entry = book.find(textOf(order_id))
  if (entry?.more.payToken !== pay_token || entry?.amount !== String(amount)) {
    return refusal(404, 60, 'Resource not found')
  }
  return { status: 201, body: statusBody(entry, stateOf(entry) !== 'pending') }
}

const statusBody = (entry: Entry, isOver: boolean): object => ({
  status: isOver ? wordOf(entry.ending) : 'INITIATED',
  order_id: entry.reference,
  txnid: isOver ? entry.transactionId : '',
})

/** Of failures, a page says no more than whether it was left alone. */
const wordOf = (ending: Ending): string => {
  if (ending.says === 'success') return 'SUCCESS'
  if (ending.says === 'pending') return 'PENDING'
  return ending.reason === 'EXPIRED' ? 'EXPIRED' : 'FAILED'
}

const refusal = (status: number, code: number, message: string): StandInAnswer => ({
  status,
  body: { code, message, description: `${message}.` },
})

const changedBody = (answer: StandInAnswer, change: object): StandInAnswer => ({
  ...answer,
  body: { ...(answer.body as object), ...change },
})

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
