import type { Ending, Entry } from '../../stand-in/book.ts'
import type {
  StandInAnswer,
  StandInOperator,
  StandInRequest,
  Tools,
} from '../../stand-in/operator.ts'

/** MTN MoMo as its documents describe it, with the numbers of its test environment. */
export const MTN_MOMO_STAND_IN: StandInOperator = {
  name: 'mtn-momo',
  targetOf: ({ method, path }) => {
    if (path.endsWith('/token/')) return 'token'
    if (path.endsWith('/account/balance')) return 'balance'
    if (!ORDER.test(path)) return 'any'
    return method === 'POST' ? 'create' : 'status'
  },
  handle,
  callback: (entry, ending) =>
    entry.callbackUrl === undefined
      ? undefined
      : {
          method: 'PUT',
          url: entry.callbackUrl,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(statusBody(entry, ending)),
        },
  endingOf: (party, what) => TEST_NUMBERS[what === 'transfer' ? 'transfer' : 'collect']?.[party],
  faulty: {
    tokenExpired: () => ({
      status: 401,
      body: { statusCode: 401, message: 'Unauthorized. Access token is expired.' },
    }),
    notFound: () => ({
      status: 404,
      body: { code: 'RESOURCE_NOT_FOUND', message: 'Requested resource was not found.' },
    }),
    unknownWord: (answer) => changedBody(answer, { status: 'PERHAPS' }),
    otherAmount: (answer) => changedBody(answer, { amount: '1' }),
  },
}

const ORDER =
  /^\/(collection|disbursement|remittance)\/v\d_0\/(requesttopay|transfer|deposit|refund)(?:\/([^/]+))?$/

const TOKEN = /^\/(collection|disbursement|remittance)\/token\/$/

const HOLDER =
  /^\/(?:collection|disbursement|remittance)\/v1_0\/accountholder\/msisdn\/([^/]+)\/active$/i

function handle(request: StandInRequest, tools: Tools): StandInAnswer {
  const { method, path, headers } = request
  if (path === '/v1_0/apiuser' || path.startsWith('/v1_0/apiuser/')) return provision(request)
  if (headers['ocp-apim-subscription-key'] === undefined) {
    return {
      status: 401,
      body: { statusCode: 401, message: 'Access denied: no subscription key.' },
    }
  }
  const token = TOKEN.exec(path)
  if (token !== null) return signIn(request, token[1] ?? '')
  const [, product = ''] = path.split('/')
  if (!headers.authorization?.startsWith(`Bearer ${product}.`)) return UNAUTHORISED
  const holder = HOLDER.exec(path)
  if (holder !== null) return { status: 200, body: { result: true } }
  if (path === `/${product}/v1_0/account/balance`) {
    return balance(tools, product)
  }
  const order = ORDER.exec(path)
  if (order === null) return notFound()
  const [, , what = '', reference] = order
  if (method === 'GET') return status(tools, reference ?? '')
  return create(request, what, tools)
}

/** What was there at first, and what orders have moved since. */
function balance({ book, stateOf }: Tools, product: string): StandInAnswer {
  const own = book
    .all()
    .filter((entry) => stateOf(entry) === 'success' && entry.more.product === product)
  const moved = own.reduce((sum, { amount }) => sum + Number(amount), 0)
  const availableBalance = String(1_000_000 + (product === 'collection' ? moved : -moved))
  return { status: 200, body: { availableBalance, currency: 'ZMW' } }
}

const UNAUTHORISED: StandInAnswer = {
  status: 401,
  body: { statusCode: 401, message: 'Unauthorized. Access token is invalid.' },
}

const notFound = (): StandInAnswer => MTN_MOMO_STAND_IN.faulty.notFound()

/** The operator's test environment lets clients make their own users. */
function provision({ method, path, headers }: StandInRequest): StandInAnswer {
  if (method === 'POST' && path === '/v1_0/apiuser') {
    return headers['x-reference-id'] === undefined ? { status: 400 } : { status: 201 }
  }
  if (method === 'POST') return { status: 201, body: { apiKey: 'stand-in-key' } }
  const body = { providerCallbackHost: 'example.org', targetEnvironment: 'sandbox' }
  return { status: 200, body }
}

function signIn({ headers, text }: StandInRequest, product: string): StandInAnswer {
  if (!headers.authorization?.startsWith('Basic ')) return UNAUTHORISED
  const [user = '', key = ''] = Buffer.from(headers.authorization.slice(6), 'base64')
    .toString()
    .split(':')
  if (user === '' || key === '' || key.startsWith('wrong')) return UNAUTHORISED
  // The operator's gateway wants a length, and rejects forms.
  if (headers['content-length'] === undefined) return { status: 411 }
  if (text.includes('=') && !text.startsWith('{')) return { status: 400 }
  const body = { access_token: `${product}.${user}`, token_type: 'access_token', expires_in: 3600 }
  return { status: 200, body }
}

function create(request: StandInRequest, what: string, tools: Tools): StandInAnswer {
  const { headers } = request
  const reference = headers['x-reference-id']
  const body = (request.json ?? {}) as Record<string, unknown>
  if (reference === undefined || !UUID_V4.test(reference)) return refusal(400, 'VALIDATION_ERROR')
  if (headers['x-target-environment'] === undefined) {
    return refusal(500, 'NOT_ALLOWED_TARGET_ENVIRONMENT')
  }
  const amount = String(body.amount ?? '')
  const currency = String(body.currency ?? '')
  if (!/^\d+(\.\d+)?$/.test(amount)) return refusal(400, 'VALIDATION_ERROR')
  if (!/^[A-Z]{3}$/.test(currency)) return refusal(500, 'INVALID_CURRENCY')
  if (/\s/.test(String(body.externalId ?? ''))) return refusal(400, 'VALIDATION_ERROR')
  const party = what === 'refund' ? String(body.referenceIdToRefund ?? '') : partyIn(body)
  if (party === '') return refusal(400, 'VALIDATION_ERROR')
  const refused = REFUSED_AT_ONCE[party]
  if (refused !== undefined) return refusal(500, refused)
  const created = tools.order({
    reference,
    what,
    amount,
    currency,
    party,
    callbackUrl: headers['x-callback-url'],
    more: { externalId: String(body.externalId ?? ''), product: request.path.split('/')[1] ?? '' },
  })
  if (created === undefined) {
    return {
      status: 409,
      body: { code: 'RESOURCE_ALREADY_EXIST', message: 'Duplicated reference id.' },
    }
  }
  return { status: 202, created }
}

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

const partyIn = (body: Record<string, unknown>): string => {
  const party = (body.payer ?? body.payee ?? {}) as Record<string, unknown>
  return String(party.partyId ?? '')
}

const refusal = (status: number, code: string): StandInAnswer => ({
  status,
  body: { code, message: code.toLowerCase().replaceAll('_', ' ') },
})

function status({ book, stateOf }: Tools, reference: string): StandInAnswer {
  const entry = book.find(reference)
  if (entry === undefined) return notFound()
  const isOver = stateOf(entry) !== 'pending'
  return { status: 200, body: statusBody(entry, isOver ? entry.ending : { says: 'pending' }) }
}

function statusBody(entry: Entry, ending: Ending): object {
  const party = { partyIdType: 'MSISDN', partyId: entry.party }
  return {
    // The operator writes amounts its own way.
    amount: entry.amount.includes('.') ? entry.amount.replace(/\.?0+$/, '') : entry.amount,
    currency: entry.currency,
    externalId: entry.more.externalId,
    ...(entry.what === 'requesttopay' ? { payer: party } : { payee: party }),
    ...(ending.says === 'success' ? { financialTransactionId: entry.transactionId } : {}),
    status: WORDS[ending.says],
    ...(ending.says === 'failure' ? { reason: ending.reason } : {}),
  }
}

const WORDS = { success: 'SUCCESSFUL', failure: 'FAILED', pending: 'PENDING' } as const

const changedBody = (answer: StandInAnswer, change: object): StandInAnswer => ({
  ...answer,
  body: { ...(answer.body as object), ...change },
})

const number = (last: number): string => `467331234${last}`
const fails = (reason: string): Ending => ({ says: 'failure', reason })

/** `467331234NN`, as the operator publishes them; those that are refused at once are below. */
const TEST_NUMBERS: Readonly<Record<string, Readonly<Record<string, Ending>>>> = {
  collect: {
    [number(50)]: fails('INTERNAL_PROCESSING_ERROR'),
    [number(51)]: fails('APPROVAL_REJECTED'),
    [number(52)]: fails('EXPIRED'),
    [number(53)]: { says: 'pending' },
    [number(55)]: fails('PAYER_NOT_FOUND'),
    [number(56)]: fails('PAYEE_NOT_ALLOWED_TO_RECEIVE'),
    [number(61)]: fails('INTERNAL_PROCESSING_ERROR'),
    [number(62)]: fails('SERVICE_UNAVAILABLE'),
    [number(63)]: fails('COULD_NOT_PERFORM_TRANSACTION'),
    [number(64)]: fails('TRANSFER_TYPE_UNKNOWN'),
  },
  transfer: {
    [number(50)]: fails('INTERNAL_PROCESSING_ERROR'),
    [number(51)]: fails('APPROVAL_REJECTED'),
    [number(52)]: fails('EXPIRED'),
    [number(53)]: { says: 'pending' },
    [number(55)]: fails('NOT_ENOUGH_FUNDS'),
    [number(56)]: fails('PAYER_LIMIT_REACHED'),
    [number(57)]: fails('PAYEE_NOT_FOUND'),
    [number(62)]: fails('INTERNAL_PROCESSING_ERROR'),
    [number(63)]: fails('SERVICE_UNAVAILABLE'),
    [number(64)]: fails('TRANSFER_TYPE_UNKNOWN'),
  },
}

/** Settings that the operator does not take are answered with 500, and nothing is created. */
const REFUSED_AT_ONCE: Readonly<Record<string, string>> = {
  [number(58)]: 'NOT_ALLOWED_TARGET_ENVIRONMENT',
  [number(59)]: 'INVALID_CALLBACK_URL_HOST',
  [number(60)]: 'INVALID_CURRENCY',
}
