import { randomUUID } from 'node:crypto'
import type { Ending, Entry } from '../../stand-in/book.ts'
import type {
  StandInAnswer,
  StandInOperator,
  StandInRequest,
  Tools,
} from '../../stand-in/operator.ts'
import { readPin, shownKey } from './key.ts'

/** Sonatel's gateway as those who use it describe it. */
export const ORANGE_SONATEL_STAND_IN: StandInOperator = {
  name: 'orange-sonatel',
  targetOf: ({ path }) => {
    if (TOKEN.test(path)) return 'token'
    if (path === PATHS.payment || path === PATHS.cashIn) return 'create'
    return path === PATHS.search ? 'status' : 'any'
  },
  handle,
  callback: (entry, ending) =>
    entry.callbackUrl === undefined
      ? undefined
      : {
          method: 'POST',
          url: entry.callbackUrl,
          headers: {
            'content-type': 'application/json',
            authorization: `Basic ${entry.more.apiKey}`,
            'x-sonatel-idempotency-key': randomUUID(),
          },
          body: JSON.stringify(shown(entry, ending)),
        },
  faulty: {
    tokenExpired: () => refusal(401, '40', 'The access token expired'),
    notFound: () => ({ status: 200, body: [] }),
    unknownWord: (answer) => changedList(answer, { status: 'PERHAPS' }),
    otherAmount: (answer) => changedList(answer, { amount: { value: 1, unit: 'XOF' } }),
  },
}

const TOKEN = /^\/oauth(\/v1)?\/token$/

const PATHS = {
  key: '/api/account/v1/publicKeys',
  payment: '/api/eWallet/v1/payments/onestep',
  cashIn: '/api/eWallet/v1/cashins',
  search: '/api/eWallet/v1/transactions',
  callbacks: '/api/notification/v1/merchantcallback',
} as const

const STATUS = /^\/api\/eWallet\/v1\/transactions\/([^/]+)\/status$/

function handle(request: StandInRequest, tools: Tools): StandInAnswer {
  const { method, path, headers } = request
  if (TOKEN.test(path)) return signIn(request)
  if (!headers.authorization?.startsWith(`Bearer ${TOKEN_PREFIX}`)) {
    return refusal(401, '40', 'Invalid access token')
  }
  // Even where there is no body.
  if (headers['content-type'] !== 'application/json') {
    return refusal(415, '60', 'Unsupported media type')
  }
  const serve = ROUTES[`${method} ${path}`]
  if (serve !== undefined) return serve(request, tools)
  const transactionId = STATUS.exec(path)?.[1]
  const entry = tools.book.findBy((one) => one.transactionId === transactionId)
  if (method !== 'GET' || entry === undefined) return refusal(404, '404', 'Not found')
  return { status: 200, body: { status: wordOf(endingNow(entry, tools)) } }
}

const ROUTES: Readonly<Record<string, StandInOperator['handle']>> = {
  [`GET ${PATHS.key}`]: () => ({ status: 200, body: shownKey() }),
  [`POST ${PATHS.payment}`]: pay,
  [`POST ${PATHS.cashIn}`]: cashIn,
  [`GET ${PATHS.search}`]: search,
  [`POST ${PATHS.callbacks}`]: register,
}

const TOKEN_PREFIX = 'sonatel.'

function signIn({ headers, text }: StandInRequest): StandInAnswer {
  const form = new URLSearchParams(text)
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true
  if (!isForm || form.get('grant_type') !== 'client_credentials') {
    return { status: 400, body: { error: 'unsupported_grant_type' } }
  }
  const [client, secret] = [form.get('client_id') ?? '', form.get('client_secret') ?? '']
  if (client === '' || secret === '' || secret.startsWith('wrong')) {
    return { status: 401, body: { error: 'unauthorized_client' } }
  }
  const body = { access_token: TOKEN_PREFIX + client, token_type: 'Bearer', expires_in: 299 }
  return { status: 200, body }
}

type Order = {
  readonly customer?: Party & { readonly otp?: unknown }
  readonly partner?: Party & { readonly encryptedPinCode?: unknown }
  readonly amount?: { readonly value?: unknown; readonly unit?: unknown }
  readonly reference?: unknown
  readonly receiveNotification?: unknown
}

type Party = { readonly idType?: unknown; readonly id?: unknown }

/** Its answer is its last word. */
function pay(request: StandInRequest, tools: Tools): StandInAnswer {
  const order = (request.json ?? {}) as Order
  const { customer, partner } = order
  if (partner?.idType !== 'CODE') return violation('partner.idType')
  if (!/^\d{4,8}$/.test(String(customer?.otp ?? ''))) return violation('customer.otp')
  return written(order, 'payment', tools, (entry) => {
    const { ending } = entry
    if (ending.says !== 'pending') tools.book.change(entry.reference, { endsAt: tools.now() })
    return ending.says === 'failure' && !WORDS.includes(ending.reason)
      ? refusal(400, ending.reason, 'The payment did not work')
      : { status: 200, body: taken(entry, ending) }
  })
}

function cashIn(request: StandInRequest, tools: Tools): StandInAnswer {
  const order = (request.json ?? {}) as Order
  const { partner } = order
  if (partner?.idType !== 'CODE' && partner?.idType !== 'MSISDN') return violation('partner.idType')
  const pin = readPin(partner.encryptedPinCode)
  if (pin === undefined) return refusal(400, '4003', 'The key is not known')
  if (!/^\d{4,}$/.test(pin) || pin.startsWith('0000')) return refusal(400, '2011', 'Wrong PIN')
  return written(order, 'cashin', tools, (entry) => ({
    status: 200,
    body: taken(entry, { says: 'pending' }),
  }))
}

function written(
  order: Order,
  what: string,
  tools: Tools,
  answer: (entry: Entry) => StandInAnswer,
): StandInAnswer {
  const fault = faultIn(order)
  if (fault !== undefined) return violation(fault)
  const number = String(order.customer?.id)
  if (!/^7\d{8}$/.test(number)) return refusal(400, '2001', 'The number is not valid')
  const code = String(order.partner?.id)
  const registered = tools.book
    .all()
    .findLast((one) => one.what === CALLBACK && one.more.code === code)
  const created = tools.order({
    reference: String(order.reference),
    what,
    amount: String(order.amount?.value),
    currency: String(order.amount?.unit),
    party: number,
    callbackUrl: registered?.callbackUrl,
    more: { code, idType: String(order.partner?.idType), apiKey: registered?.more.apiKey ?? '' },
  })
  if (created === undefined) return refusal(409, '409', 'The reference is known')
  return { ...answer(created), created }
}

/** The name of the first member that is not taken. */
function faultIn({ customer, partner, amount, reference, receiveNotification }: Order) {
  const checks: Readonly<Record<string, boolean>> = {
    'customer.idType': customer?.idType === 'MSISDN',
    'customer.id': typeof customer?.id === 'string',
    'partner.id': typeof partner?.id === 'string' && partner.id !== '',
    // A number, and not a text.
    'amount.value': typeof amount?.value === 'number' && amount.value >= 10,
    'amount.unit': amount?.unit === 'XOF',
    reference: typeof reference === 'string' && reference !== '',
    receiveNotification: ['boolean', 'undefined'].includes(typeof receiveNotification),
  }
  return Object.keys(checks).find((name) => checks[name] === false)
}

function search({ query }: StandInRequest, tools: Tools): StandInAnswer {
  const entry = tools.book.find(query.get('reference') ?? '')
  // With a filter by type, nothing is ever found.
  if (entry === undefined || query.has('type')) return { status: 200, body: [] }
  return { status: 200, body: [shown(entry, endingNow(entry, tools))] }
}

const CALLBACK = 'merchantcallback'

/** Where callbacks of a merchant go; it is kept among the orders, as the book is all there is. */
function register({ json }: StandInRequest, tools: Tools): StandInAnswer {
  const body = (json ?? {}) as Readonly<Record<string, unknown>>
  const missing = ['code', 'name', 'callbackUrl', 'apiKey'].find(
    (name) => typeof body[name] !== 'string' || body[name] === '',
  )
  if (missing !== undefined) return violation(missing)
  const code = String(body.code)
  const label = `${CALLBACK} ${code} ${tools.book.nextNumber()}`
  tools.order({
    reference: label,
    what: CALLBACK,
    amount: '0',
    currency: 'XOF',
    party: label,
    callbackUrl: String(body.callbackUrl),
    more: { code, apiKey: String(body.apiKey) },
  })
  return { status: 201 }
}

const endingNow = (entry: Entry, { stateOf }: Tools): Ending =>
  stateOf(entry) === 'pending' ? { says: 'pending' } : entry.ending

/** Failures that have a word of their own; all others have a code. */
const WORDS: readonly string[] = ['FAILED', 'CANCELLED', 'REJECTED']

const wordOf = (ending: Ending): string => {
  if (ending.says === 'success') return 'SUCCESS'
  if (ending.says === 'pending') return 'PENDING'
  return WORDS.includes(ending.reason) ? ending.reason : 'FAILED'
}

const taken = ({ reference, transactionId }: Entry, ending: Ending): object => ({
  reference,
  transactionId,
  status: wordOf(ending),
  description: 'Transaction',
})

const shown = (entry: Entry, ending: Ending): object => ({
  amount: { value: Number(entry.amount), unit: entry.currency },
  reference: entry.reference,
  receiveNotification: true,
  partner: { id: entry.more.code, idType: entry.more.idType, walletType: 'PRINCIPAL' },
  customer: { id: entry.party, idType: 'MSISDN', walletType: 'PRINCIPAL' },
  type: entry.what === 'cashin' ? 'CASHIN' : 'WEB_PAYMENT',
  transactionId: entry.transactionId,
  channel: 'API',
  status: wordOf(ending),
  ...(ending.says === 'failure' ? { statusReason: ending.reason } : {}),
})

const refusal = (status: number, code: string, detail: string): StandInAnswer => ({
  status,
  body: { type: 'about:blank', title: detail, instance: '/', status, code, detail, violations: [] },
})

const violation = (field: string): StandInAnswer => {
  const body = { type: 'about:blank', title: 'Bad Request', status: 400, code: '25' }
  const violations = [{ field, message: 'is not valid' }]
  return { status: 400, body: { ...body, detail: `${field} is not valid`, violations } }
}

const changedList = (answer: StandInAnswer, change: object): StandInAnswer => ({
  ...answer,
  body: (answer.body as readonly object[]).map((one) => ({ ...one, ...change })),
})
