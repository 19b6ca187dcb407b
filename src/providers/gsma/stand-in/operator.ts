import { createHash, randomUUID } from 'node:crypto'
import { type Amount, formatBalance, parseAmount } from '../../../domain/amount.ts'
import { present } from '../../../domain/present.ts'
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
  checkCaller,
  checkOrder,
  checkReversalOrder,
  checkType,
  isTaken,
  UUID,
} from './checks.ts'
import { errorBody, refusal } from './errors.ts'

/** An operator that speaks version 1.2 of the API, asynchronously, with callbacks. */
export const GSMA_STAND_IN: StandInOperator = {
  name: 'gsma',
  targetOf: (request) => {
    if (isSignIn(request)) return 'token'
    const [what, ...rest] = resourceOf(request.path)
    if (what === 'accounts') return 'balance'
    if (request.method === 'POST') return 'create'
    return LOOK_UPS.includes(what ?? '') && rest.length > 0 ? 'status' : 'any'
  },
  handle,
  callback: (entry, ending) => {
    if (entry.callbackUrl === undefined) return undefined
    const isFailure = ending.says === 'failure'
    const body = JSON.stringify(isFailure ? errorBody(ending.reason) : shown(entry, ending.says))
    return {
      method: 'PUT',
      url: entry.callbackUrl,
      headers: {
        'content-type': 'application/json',
        'x-correlationid': entry.reference,
        'x-content-hash': createHash('sha256').update(body).digest('hex'),
      },
      body,
    }
  },
  faulty: {
    tokenExpired: () => refusal('clientAuthorisationError'),
    notFound: () => refusal('identifierError'),
    unknownWord: (answer) => changed(answer, { status: 'perhaps', transactionStatus: 'perhaps' }),
    otherAmount: (answer) => changed(answer, { amount: '1' }),
  },
}

const LOOK_UPS: readonly string[] = ['requeststates', 'responses', 'transactions']

const RESOURCE = /\/(transactions|requeststates|responses|accounts|heartbeat)(?=\/|$).*$/

/** What comes after the base path, in parts. */
const resourceOf = (path: string): readonly string[] =>
  (RESOURCE.exec(path)?.[0] ?? '').split('/').slice(1).map(decodeURIComponent)

const basePathOf = (path: string): string => path.replace(RESOURCE, '')

function handle(request: StandInRequest, tools: Tools): StandInAnswer {
  if (isSignIn(request)) return signIn(request)
  const fault = checkCaller(request)
  if (fault !== undefined) return fault
  const [what = '', first = '', second = ''] = resourceOf(request.path)
  if (request.method === 'POST' && what === 'transactions') {
    if (second === 'reversals') return reverse(request, first, tools)
    if (first === 'type') return checkType(second) ?? create(request, second, tools)
    const { type } = (request.json ?? {}) as Body
    if (first === '') return checkType(String(type)) ?? create(request, String(type), tools)
  }
  if (request.method !== 'GET') return refusal('identifierError')
  return LOOKS[what]?.(tools, first, request) ?? refusal('identifierError')
}

type Look = (tools: Tools, name: string, request: StandInRequest) => StandInAnswer | undefined

const LOOKS: Readonly<Record<string, Look>> = {
  transactions: ({ book, stateOf }, name) => {
    const entry = book.findBy(({ transactionId }) => transactionId === name)
    return entry && { status: 200, body: shown(entry, stateOf(entry)) }
  },
  requeststates: (tools, name) => {
    const entry = tools.book.findBy(({ more }) => more.serverCorrelationId === name)
    return entry && poll(tools, entry)
  },
  responses: ({ book }, name, { path }) => {
    if (!UUID.test(name)) return refusal('formatError', 'clientCorrelationId')
    const entry = book.find(name)
    const link = `${basePathOf(path)}/transactions/${entry?.transactionId}`
    return entry && { status: 200, body: { link } }
  },
  accounts: (_, __, { path }) =>
    path.endsWith('/balance')
      ? {
          status: 200,
          body: {
            accountStatus: 'available',
            currentBalance: '1000000.00',
            availableBalance: '1000000.00',
            currency: 'ZMW',
          },
        }
      : undefined,
  heartbeat: () => ({ status: 200, body: { serviceStatus: 'available' } }),
}

const isSignIn = ({ method, headers }: StandInRequest): boolean =>
  method === 'POST' &&
  headers['content-type']?.startsWith('application/x-www-form-urlencoded') === true

function signIn({ text }: StandInRequest): StandInAnswer {
  const form = new URLSearchParams(text)
  if (form.get('grant_type') !== 'client_credentials') {
    return { status: 400, body: { error: 'unsupported_grant_type' } }
  }
  const [id, key] = [form.get('client_id') ?? '', form.get('client_secret') ?? '']
  if (!isTaken(id) || !isTaken(key)) return { status: 401, body: { error: 'invalid_client' } }
  const body = { access_token: `gsma.${randomUUID()}`, token_type: 'Bearer', expires_in: 3600 }
  return { status: 200, body }
}

/** Types in which the customer is the one who pays. */
const COLLECTING: readonly string[] = ['merchantpay', 'billpay', 'withdrawal']

function create(request: StandInRequest, what: string, tools: Tools): StandInAnswer {
  const body = (request.json ?? {}) as Body
  const fault = checkOrder(request, body)
  if (fault !== undefined) return fault
  const customer = COLLECTING.includes(what) ? body.debitParty : body.creditParty
  return take(request, tools, {
    what,
    amount: String(body.amount),
    currency: String(body.currency),
    party: identifierIn(customer ?? body.debitParty ?? body.creditParty),
    more: { debitParty: partyText(body.debitParty), creditParty: partyText(body.creditParty) },
  })
}

/** Parties in the other direction; as a whole, where no amount is given. */
function reverse(request: StandInRequest, name: string, tools: Tools): StandInAnswer {
  const body = (request.json ?? {}) as Body
  const fault = checkReversalOrder(request, body)
  if (fault !== undefined) return fault
  const { book, stateOf } = tools
  if (book.find(correlationId(request)) !== undefined) return refusal('duplicateRequest')
  const original = book.findBy(({ transactionId }) => transactionId === name)
  if (original === undefined) return refusal('identifierError', 'transactionReference')
  if (original.what === 'reversal' || stateOf(original) !== 'success') {
    return refusal('incorrectState')
  }
  if ((body.currency ?? original.currency) !== original.currency) {
    return refusal('currencyNotSupported', 'currency')
  }
  const left = leftOf(original, tools)
  const amount = body.amount === undefined ? left : sumOf(String(body.amount))
  if (amount > left || left === 0n) return refusal('overPaymentNotAllowed', 'amount')
  const { debitParty = '', creditParty = '' } = original.more
  return take(request, tools, {
    what: 'reversal',
    amount: formatBalance(amount),
    currency: original.currency,
    party: original.party,
    more: { debitParty: creditParty, creditParty: debitParty, original: name },
  })
}

/** What got into the book was checked before. */
const sumOf = (amount: string): Amount => parseAmount(amount) ?? (0n as Amount)

/** What has not been given back of a transaction. */
const leftOf = ({ transactionId, amount }: Entry, { book, stateOf }: Tools): Amount =>
  book
    .all()
    .filter((one) => one.more.original === transactionId && stateOf(one) !== 'failure')
    .reduce((left, one) => (left - sumOf(one.amount)) as Amount, sumOf(amount))

const correlationId = ({ headers }: StandInRequest): string => headers['x-correlationid'] ?? ''

function take(
  request: StandInRequest,
  tools: Tools,
  order: Omit<NewOrder, 'reference' | 'callbackUrl'>,
): StandInAnswer {
  const { requestingOrganisationTransactionReference: ownReference } = (request.json ?? {}) as Body
  const created = tools.order({
    ...order,
    reference: correlationId(request),
    callbackUrl: request.headers['x-callback-url'],
    more: {
      ...order.more,
      serverCorrelationId: randomUUID(),
      ownReference: String(ownReference ?? ''),
    },
  })
  if (created === undefined) return refusal('duplicateRequest')
  return { status: 202, body: requestState(created, 'pending'), created }
}

/** The identifier as others compare it: without the plus. */
const identifierIn = (party: unknown): string => {
  const [first] = party as readonly { readonly value: string }[]
  return (first?.value ?? '').replace(/[+ ]/g, '')
}

/** A side that was left out is the account of who asks. */
const partyText = (party: unknown): string =>
  JSON.stringify(party ?? [{ key: 'accountid', value: 'client' }])

type State = ReturnType<Tools['stateOf']>

const WORDS = { pending: 'pending', success: 'completed', failure: 'failed' } as const

/** How long a customer has, and how often may be asked. */
const EXPIRES_AFTER_MS = 5 * 60_000
const POLL_LIMIT = 60
const polls = new Map<string, number>()

function poll({ stateOf }: Tools, entry: Entry): StandInAnswer {
  const count = (polls.get(entry.reference) ?? 0) + 1
  polls.set(entry.reference, count)
  if (count > POLL_LIMIT) return refusal('rateLimitError')
  return { status: 200, body: requestState(entry, stateOf(entry)) }
}

function requestState(entry: Entry, state: State): object {
  const { ending } = entry
  return {
    serverCorrelationId: entry.more.serverCorrelationId,
    status: WORDS[state],
    notificationMethod: entry.callbackUrl === undefined ? 'polling' : 'callback',
    expiryTime: new Date(entry.createdAt + EXPIRES_AFTER_MS).toISOString(),
    pollLimit: POLL_LIMIT,
    ...(state === 'success' ? { objectReference: entry.transactionId } : {}),
    ...(state === 'pending' ? { pendingReason: 'the customer has not answered' } : {}),
    ...(state === 'failure' && ending.says === 'failure'
      ? { error: errorBody(ending.reason) }
      : {}),
  }
}

function shown(entry: Entry, state: State | Ending['says']): object {
  const { debitParty = '[]', creditParty = '[]', original, ownReference } = entry.more
  return {
    transactionReference: entry.transactionId,
    ...(ownReference === '' ? {} : { requestingOrganisationTransactionReference: ownReference }),
    ...present({ originalTransactionReference: original }),
    type: entry.what,
    transactionStatus: WORDS[state],
    amount: entry.amount,
    currency: entry.currency,
    debitParty: JSON.parse(debitParty),
    creditParty: JSON.parse(creditParty),
    creationDate: new Date(entry.createdAt).toISOString(),
  }
}

/** Only members that the answer has. */
function changed(answer: StandInAnswer, change: Readonly<Record<string, string>>): StandInAnswer {
  const body = (answer.body ?? {}) as Body
  const fitting = Object.entries(change).filter(([name]) => name in body)
  return { ...answer, body: { ...body, ...Object.fromEntries(fitting) } }
}
