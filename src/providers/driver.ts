/**
 * Turns the pure functions of an operator into a connector. All that networks do to a request is
 * dealt with here and in `exchange.ts`, once: what never left, what got lost, what cannot be read.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { paymentFailure } from '../domain/failure.ts'
import { LIMITS } from '../domain/timing.ts'
import type { Connector, Outcome, ProviderOrder } from './connector.ts'
import { type DriverParts, exchange, signIn, tokensFor } from './exchange.ts'
import { withoutNumber } from './masking.ts'
import type { Look, Step } from './operator.ts'

export type Driven = Connector & {
  /** Signs in, and looks at something that moves no money, where the operator has it. */
  test(): Promise<readonly TestStep[]>
  look<Found>(look: Look<Found>): Promise<Found | undefined>
}

type TestStep = {
  readonly what: string
  readonly ok: boolean
  readonly message: string
  /** The operator can be reached, whatever it says. */
  readonly isAnswered: boolean
}

const MAX_STEPS = 4

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
  // What the operator says goes into logs and into the history.
  return 'message' in next && next.message !== undefined
    ? { ...next, message: withoutNumber(parts.mask(next.message), order.phoneNumber) }
    : next
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
    if (!got.ok) {
      parts.record({ what, order, request: 'sign in', reason: got.why, durationMs: 0 })
      return withoutToken(what, isFirst, got)
    }
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
      await pause(Math.min(settlesInMs, LIMITS.tokenSettlesMs))
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
  return { kind: 'REFUSED', failure, isOurFault: true, message: why }
}

async function test(parts: DriverParts): Promise<readonly TestStep[]> {
  const { operator } = parts
  const steps: TestStep[] = []
  for (const name of Object.keys(operator.tokens)) {
    const loaded = await signIn(parts, name)
    const isAnswered = loaded.ok || loaded.isRefused
    const message = loaded.ok ? 'signed in' : loaded.why
    steps.push({ what: `sign in (${name})`, ok: loaded.ok, message, isAnswered })
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
  if (!got.ok) return { what: look.name, ok: false, message: got.why, isAnswered: got.isRefused }
  const { answer, reason } = await exchange(parts, {
    what: 'test',
    request: look.request(...got.values),
  })
  if (answer === undefined)
    return { what: look.name, ok: false, message: reason, isAnswered: false }
  const found = look.read(answer)
  if (found !== undefined)
    return { what: look.name, ok: true, message: words(found), isAnswered: true }
  const message = `answered with ${answer.status} ${parts.mask(answer.text).slice(0, 300)}`.trim()
  return { what: look.name, ok: false, message, isAnswered: true }
}
