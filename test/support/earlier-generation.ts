import assert from 'node:assert/strict'
import type { Answer } from '../../harness/service.ts'
import { assertAnswer, UUID } from './shapes.ts'

/** A whole answer of the earlier generation: with the way to the call that takes its place. */
export function assertEarlier(
  answer: Answer,
  status: number,
  body: unknown,
  successor: string,
): void {
  assertAnswer(answer, status, body)
  assertDeprecated(answer, successor)
}

export function assertDeprecated({ headers }: Answer, successor: string): void {
  assert.match(headers.get('deprecation') ?? '', /^@\d{10}$/)
  const link = `<${successor}>; rel="successor-version", </docs>; rel="deprecation"`
  assert.equal(headers.get('link'), link)
}

export function assertNotDeprecated({ headers }: Answer): void {
  assert.deepEqual([headers.get('deprecation'), headers.get('link')], [null, null])
}

export const earlierError = (errorCode: number, errorMessage: RegExp = /^[A-Z].*\.$/s) => ({
  errorId: UUID,
  errorCode,
  errorMessage,
})
