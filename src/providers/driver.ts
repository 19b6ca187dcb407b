/**
 * Turns the pure functions of an operator into a connector. All that networks do to a request is
 * dealt with here, once: what never left, what got lost, what cannot be read.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { paymentFailure } from '../domain/failure.ts'
import { present } from '../domain/present.ts'
import type { Connector, Outcome, ProviderOrder } from './connector.ts'
import type { Gate } from './gate.ts'
import { type Mask, withoutNumber } from './masking.ts'
import type { Answer, Look, Operator, OperatorRequest, Step } from './operator.ts'
import type { Loaded, Tokens } from './tokens.ts'

/** What comes back for a request, from the network. */
export type Reply =
  | {
      readonly kind: 'answered'
      readonly status: number
      readonly body: string
      readonly isWhole: boolean
    }
  /** `wasSent`: a part of it may have reached the operator. */
  | { readonly kind: 'failed'; readonly reason: string; readonly wasSent: boolean }

/** The world around an account. */
export type DriverParts = {
  readonly operator: Operator
  readonly gate: Gate
  readonly tokens: Tokens
  readonly mask: Mask
  send(request: OperatorRequest, withinMs: number): Promise<Reply>
  readonly realNow: () => number
  /** False when others may take this node for dead: it sends nothing then. */
  readonly maySend: () => boolean
  record(exchange: Exchange): void
  /** After every request: whether the operator could be reached. */
  reached(isReached: boolean, why: string): void
}

export type ExchangeKind = 'submit' | 'query' | 'token' | 'test' | 'balance'

/** One request and what came of it, as it may be kept. */
export type Exchange = {
  readonly what: ExchangeKind
  readonly order?: ProviderOrder
  readonly request: string
  readonly status?: number
  readonly answer?: string
  readonly reason?: string
  /** What the exchange meant, where it is about a payment. */
  readonly outcome?: string
  readonly durationMs: number
}

export type Driven = Connector & {
  /** Signs in, and looks at something that moves no money, where the operator has it. */
  test(): Promise<readonly TestStep[]>
  look<Found>(look: Look<Found>): Promise<Found | undefined>
}

export type TestStep = { readonly what: string; readonly ok: boolean; readonly said: string }

const MAX_STEPS = 4

/** An operator that does not take a new token yet is asked again after this. */
const SETTLING_PAUSE_MS = 2000

export function createDriver(parts: DriverParts): Driven {
  const { operator } = parts
  return {
    profile: operator.profile,
    prepare: (order) => operator.prepare(order),
    submit: (order, reference) => run(parts, 'submit', order, operator.submit(order, reference)),
    query: (order, reference) => run(parts, 'query', order, operator.query(order, reference)),
    test: () => test(parts),
    look: async (look) => {
      const got = await tokensFor(parts, look.tokens)
      if (!got.ok) return undefined
      const { answer } = await exchange(parts, {
        what: 'balance',
        request: look.request(...got.values),
      })
      return answer && look.read(answer)
    },
  }
}

async function run(
  parts: DriverParts,
  what: 'submit' | 'query',
  order: ProviderOrder,
  first: Step | Outcome,
): Promise<Outcome> {
  let next = first
  for (let steps = 0; 'request' in next; steps += 1) {
    if (steps === MAX_STEPS) return { kind: 'UNKNOWN', why: 'UNREADABLE' }
    // What is sent after the first step is about an order that the operator has.
    next = await take(parts, what, order, next, steps === 0)
  }
  return next
}

async function take(
  parts: DriverParts,
  what: 'submit' | 'query',
  order: ProviderOrder,
  step: Step,
  isFirst: boolean,
): Promise<Step | Outcome> {
  for (let renewals = 0; ; ) {
    const got = await tokensFor(parts, step.tokens)
    if (!got.ok) return withoutToken(what, isFirst, got)
    const { answer, trouble } = await exchange(parts, {
      what,
      order,
      request: step.request(...got.values),
      read: step.read,
    })
    if (answer === undefined) {
      return what === 'submit' && isFirst && trouble === 'UNSENT'
        ? { kind: 'UNSENT', why: 'the operator could not be reached' }
        : { kind: 'UNKNOWN', why: trouble === 'UNREADABLE' ? 'UNREADABLE' : 'TIMEOUT' }
    }
    if (!parts.operator.isTokenRefused(answer)) return step.read(answer)
    const kept = step.tokens.map((name, at) => parts.tokens.drop(name, got.values[at] ?? ''))
    const settlesInMs = Math.max(0, ...kept)
    if (settlesInMs > 0) {
      await pause(Math.min(settlesInMs, SETTLING_PAUSE_MS))
      continue
    }
    if (renewals > 0 || step.tokens.length === 0) {
      return withoutToken(what, isFirst, { isRefused: true, why: 'the token is refused' })
    }
    renewals += 1
  }
}

/** Before the order itself was sent, nothing has happened. */
function withoutToken(
  what: 'submit' | 'query',
  isFirst: boolean,
  { isRefused, why }: { readonly isRefused: boolean; readonly why: string },
): Outcome {
  if (what === 'query' || !isFirst) return { kind: 'UNKNOWN', why: 'TIMEOUT' }
  if (!isRefused) return { kind: 'UNSENT', why }
  const failure = paymentFailure('UNSPECIFIED_FAILURE')
  return { kind: 'REFUSED', failure, isOurFault: true, said: why }
}

type Tokened =
  | { readonly ok: true; readonly values: readonly string[] }
  | Extract<Loaded, { readonly ok: false }>

async function tokensFor(parts: DriverParts, names: readonly string[]): Promise<Tokened> {
  const values: string[] = []
  for (const name of names) {
    const loaded = await parts.tokens.get(name, () => signIn(parts, name))
    if (!loaded.ok) return loaded
    values.push(loaded.value)
  }
  return { ok: true, values }
}

async function signIn(parts: DriverParts, name: string, isAgain = false): Promise<Loaded> {
  const source = parts.operator.tokens[name]
  if (source === undefined) throw new Error(`The operator has no token "${name}"`)
  const needed = source.tokens ?? []
  const got = await tokensFor(parts, needed)
  if (!got.ok) return got
  const request = source.request(...got.values)
  const { answer, reason } = await exchange(parts, { what: 'token', request })
  if (answer === undefined) return { ok: false, isRefused: false, why: reason }
  if (needed.length > 0 && !isAgain && parts.operator.isTokenRefused(answer)) {
    for (const [at, one] of needed.entries()) parts.tokens.drop(one, got.values[at] ?? '')
    return signIn(parts, name, true)
  }
  const token = source.read(answer)
  if (token !== undefined) return { ok: true, ...token }
  const isRefused = answer.status >= 400 && answer.status < 500 && answer.status !== 429
  const said = parts.mask(answer.text).slice(0, 200)
  return { ok: false, isRefused, why: `signing in was answered with ${answer.status} ${said}` }
}

type Exchanged = {
  readonly answer?: Answer
  readonly trouble?: 'UNSENT' | 'LOST' | 'UNREADABLE'
  readonly reason: string
}

type Exchanging = {
  readonly what: ExchangeKind
  readonly order?: ProviderOrder
  readonly request: OperatorRequest
  readonly read?: Step['read']
}

async function exchange(parts: DriverParts, exchanging: Exchanging): Promise<Exchanged> {
  const { what, order, request, read } = exchanging
  const { operator, realNow } = parts
  const mask: Mask = (text) => {
    const masked = parts.mask(text)
    return order === undefined ? masked : withoutNumber(masked, order.phoneNumber)
  }
  const passed = await parts.gate.pass(async () => {
    // The wait may have been long, and others may look after the payment by now.
    if (what === 'submit' && !parts.maySend()) return 'MAY_NOT'
    const startedAt = realNow()
    const reply = await parts.send(request, operator.profile.answersWithinMs)
    return { reply, durationMs: Math.max(0, Math.round(realNow() - startedAt)) }
  })
  if (passed === undefined) return { trouble: 'UNSENT', reason: 'too many requests wait' }
  // Whoever holds the payment by then decides: what this node writes next is refused otherwise.
  if (passed === 'MAY_NOT') return { trouble: 'UNSENT', reason: 'this node may not send any more' }
  const { reply, durationMs } = passed
  const exchanged = readReply(reply)
  const isServed = reply.kind === 'answered' && !GATEWAY_ERRORS.includes(reply.status)
  parts.reached(isServed, exchanged.reason)
  const { answer } = exchanged
  const isSignIn = what === 'token'
  parts.record({
    what,
    request: mask(shown(request)),
    durationMs,
    ...present({
      order,
      status: reply.kind === 'answered' ? reply.status : undefined,
      // What is in the answer to a sign-in is a secret, whatever its members are called.
      answer: reply.kind === 'answered' && !isSignIn ? mask(reply.body) : undefined,
      reason: answer === undefined ? exchanged.reason : undefined,
      outcome: answer && read && meaning(read(answer)),
    }),
  })
  return exchanged
}

/** The operator's front door answers, and what is behind it does not. */
const GATEWAY_ERRORS: readonly number[] = [502, 503, 504]

const meaning = (next: Step | Outcome): string => {
  if ('request' in next) return 'asked on'
  if (next.kind === 'FAILED' || next.kind === 'REFUSED') return `${next.kind} ${next.failure.code}`
  return next.kind === 'UNKNOWN' ? `UNKNOWN ${next.why}` : next.kind
}

const shown = ({ method, path, body = '' }: OperatorRequest): string =>
  `${method} ${path}${body === '' ? '' : `\n${body}`}`

function readReply(reply: Reply): Exchanged {
  if (reply.kind === 'failed') {
    return { trouble: reply.wasSent ? 'LOST' : 'UNSENT', reason: reply.reason }
  }
  const { status, body: text, isWhole } = reply
  const unreadable = (reason: string): Exchanged => ({ trouble: 'UNREADABLE', reason })
  if (status >= 300 && status < 400) return unreadable(`the operator redirects (${status})`)
  if (!isWhole) return unreadable('the answer is too long')
  if (text.trim() === '') return { answer: { status, text: '', json: undefined }, reason: '' }
  try {
    return { answer: { status, text, json: JSON.parse(text) }, reason: '' }
  } catch {
    return unreadable(`the answer (${status}) is not JSON`)
  }
}

async function test(parts: DriverParts): Promise<readonly TestStep[]> {
  const { operator } = parts
  const steps: TestStep[] = []
  for (const name of Object.keys(operator.tokens)) {
    const loaded = await signIn(parts, name)
    steps.push({
      what: `sign in (${name})`,
      ok: loaded.ok,
      said: loaded.ok ? 'signed in' : loaded.why,
    })
  }
  if (steps.some(({ ok }) => !ok)) return steps
  for (const look of operator.balances ?? []) {
    steps.push(await tried(parts, look, ({ amount, currency }) => `${amount} ${currency}`))
  }
  if (operator.probe !== undefined) steps.push(await tried(parts, operator.probe, (words) => words))
  return steps
}

async function tried<Found>(
  parts: DriverParts,
  look: Look<Found>,
  words: (found: Found) => string,
): Promise<TestStep> {
  const got = await tokensFor(parts, look.tokens)
  if (!got.ok) return { what: look.name, ok: false, said: got.why }
  const { answer, reason } = await exchange(parts, {
    what: 'test',
    request: look.request(...got.values),
  })
  if (answer === undefined) return { what: look.name, ok: false, said: reason }
  const found = look.read(answer)
  if (found !== undefined) return { what: look.name, ok: true, said: words(found) }
  const said = `answered with ${answer.status} ${parts.mask(answer.text).slice(0, 300)}`.trim()
  return { what: look.name, ok: false, said }
}
