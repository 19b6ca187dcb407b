import type { Ending, Entry } from '../../stand-in/book.ts'
import type {
  StandInAnswer,
  StandInOperator,
  StandInRequest,
  Tools,
} from '../../stand-in/operator.ts'
import { member, textIn } from '../../wire-kit.ts'
import { callbackHash } from '../crypto.ts'
import { disbursementFault, partyOf, placeFault, pushFault, refundFault } from './checks.ts'
import { standInPublicKey } from './keys.ts'

/**
 * Airtel as its documents describe it. What people set in its portal is set with
 * `PUT /portal/callback {"url": …, "key": …}`: where callbacks go, and the key of their hash.
 */
export const AIRTEL_STAND_IN: StandInOperator = {
  name: 'airtel',
  targetOf: ({ method, path }) => {
    if (path === TOKEN) return 'token'
    if (path.endsWith('/users/balance')) return 'balance'
    if (ROUTES.every(({ form }) => !form.test(path))) return 'any'
    return method === 'POST' ? 'create' : 'status'
  },
  handle,
  callback: (entry, ending) =>
    entry.callbackUrl === undefined
      ? undefined
      : {
          method: 'POST',
          url: entry.callbackUrl,
          headers: { 'content-type': 'application/json' },
          body: callbackBody(entry, ending),
        },
  endingOf: (party, what) => {
    const number = Object.keys(TEST_NUMBERS).find((one) => party.endsWith(one))
    return number === undefined ? undefined : fails(what, TEST_NUMBERS[number] ?? '')
  },
  faulty: {
    tokenExpired: () => ({ status: 403, body: INVALID_TOKEN }),
    notFound: () => failing('DP00800001025'),
    unknownWord: (answer) => ({
      ...answer,
      body: { ...(answer.body as object), data: { transaction: { status: 'PERHAPS' } } },
    }),
    // Its look-ups name no amount.
    otherAmount: (answer) => answer,
  },
}

type Handler = (request: StandInRequest, tools: Tools, id: string) => StandInAnswer

const TOKEN = '/auth/oauth2/token'

/** The slash at the end belongs to the path, where there is one. */
const ROUTES: readonly {
  readonly form: RegExp
  readonly POST?: Handler
  readonly GET?: Handler
}[] = [
  { form: /^\/merchant\/v[12]\/payments\/$/, POST: push },
  { form: /^\/standard\/v[12]\/payments\/refund$/, POST: refund },
  { form: /^\/standard\/v1\/payments\/([^/]+)$/, GET: pushStatus },
  { form: /^\/standard\/(?:v[12]\/disbursements\/|v3\/disbursements)$/, POST: disburse },
  { form: /^\/standard\/v[12]\/disbursements\/([^/]+)$/, GET: disbursementStatus },
]

function handle(request: StandInRequest, tools: Tools): StandInAnswer {
  const { path, method, headers } = request
  if (path === TOKEN) return signIn(request, tools)
  if (path === '/portal/callback') return setCallback(request, tools)
  if (!isTokenGood(headers.authorization, tools)) return { status: 401, body: INVALID_TOKEN }
  const fault = placeFault(request)
  if (fault !== undefined) return failing(fault)
  if (path === '/v1/rsa/encryption-keys') return encryptionKeys()
  if (/^\/standard\/v[12]\/users\/balance$/.test(path)) return balance(request)
  for (const { form, ...handlers } of ROUTES) {
    const [found, id = ''] = form.exec(path) ?? []
    const handler = handlers[method as 'POST' | 'GET']
    if (found !== undefined && handler !== undefined) return handler(request, tools, id)
  }
  return { status: 404, body: { status: { code: '404', success: false } } }
}

const INVALID_TOKEN = { error: 'invalid_token', error_description: 'The token is not valid.' }

const LIVES_MS = 180_000

function signIn({ json, headers }: StandInRequest, { now }: Tools): StandInAnswer {
  const isJson = headers['content-type']?.startsWith('application/json') === true
  const [id, secret] = [textIn(json, 'client_id'), textIn(json, 'client_secret')]
  if (!isJson || textIn(json, 'grant_type') !== 'client_credentials') {
    return { status: 400, body: { error: 'unsupported_grant_type' } }
  }
  if (id === undefined || secret === undefined || secret.startsWith('wrong')) {
    return { status: 401, body: { error: 'invalid_client' } }
  }
  const body = { access_token: `at-${now()}`, expires_in: '180', token_type: 'bearer' }
  return { status: 200, body }
}

function isTokenGood(authorization: string | undefined, { now }: Tools): boolean {
  const since = Number(/^Bearer at-(\d+)$/.exec(authorization ?? '')?.[1])
  return now() - since < LIVES_MS
}

/** In the book like an order, so that it is known after the next start. */
function setCallback({ json }: StandInRequest, tools: Tools): StandInAnswer {
  tools.order({
    reference: `portal-${tools.book.nextNumber()}`,
    what: 'portal',
    amount: '0',
    currency: '',
    party: 'portal',
    callbackUrl: textIn(json, 'url'),
    more: { callbackKey: textIn(json, 'key') ?? '' },
  })
  return { status: 200 }
}

function portalOf({ book }: Tools): Pick<Entry, 'more'> & { readonly callbackUrl?: string } {
  return book.all().findLast(({ what }) => what === 'portal') ?? { more: {} }
}

function encryptionKeys(): StandInAnswer {
  const data = { key_id: 1, key: standInPublicKey(), valid_upto: '31-12-2099 23:59:59' }
  return { status: 200, body: { data, status: success('DP02010001001') } }
}

function balance({ headers }: StandInRequest): StandInAnswer {
  const currency = headers['x-currency']
  const data = { balance: '1,000,000.00', currency, account_status: 'Active' }
  return { status: 200, body: { data, status: success('DP02100000001') } }
}

function push(request: StandInRequest, tools: Tools): StandInAnswer {
  const fault = pushFault(request)
  if (fault !== undefined) return failing(fault)
  const created = order(request, tools, 'payment')
  if (created === undefined) return failing('ESB000041')
  const transaction = { id: created.reference, status: 'SUCCESS' }
  const body = { data: { transaction }, status: success('DP00800001006') }
  return { status: 200, created, body }
}

function disburse(request: StandInRequest, tools: Tools): StandInAnswer {
  const fault = disbursementFault(request)
  if (fault !== undefined) return failing(fault)
  const created = order(request, tools, 'disbursement')
  if (created === undefined) return failing('DP00900001017')
  const { reference: id, transactionId } = created
  const transaction = { reference_id: `R${id.slice(0, 8)}`, airtel_money_id: transactionId, id }
  const data = { transaction: { ...transaction, status: 'TIP' } }
  return { status: 200, created, body: { data, status: success('DP00900001006') } }
}

function order(request: StandInRequest, tools: Tools, what: string): Entry | undefined {
  const { json, headers } = request
  const { callbackUrl, more } = portalOf(tools)
  const number = textIn(json, 'subscriber', 'msisdn') ?? textIn(json, 'payee', 'msisdn') ?? ''
  return tools.order({
    reference: textIn(json, 'transaction', 'id') ?? '',
    what,
    amount: String(member(json, 'transaction', 'amount')),
    currency: headers['x-currency'] ?? '',
    party: partyOf(request, number),
    transactionId: newId(tools),
    callbackUrl,
    more,
  })
}

/** Such as MP210603.1234.L06941. */
function newId({ book, now }: Tools): string {
  const [date = '', time = ''] = new Date(now()).toISOString().split('T')
  const count = String(book.nextNumber()).padStart(5, '0')
  return `MP${date.slice(2).replaceAll('-', '')}.${time.slice(0, 5).replace(':', '')}.L${count}`
}

/** Of a payment that succeeded, once and as a whole; the example says `success: false` as well. */
function refund(request: StandInRequest, tools: Tools): StandInAnswer {
  const fault = refundFault(request)
  if (fault !== undefined) return failing(fault)
  const wanted = textIn(request.json, 'transaction', 'airtel_money_id')
  const paid = tools.book.findBy(
    ({ transactionId, what }) => transactionId === wanted && what === 'payment',
  )
  if (paid === undefined || tools.stateOf(paid) !== 'success') return failing('DP00800001025')
  const { amount, currency, party } = paid
  const written = tools.order({
    reference: `refund-${wanted}`,
    what: 'refund',
    amount,
    currency,
    party,
    transactionId: newId(tools),
  })
  if (written === undefined) return failing('DP00800001008')
  const transaction = { airtel_money_id: written.transactionId, status: 'SUCCESS' }
  const status = { code: '200', message: 'SUCCESS', result_code: 'ESB000010', success: false }
  return { status: 200, body: { data: { transaction }, status } }
}

function pushStatus(_: StandInRequest, tools: Tools, id: string): StandInAnswer {
  const entry = tools.book.find(id)
  return entry?.what === 'payment' ? statusOf(entry, tools) : failing('DP00800001025')
}

function disbursementStatus(request: StandInRequest, tools: Tools, id: string): StandInAnswer {
  const isNew = request.path.startsWith('/standard/v2/')
  if (isNew && request.query.get('transactionType') !== 'B2C') return failing('ROUTER003')
  const entry = tools.book.find(id)
  return entry?.what === 'disbursement' ? statusOf(entry, tools) : failing('DP00900001015')
}

function statusOf(entry: Entry, { stateOf }: Tools): StandInAnswer {
  const { reference: id, transactionId, ending } = entry
  const state = stateOf(entry)
  const transaction = {
    id,
    message: state,
    status: WORDS[state],
    ...(state === 'success' ? { airtel_money_id: transactionId } : {}),
  }
  const family = FAMILIES[entry.what]
  const code = ending.says === 'failure' ? ending.reason : `${family}01`
  // Not even a payment that succeeded is a success in the operator's example.
  const outcome = { ...success(state === 'pending' ? `${family}06` : code), success: false }
  return { status: 200, body: { data: { transaction }, status: outcome } }
}

const WORDS = { success: 'TS', failure: 'TF', pending: 'TIP' } as const

const FAMILIES: Readonly<Record<string, string>> = {
  payment: 'DP008000010',
  disbursement: 'DP009000010',
}

/** The hash is over the body without it, indented by two, as in the published example. */
function callbackBody(entry: Entry, ending: Ending): string {
  const { reference: id, transactionId, amount, currency } = entry
  const body = {
    transaction: {
      id,
      message: `Paid ${currency} ${amount}, Trans ID ${transactionId}.`,
      status_code: ending.says === 'success' ? 'TS' : 'TF',
      airtel_money_id: transactionId,
    },
  }
  const { callbackKey = '' } = entry.more
  if (callbackKey === '') return JSON.stringify(body)
  const hash = callbackHash(JSON.stringify(body, null, 2), callbackKey)
  return JSON.stringify({ ...body, hash })
}

const success = (code: string) => ({
  code: '200',
  message: 'SUCCESS',
  result_code: 'ESB000010',
  response_code: code,
  success: true,
})

/** What the gateway refuses has a status of its own; business failures come with 200. */
const failing = (code: string): StandInAnswer => {
  const status = code.startsWith('ROUTER') ? 400 : 200
  const member = code.startsWith('DP') ? 'response_code' : 'result_code'
  const outcome = { code: String(status), message: code, [member]: code, success: false }
  return { status, body: { status: outcome } }
}

/** The last two digits of the code, which both families share here. */
const TEST_NUMBERS: Readonly<Record<string, string>> = {
  '752600157': '10',
  '7500002240': '10',
  '756255985': '04',
}

const fails = (what: string, digits: string): Ending => ({
  says: 'failure',
  reason: `${FAMILIES[what]}${digits}`,
})
