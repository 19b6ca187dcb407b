/**
 * Checks the signature of a request (RFC 9421) with the keys of its sender. The text that was
 * signed is put together from what came over the wire, letter by letter: signers differ in order,
 * dates and content types, and nothing of it is tidied up here.
 */
import { hash } from 'node:crypto'
import { type CoveredComponent, signatureBase } from './http-signature.ts'
import {
  bodyProblem,
  type Candidate,
  candidatesIn,
  gather,
  type Headers,
  type KeyLookup,
  keyFor,
  type SignatureRules,
  timeProblem,
} from './signature-parts.ts'
import { problem, type SignatureProblem } from './signature-problems.ts'
import type { Item } from './structured-fields.ts'
import { fits } from './verify-bytes.ts'

type ReceivedRequest = {
  readonly method: string
  /** Path and query as they stood in the first line. */
  readonly target: string
  /** The port that the address of this service leaves out: 80, or 443 behind TLS. */
  readonly defaultPort: number
  /** Names and values by turns, as they came. */
  readonly rawHeaders: readonly string[]
  readonly body: Uint8Array
}

export type Verdict =
  | {
      readonly ok: true
      readonly keyId: string
      /**
       * Of what was signed, in hexadecimal digits; not of the signature, which anybody can write in
       * another valid form. Of all that verify where each counts once, otherwise of one.
       */
      readonly fingerprints: readonly string[]
      /** Absent when the signature never expires. */
      readonly expiresMs: number | undefined
    }
  | { readonly ok: false; readonly problem: SignatureProblem }

const MUST_BE_COVERED = ['@method', '@path', 'content-digest'] as const

/** Of several signatures one that verifies is enough; otherwise the first one's problem is reported. */
export function verifyRequest(
  request: ReceivedRequest,
  keyOf: KeyLookup,
  nowMs: number,
  rules: SignatureRules = {},
): Verdict {
  const headers = gather(request.rawHeaders)
  const candidates = candidatesIn(headers)
  if ('code' in candidates) return { ok: false, problem: candidates }
  let refused: Verdict | undefined
  let verified: Extract<Verdict, { ok: true }> | undefined
  for (const candidate of candidates) {
    const verdict = judge(candidate, { request, headers, keyOf, nowMs, rules })
    if (!verdict.ok) refused ??= verdict
    // Where each counts once, none may be left over that would serve for a second time.
    else if (rules.maxAgeSeconds === undefined) return verdict
    else if (verified === undefined) verified = verdict
    else {
      verified = { ...verified, fingerprints: [...verified.fingerprints, ...verdict.fingerprints] }
    }
  }
  return verified ?? refused ?? { ok: false, problem: problem('NO_COMMON_LABEL') }
}

type Circumstances = {
  readonly request: ReceivedRequest
  readonly headers: Headers
  readonly keyOf: KeyLookup
  readonly nowMs: number
  readonly rules: SignatureRules
}

/** Cheap checks first: coverage, times, key, body, signature. */
function judge(candidate: Candidate, circumstances: Circumstances): Verdict {
  const { request, headers, rules } = circumstances
  const { signature, input } = candidate
  const refused = (found: SignatureProblem): Verdict => ({ ok: false, problem: found })

  const uncovered = coverageProblem(candidate.covered, rules)
  if (uncovered !== undefined) return refused(uncovered)
  const untimely = timeProblem(input, circumstances.nowMs, rules)
  if (untimely !== undefined) return refused(untimely)
  const key = keyFor(input, circumstances.keyOf)
  if ('code' in key) return refused(key)
  const digest = bodyProblem(headers, request.body)
  if (digest !== undefined) return refused(digest)
  const values = valuesOf(candidate.covered, request, headers)
  if ('code' in values) return refused(values)

  // The letters stand for the bytes that came: headers are read as Latin-1.
  const base = Buffer.from(signatureBase(values, input.text), 'latin1')
  if (!key.algorithms.some((algorithm) => fits(algorithm, key, base, signature))) {
    const [authority = '', path] = [authorityOf(request, headers), pathOf(request)]
    return refused(problem('NOT_VERIFIED', key.id, authority, path))
  }
  const expires = input.params.get('expires')
  const expiresMs = typeof expires === 'number' ? expires * 1000 : undefined
  return { ok: true, keyId: key.id, fingerprints: [hash('sha256', base, 'hex')], expiresMs }
}

function coverageProblem(
  covered: readonly Item[],
  { coverAuthority = false }: SignatureRules,
): SignatureProblem | undefined {
  const names = new Set<string>()
  for (const { value, params } of covered) {
    const isKnown = typeof value === 'string' && params.size === 0 && COMPONENT.test(value)
    if (!isKnown) return problem('UNKNOWN_COMPONENT', shownComponent(value, params.size > 0))
    if (names.has(value)) return problem('REPEATED_COMPONENT', value)
    names.add(value)
  }
  const required = coverAuthority ? [...MUST_BE_COVERED, '@authority'] : MUST_BE_COVERED
  const left = required.find((name) => !names.has(name))
  return left === undefined ? undefined : problem('NOT_COVERED', left)
}

const COMPONENT = /^(?:@method|@authority|@path|@query|[a-z0-9!#$%&'*+.^_`|~-]+)$/

function shownComponent(value: unknown, hasParams: boolean): string {
  const name = typeof value === 'string' ? `"${value}"` : 'something that is not a text in quotes'
  return hasParams ? `${name} with parameters` : name
}

function valuesOf(
  covered: readonly Item[],
  request: ReceivedRequest,
  headers: Headers,
): readonly CoveredComponent[] | SignatureProblem {
  const values: CoveredComponent[] = []
  for (const { value } of covered) {
    const name = String(value)
    const text = name.startsWith('@') ? derived(name, request, headers) : headers.get(name)
    if (text === undefined) return problem('ABSENT_HEADER', name === '@authority' ? 'host' : name)
    values.push([name, text])
  }
  return values
}

function derived(name: string, request: ReceivedRequest, headers: Headers): string | undefined {
  if (name === '@method') return request.method
  if (name === '@path') return pathOf(request)
  if (name === '@query') return placeOf(request).slice(pathOf(request).length) || '?'
  return authorityOf(request, headers)
}

const pathOf = (request: ReceivedRequest): string => placeOf(request).split('?', 1)[0] ?? ''

/** A client that believes to speak to a proxy puts the whole address into the first line. */
const placeOf = ({ target }: ReceivedRequest): string => target.replace(/^https?:\/\/[^/?]*/i, '')

function authorityOf({ defaultPort }: ReceivedRequest, headers: Headers): string | undefined {
  return headers
    .get('host')
    ?.toLowerCase()
    .replace(new RegExp(`:${defaultPort}$`), '')
}
