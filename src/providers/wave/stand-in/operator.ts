import { randomBytes } from 'node:crypto'
import type { Ending, Entry } from '../../stand-in/book.ts'
import type {
  StandInAnswer,
  StandInOperator,
  StandInRequest,
  Tools,
} from '../../stand-in/operator.ts'
import {
  authorisationFault,
  faultIn,
  PAYOUT,
  refusal,
  SESSION,
  SIGNING_SECRET,
  signed,
  WEBHOOK_SECRET,
} from './checks.ts'

export { SIGNING_SECRET, WEBHOOK_SECRET }

/** Wave as its documents describe it. It has no test numbers, and reports about sessions only. */
export const WAVE_STAND_IN: StandInOperator = {
  name: 'wave',
  targetOf: ({ method, path }) => {
    if (method === 'GET') return 'status'
    return CREATES.test(path) ? 'create' : 'any'
  },
  handle,
  callback: (entry, ending) => {
    if (entry.what !== 'checkout' || entry.callbackUrl === undefined) return undefined
    const isPaid = ending.says === 'success'
    const body = JSON.stringify({
      id: `AE_${entry.reference.slice(4)}${isPaid ? 'C' : 'F'}`,
      type: `checkout.session.${isPaid ? 'completed' : 'payment_failed'}`,
      data: sessionView(entry, ending),
    })
    const time = String(Math.floor(Date.now() / 1000))
    return {
      method: 'POST',
      url: entry.callbackUrl,
      headers: {
        'content-type': 'application/json',
        'wave-signature': signed(WEBHOOK_SECRET, time, body),
      },
      body,
    }
  },
  faulty: {
    tokenExpired: () => refusal(401, 'api-key-revoked'),
    notFound: () => refusal(404, 'checkout-session-not-found'),
    unknownWord: (answer) => changed(answer, { checkout_status: 'perhaps', status: 'perhaps' }),
    otherAmount: (answer) => changed(answer, { amount: '1', receive_amount: '1' }),
  },
}

const CREATES = /^\/v1\/(?:payout|checkout\/sessions(?:\/[^/]+\/refund)?)$/
const ONE_SESSION = /^\/v1\/checkout\/sessions\/([^/]+)(?:\/(expire|refund))?$/
const ONE_PAYOUT = /^\/v1\/payout\/([^/]+)$/

const SESSION_LIVES_MS = 30 * 60_000

const notFound = (): StandInAnswer => WAVE_STAND_IN.faulty.notFound()

function handle(request: StandInRequest, tools: Tools): StandInAnswer {
  const stopped = authorisationFault(request)
  if (stopped !== undefined) return stopped
  const { method, path } = request
  switch (`${method} ${path}`) {
    case 'POST /v1/checkout/sessions':
      return createSession(request, tools)
    case 'GET /v1/checkout/sessions':
      return byTransaction(request, tools)
    case 'GET /v1/checkout/sessions/search':
      return search(request, tools, 'checkout')
    case 'POST /v1/payout':
      return createPayout(request, tools)
    case 'GET /v1/payouts/search':
      return search(request, tools, 'payout')
    default:
      return handleOne(request, tools)
  }
}

/** What is about one order that exists. */
function handleOne({ method, path }: StandInRequest, tools: Tools): StandInAnswer {
  const [, payoutId] = ONE_PAYOUT.exec(path) ?? []
  if (method === 'GET' && payoutId !== undefined) {
    const payout = tools.book.findBy((one) => one.transactionId === payoutId)
    return payout?.what === 'payout' ? shown(tools, payout) : refusal(404, 'not-found')
  }
  const [, sessionId = '', action] = ONE_SESSION.exec(path) ?? []
  const session = tools.book.find(sessionId)
  if (session?.what !== 'checkout') return notFound()
  if (method === 'GET' && action === undefined) return shown(tools, session)
  if (method !== 'POST' || action === undefined) return refusal(405, 'method-not-allowed')
  return action === 'refund' ? refund(session, tools) : expire(session, tools)
}

function createSession(request: StandInRequest, tools: Tools): StandInAnswer {
  const fault = faultIn(request, SESSION)
  if (fault !== undefined) return fault
  // No member of the request keeps Wave from making a second session for the same.
  const { restrict_payer_mobile: mobile = '', ...body } = request.json as Record<string, string>
  const created = tools.order({
    reference: `cos-${randomBytes(7).toString('hex')}`,
    transactionId: `T${randomBytes(5).toString('hex').toUpperCase()}`,
    what: 'checkout',
    amount: body.amount ?? '',
    currency: body.currency ?? '',
    party: mobile.slice(1),
    more: body,
  })
  if (created === undefined) return refusal(500, 'internal-server-error')
  return { status: 200, body: sessionView(created, { says: 'pending' }), created }
}

/** The same key answers the same, and is refused with another body. */
function createPayout(request: StandInRequest, tools: Tools): StandInAnswer {
  const fault = faultIn(request, PAYOUT)
  if (fault !== undefined) return fault
  const key = request.headers['idempotency-key']
  if (key === undefined) return refusal(400, 'request-validation-error')
  const { mobile = '', ...body } = request.json as Record<string, string>
  if (!/^\+22[15]/.test(mobile)) return refusal(400, 'country-mismatch')
  const earlier = tools.book.find(key)
  if (earlier !== undefined) {
    return earlier.more.sent === request.text
      ? shown(tools, earlier)
      : refusal(409, 'idempotency-mismatch')
  }
  const created = tools.order({
    reference: key,
    transactionId: `pt-${randomBytes(7).toString('hex')}`,
    what: 'payout',
    amount: body.receive_amount ?? '',
    currency: body.currency ?? '',
    party: mobile.slice(1),
    more: { ...body, sent: request.text },
  })
  if (created === undefined) return refusal(500, 'internal-server-error')
  return { ...shown(tools, created), created }
}

/** Whole, once, and without a word in the answer. */
function refund(session: Entry, tools: Tools): StandInAnswer {
  if (tools.stateOf(session) !== 'success') return refusal(400, 'checkout-refund-failed')
  const { reference, amount, currency, party } = session
  tools.order({ reference: `${reference}/refund`, what: 'refund', amount, currency, party })
  return { status: 200 }
}

function expire(session: Entry, { book, stateOf, now }: Tools): StandInAnswer {
  if (stateOf(session) !== 'pending') return refusal(409, 'checkout-session-not-open')
  book.change(session.reference, { ending: { says: 'failure', reason: '' }, endsAt: now() })
  return { status: 200 }
}

function search({ query }: StandInRequest, tools: Tools, what: string): StandInAnswer {
  const reference = query.get('client_reference')
  if (reference === null) return refusal(400, 'request-validation-error')
  const found = tools.book
    .all()
    .filter((one) => one.what === what && one.more.client_reference === reference)
  return { status: 200, body: { result: found.map((one) => shown(tools, one).body) } }
}

function byTransaction({ query }: StandInRequest, tools: Tools): StandInAnswer {
  const id = query.get('transaction_id')
  const session = tools.book.findBy((one) => one.what === 'checkout' && one.transactionId === id)
  return session === undefined ? notFound() : shown(tools, session)
}

function shown(tools: Tools, entry: Entry): StandInAnswer {
  const ending = endingNow(entry, tools)
  const body = entry.what === 'payout' ? payoutView(entry, ending) : sessionView(entry, ending)
  return { status: 200, body }
}

/** A session that nobody pays ends by itself. */
function endingNow(entry: Entry, { stateOf, now }: Tools): Ending {
  if (stateOf(entry) !== 'pending') return entry.ending
  const isOver = entry.what === 'checkout' && now() >= entry.createdAt + SESSION_LIVES_MS
  return isOver ? { says: 'failure', reason: '' } : { says: 'pending' }
}

const SESSION_WORDS = {
  success: { checkout_status: 'complete', payment_status: 'succeeded' },
  failure: { checkout_status: 'expired', payment_status: 'cancelled' },
  pending: { checkout_status: 'open', payment_status: 'processing' },
} as const

function sessionView(entry: Entry, ending: Ending): object {
  const { reference, amount, currency, more, createdAt } = entry
  const isOver = ending.says !== 'pending'
  return {
    id: reference,
    amount,
    currency,
    ...SESSION_WORDS[ending.says],
    client_reference: more.client_reference ?? null,
    success_url: more.success_url,
    error_url: more.error_url,
    last_payment_error: errorOf(ending, 'code', 'message'),
    business_name: 'Stand-in',
    transaction_id: ending.says === 'success' ? entry.transactionId : null,
    wave_launch_url: `https://pay.wave.com/c/${reference}?a=${amount}&c=${currency}&m=Stand-in`,
    when_created: timeOf(createdAt),
    when_expires: timeOf(createdAt + SESSION_LIVES_MS),
    when_completed: isOver ? timeOf(entry.endsAt) : null,
  }
}

const PAYOUT_WORDS = { success: 'succeeded', failure: 'failed', pending: 'processing' } as const

function payoutView(entry: Entry, ending: Ending): object {
  const { transactionId: id, amount, currency, party, more, createdAt } = entry
  return {
    id,
    currency,
    receive_amount: amount,
    fee: '15',
    mobile: `+${party}`,
    name: more.name ?? null,
    client_reference: more.client_reference ?? null,
    status: PAYOUT_WORDS[ending.says],
    timestamp: timeOf(createdAt),
    payout_error: errorOf(ending, 'error_code', 'error_message'),
  }
}

const errorOf = (ending: Ending, code: string, message: string): object | null =>
  ending.says === 'failure' && ending.reason !== ''
    ? { [code]: ending.reason, [message]: ending.reason.replaceAll('-', ' ') }
    : null

/** In whole seconds, as Wave writes it. */
const timeOf = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}Z`

/** Replaces members that are there, in one order or in a list of them. */
function changed(answer: StandInAnswer, change: Readonly<Record<string, string>>): StandInAnswer {
  const alter = (order: object): object => ({
    ...order,
    ...Object.fromEntries(Object.entries(change).filter(([name]) => name in order)),
  })
  const body = answer.body as { readonly result?: readonly object[] }
  return {
    ...answer,
    body: body.result === undefined ? alter(body) : { result: body.result.map(alter) },
  }
}
