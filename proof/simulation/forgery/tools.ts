import assert from 'node:assert/strict'
import { ID_FIELDS } from '../../../harness/random/requests.ts'
import { accountOf, type Rule } from '../check/facts.ts'
import type { Asked, Evidence, Ordered, Switched } from '../evidence.ts'

/** Evidence of a good run, falsified so that one rule is broken: the judge must find which. */
export type Forgery = {
  readonly what: string
  readonly rule: Rule
  readonly tamper: (all: Evidence) => void
}

export const first = <T>(list: readonly T[], fits: (one: T) => boolean): T => {
  const found = list.find(fits)
  assert.ok(found !== undefined, 'the simulation has nothing like that')
  return found
}

export const NEW_ID = '7d0a9b1e-4c53-4f0b-9d11-3f6e2a1b5c77'
/** After everything else, both in counted moments and by the clock. */
export const LATER = { sent: 1e9, answered: 1e9 + 1, at: 1e15 }
/** Some moments after that. */
export const soonAfter = (
  moments: number,
): { readonly sent: number; readonly answered: number } => ({
  sent: LATER.sent + moments,
  answered: LATER.answered + moments,
})
export const CLOSED = {
  status: 'REJECTED',
  failureReason: { failureCode: 'PROVIDER_TEMPORARILY_UNAVAILABLE' },
}

/** The same request for another payment, without its answer. */
export function renamed(asked: Asked | undefined, index = 0): Asked {
  assert.ok(asked !== undefined, 'the simulation has nothing like that')
  const id = NEW_ID.slice(0, -2) + String(index).padStart(2, '0')
  const { status: _, answer: __, answered: ___, ...rest } = asked
  const bodies = asked.bodies.map((body) => ({ ...body, [ID_FIELDS[asked.kind]]: id }))
  return { ...rest, ...LATER, bodies }
}

/** The provider of this request was open again long before. */
export function reopened({ merchant, kind, bodies }: Asked): Switched {
  const { provider } = accountOf(bodies[0] ?? {})
  const facts = { merchant, provider, operation: kind.toUpperCase(), status: 'OPERATIONAL' }
  return { ...facts, sent: LATER.sent - 2, answered: LATER.sent - 1, at: 0, until: 0 }
}

/** The final state of a deposit that no operator contradicts. */
export const isPlainEnd = ({ kind, body, answered }: Evidence['callbacks'][number]): boolean =>
  kind === 'deposit' && answered === 200 && /"\d+789"/.test(body) && body.includes('"COMPLETED"')

export function resendOf(
  { merchant, body }: Evidence['callbacks'][number],
  reply: string,
): Ordered {
  const id = String(JSON.parse(body).depositId)
  return { what: 'resend', merchant, kind: 'deposit', id, ...LATER, reply }
}

export const isDone = ({ state }: { state: string }): boolean => state === 'COMPLETED'
export const remove = <T>(list: T[], one: T): void => void list.splice(list.indexOf(one), 1)

/** A deposit with a callback of its page, and then one of its final state. */
export function twoStates(all: Evidence['callbacks']): [number, number] {
  for (const [early, { body, merchant }] of all.entries()) {
    const { depositId, status } = JSON.parse(body)
    if (status !== 'PROCESSING') continue
    const late = all.findIndex(
      (one) =>
        one.merchant === merchant && one.answered === 200 && isEnd(JSON.parse(one.body), depositId),
    )
    if (late > early) return [early, late]
  }
  return assert.fail('the simulation has no such deposit')
}
const isEnd = (body: Record<string, unknown>, depositId: string): boolean =>
  body.depositId === depositId && ['COMPLETED', 'FAILED'].includes(String(body.status))

export type Answer = { readonly status?: string } | undefined
export type Named = { readonly merchant: number; readonly kind: string; readonly id: string }
export const isAbout = (one: Named, other: Named): boolean =>
  one.merchant === other.merchant &&
  one.kind === other.kind &&
  one.id.toLowerCase() === other.id.toLowerCase()
