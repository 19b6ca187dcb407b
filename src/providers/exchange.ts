/**
 * One request to an operator and its answer, with whatever networks do to it, and the tokens that it
 * needs. What the answer means is decided elsewhere.
 */
import { present } from '../domain/present.ts'
import type { Outcome, ProviderOrder } from './connector.ts'
import type { Gate } from './gate.ts'
import { type Mask, withoutNumber } from './masking.ts'
import type { Answer, Operator, OperatorRequest, Step } from './operator.ts'
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
  | {
      readonly kind: 'failed'
      readonly reason: string
      readonly wasSent: boolean
      /** This node ends: that says nothing about the operator. */
      readonly isEnding?: true
    }

/** The world around an account. */
export type DriverParts = {
  readonly operator: Operator
  readonly gate: Gate
  readonly tokens: Tokens
  readonly mask: Mask
  send(request: OperatorRequest, withinMs: number, about: About): Promise<Reply>
  readonly realNow: () => number
  /** False when others may take this node for dead: it sends nothing then. */
  readonly maySend: () => boolean
  record(exchange: Exchange): void
  /** After every request: whether the operator could be reached. */
  reached(isReached: boolean, why: string): void
}

type ExchangeKind = 'submit' | 'query' | 'token' | 'test' | 'balance'

/** What a request is for. */
export type About = { readonly what: ExchangeKind; readonly order?: ProviderOrder }

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

type Tokened =
  | { readonly ok: true; readonly values: readonly string[] }
  | Extract<Loaded, { readonly ok: false }>

export async function tokensFor(parts: DriverParts, names: readonly string[]): Promise<Tokened> {
  const values: string[] = []
  for (const name of names) {
    const loaded = await parts.tokens.get(name, () => signIn(parts, name))
    if (!loaded.ok) return loaded
    values.push(loaded.value)
  }
  return { ok: true, values }
}

export async function signIn(parts: DriverParts, name: string, isAgain = false): Promise<Loaded> {
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
  const excerpt = parts.mask(answer.text).slice(0, 200)
  return { ok: false, isRefused, why: `signing in was answered with ${answer.status} ${excerpt}` }
}

type Exchanged = {
  readonly answer?: Answer
  readonly trouble?: 'UNSENT' | 'LOST' | 'UNREADABLE'
  readonly reason: string
}

type Exchanging = About & {
  readonly request: OperatorRequest
  readonly read?: Step['read']
}

export async function exchange(parts: DriverParts, exchanging: Exchanging): Promise<Exchanged> {
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
    const reply = await parts.send(request, operator.profile.answersWithinMs, exchanging)
    return { reply, durationMs: Math.max(0, Math.round(realNow() - startedAt)) }
  })
  if (passed === undefined) return { trouble: 'UNSENT', reason: 'too many requests wait' }
  // The node that holds the payment by then decides: what this node writes next is refused otherwise.
  if (passed === 'MAY_NOT') return { trouble: 'UNSENT', reason: 'this node may not send any more' }
  const { reply, durationMs } = passed
  const exchanged = readReply(reply)
  const isServed = reply.kind === 'answered' && !GATEWAY_ERRORS.includes(reply.status)
  if (reply.kind === 'answered' || reply.isEnding !== true) {
    parts.reached(isServed, exchanged.reason)
  }
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

/** The operator's gateway answers, and what is behind it does not. */
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
