import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { completedDeposit } from '../../harness/refunds.ts'
import { type Answer, eventually, type Service } from '../../harness/service.ts'
import { earlierError } from './earlier-generation.ts'
import { assertAnswer } from './shapes.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are inspected freely by tests
type Json = any
type Changes = Readonly<Record<string, unknown>>

/** Payments of the earlier generation: requests that are accepted, and what is answered. */
export const LEGACY_KINDS = ['deposit', 'payout', 'refund'] as const
export type LegacyKind = (typeof LEGACY_KINDS)[number]

export const STARTED = '2026-11-15T10:14:00+02:00'

export const msisdn = (value: string) => ({ type: 'MSISDN', address: { value } })

export function legacyDeposit(changes: Changes = {}): Json {
  return { depositId: randomUUID(), ...money, payer: msisdn('260763456789'), ...changes }
}

export function legacyPayout(changes: Changes = {}): Json {
  return { payoutId: randomUUID(), ...money, recipient: msisdn('260763456789'), ...changes }
}

const money = {
  amount: '15',
  currency: 'ZMW',
  correspondent: 'MTN_MOMO_ZMB',
  customerTimestamp: STARTED,
  statementDescription: 'Order 12345',
}

/** A request that is accepted; for a refund with a deposit of the current generation. */
export async function legacyBody(
  service: Service,
  kind: LegacyKind,
  changes: Changes = {},
): Promise<Json> {
  if (kind === 'deposit') return legacyDeposit(changes)
  if (kind === 'payout') return legacyPayout(changes)
  const depositId = changes.depositId ?? (await completedDeposit(service))
  return { refundId: randomUUID(), depositId, ...changes }
}

/** Posts a request that can be accepted, changed by `changes`. */
export async function startLegacy(
  service: Service,
  kind: LegacyKind,
  changes: Changes = {},
): Promise<Answer & { id: string }> {
  const body = await legacyBody(service, kind, changes)
  return { ...(await service.post(`/${kind}s`, body)), id: body[`${kind}Id`] }
}

/** Waits until the payment is in the state, as the earlier generation names it. */
export function legacyReaches(
  service: Service,
  kind: LegacyKind,
  id: string,
  status: string,
): Promise<Json> {
  return eventually(async () => {
    const { body } = await service.get(`/${kind}s/${id}`)
    assert.deepEqual([body.length, body[0]?.status], [1, status])
    return body[0]
  })
}

/** The answer to a request that was accepted, or repeated, or refused by a rule. */
export const taken = (id: object, status = 'ACCEPTED', created: unknown = /Z$/) => ({
  ...id,
  status,
  created,
})

export const rejected = (id: object, rejectionCode: string, rejectionMessage: RegExp) => ({
  ...id,
  status: 'REJECTED',
  rejectionReason: { rejectionCode, rejectionMessage },
})

/** A whole answer of the earlier generation, with the headers that show the way out of it. */
export function assertLegacy(answer: Answer, status: number, body: unknown): void {
  assertAnswer(answer, status, body)
  assertMarked(answer)
}

/** Which way out each call has is said by a table in `legacy-calls.ts`. */
function assertMarked({ headers }: Answer): void {
  assert.match(headers.get('deprecation') ?? '', /^@\d{10}$/)
  const link = /^<\/v2\/[^>{}]+>; rel="successor-version", <\/docs>; rel="deprecation"$/
  assert.match(headers.get('link') ?? '', link)
}

/** What the errors of the earlier generation say, by their HTTP status. */
const ERROR_CODES: Readonly<Record<number, number>> = { 401: 2, 403: 3, 500: 0, 503: 0 }

/** A whole error of the earlier generation, whose id is found in the log. */
export function assertLegacyError(
  service: Service,
  answer: Answer,
  status: number,
  says: RegExp,
): void {
  assertLegacy(answer, status, earlierError(ERROR_CODES[status] ?? 1, says))
  const lines = service.logLines.filter((line) => line.includes(answer.body.errorId))
  assert.equal(lines.length, 1)
  assert.equal(JSON.parse(lines[0] ?? '').requestId, answer.headers.get('x-request-id'))
}
