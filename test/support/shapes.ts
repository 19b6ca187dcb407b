import assert from 'node:assert/strict'
import type { Answer } from '../../harness/service.ts'

/** A whole answer: status, headers that every answer has, and the body to the last field. */
export function assertAnswer(answer: Answer, status: number, body: unknown): void {
  assertShape({ status: answer.status, body: answer.body }, { status, body })
  assert.equal(answer.headers.get('content-type'), 'application/json')
  assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-z-]{10,}$/)
}

/** An answer that says it all with its status. */
export function assertEmpty(answer: Answer): void {
  assertShape({ status: answer.status, body: answer.body }, { status: 204, body: '' })
}

/** Equal to the last field; a pattern in `expected` stands for any text that it matches. */
export function assertShape(actual: unknown, expected: unknown): void {
  assert.deepEqual(actual, resolved(expected, actual))
}

function resolved(expected: unknown, actual: unknown): unknown {
  if (expected instanceof RegExp) {
    const fits = typeof actual === 'string' && expected.test(actual)
    return fits ? actual : `a text like ${expected}`
  }
  if (typeof expected !== 'object' || expected === null) return expected
  const given = Object(actual) as Record<string, unknown>
  if (Array.isArray(expected)) return expected.map((one, index) => resolved(one, given[index]))
  return Object.fromEntries(
    Object.entries(expected).map(([name, one]) => [name, resolved(one, given[name])]),
  )
}

/** UTC with seconds, as every record of the API has it. */
export const SECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
/** UTC with milliseconds, as the controls of the sandbox have it. */
export const MILLISECONDS = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

export function reason(failureCode: string, failureMessage: RegExp = /^[A-Z].*\.$/s) {
  return { failureReason: { failureCode, failureMessage } }
}

/** The body with which a call is refused; `id` as in `{ depositId }`. */
export function refused(failureCode: string, failureMessage?: RegExp, id: object = {}) {
  return { ...id, status: 'REJECTED', ...reason(failureCode, failureMessage) }
}
