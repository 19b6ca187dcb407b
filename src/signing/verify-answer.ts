/** Checks the signature of an answer (RFC 9421) with the published keys of the service. */
import { type CoveredComponent, signatureBase } from './http-signature.ts'
import {
  bodyProblem,
  type Candidate,
  candidatesIn,
  gather,
  type Headers,
  type KeyLookup,
  keyFor,
  timeProblem,
} from './signature-parts.ts'
import { problem, type SignatureProblem } from './signature-problems.ts'
import { fits } from './verify-bytes.ts'

type ReceivedAnswer = {
  readonly status: number
  /** Names and values by turns. */
  readonly rawHeaders: readonly string[]
  readonly body: Uint8Array
}

const MUST_BE_COVERED = ['@status', 'content-digest'] as const

/** What is wrong with it; nothing if one of its signatures verifies. */
export function answerProblem(
  answer: ReceivedAnswer,
  keyOf: KeyLookup,
  nowMs: number,
): SignatureProblem | undefined {
  const headers = gather(answer.rawHeaders)
  const candidates = candidatesIn(headers)
  if ('code' in candidates) return candidates
  let first: SignatureProblem | undefined
  for (const candidate of candidates) {
    const found = problemOf(candidate, answer, headers, keyOf, nowMs)
    if (found === undefined) return undefined
    first ??= found
  }
  return first ?? problem('NO_COMMON_LABEL')
}

function problemOf(
  { covered, input, signature }: Candidate,
  answer: ReceivedAnswer,
  headers: Headers,
  keyOf: KeyLookup,
  nowMs: number,
): SignatureProblem | undefined {
  const names = covered.map(({ value, params }) => (params.size === 0 ? String(value) : ''))
  const left = MUST_BE_COVERED.find((name) => !names.includes(name))
  if (left !== undefined) return problem('NOT_COVERED', left)
  const untimely = timeProblem(input, nowMs)
  if (untimely !== undefined) return untimely
  const key = keyFor(input, keyOf)
  if ('code' in key) return key
  const wrong = bodyProblem(headers, answer.body)
  if (wrong !== undefined) return wrong
  const values: CoveredComponent[] = []
  for (const name of names) {
    const value = name === '@status' ? String(answer.status) : headers.get(name)
    if (value === undefined) return problem('ABSENT_HEADER', name)
    values.push([name, value])
  }
  const base = Buffer.from(signatureBase(values, input.text), 'latin1')
  const isGood = key.algorithms.some((algorithm) => fits(algorithm, key, base, signature))
  return isGood ? undefined : problem('NOT_VERIFIED', key.id, '', '')
}
