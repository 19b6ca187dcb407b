/**
 * What signatures of requests and of answers have in common: where they stand, how long they hold,
 * whose key they name, and that the body is the one that was signed.
 */
import { digestProblem } from './digest.ts'
import type { PublicKey } from './public-keys.ts'
import { problem, type SignatureProblem } from './signature-problems.ts'
import {
  type Dictionary,
  FieldProblem,
  type Item,
  type Member,
  readDictionary,
} from './structured-fields.ts'

/** What the receiver asks for beyond what every signature needs. */
export type SignatureRules = {
  /** Older ones are refused. */
  readonly maxAgeSeconds?: number | undefined
  readonly coverAuthority?: boolean
}

export type KeyLookup = (keyId: string) => PublicKey | undefined

/** How far the clock of a signer may be ahead. */
export const AHEAD_SECONDS = 60

export type Headers = ReadonlyMap<string, string>

/** Lines of the same name count as one, in their order, with a comma between (RFC 9421, 2.1). */
export function gather(rawHeaders: readonly string[]): Headers {
  const headers = new Map<string, string>()
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? ''
    const value = rawHeaders[at + 1]?.trim() ?? ''
    const before = headers.get(name)
    headers.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  return headers
}

export type Candidate = {
  readonly covered: readonly Item[]
  readonly input: Member
  readonly signature: Buffer
}

const CANDIDATES_MAX = 16

export function candidatesIn(headers: Headers): readonly Candidate[] | SignatureProblem {
  const [signature, input] = [headers.get('signature'), headers.get('signature-input')]
  if (signature === undefined && input === undefined) return problem('NOT_SIGNED')
  if (signature === undefined) return problem('HALF_SIGNED', 'Signature')
  if (input === undefined) return problem('HALF_SIGNED', 'Signature-Input')
  const signatures = read('Signature', signature)
  if ('code' in signatures) return signatures
  const inputs = read('Signature-Input', input)
  if ('code' in inputs) return inputs
  const found: Candidate[] = []
  for (const [label, member] of inputs) {
    const { value } = signatures.get(label) ?? {}
    if (Array.isArray(member.value) && value instanceof Buffer) {
      found.push({ covered: member.value, input: member, signature: value })
    }
  }
  return found.slice(0, CANDIDATES_MAX)
}

function read(header: string, text: string): Dictionary | SignatureProblem {
  try {
    return readDictionary(text)
  } catch (error) {
    if (error instanceof FieldProblem) return problem('UNREADABLE', header, error.message)
    throw error
  }
}

export function timeProblem(
  { params }: Member,
  nowMs: number,
  { maxAgeSeconds = Number.POSITIVE_INFINITY }: SignatureRules = {},
): SignatureProblem | undefined {
  const [created, expires] = [params.get('created'), params.get('expires')]
  if (created === undefined) return problem('NO_CREATED')
  if (typeof created !== 'number') return notWhole('created')
  if (expires !== undefined && typeof expires !== 'number') return notWhole('expires')
  const ahead = created - nowMs / 1000
  if (ahead > AHEAD_SECONDS) return problem('CREATED_AHEAD', Math.ceil(ahead))
  if (expires !== undefined && expires * 1000 < nowMs) {
    return problem('EXPIRED', Math.ceil(nowMs / 1000 - expires))
  }
  if (-ahead <= maxAgeSeconds) return undefined
  return problem('TOO_OLD', Math.ceil(-ahead), maxAgeSeconds)
}

const notWhole = (parameter: string): SignatureProblem =>
  problem('UNREADABLE', 'Signature-Input', `'${parameter}' is not a whole number`)

type NamedKey = PublicKey & { readonly id: string }

/** The algorithms left are those that the key and the signature agree on. */
export function keyFor({ params }: Member, keyOf: KeyLookup): NamedKey | SignatureProblem {
  const [id, algorithm] = [params.get('keyid'), params.get('alg')]
  if (typeof id !== 'string') return problem('NO_KEY_ID')
  const key = keyOf(id)
  if (key === undefined) return problem('UNKNOWN_KEY', id)
  if (algorithm === undefined) return { ...key, id }
  const named = key.algorithms.filter((one) => one === algorithm)
  if (named.length > 0) return { ...key, id, algorithms: named }
  const shown = typeof algorithm === 'string' ? algorithm : 'not a text in quotes'
  return problem('WRONG_ALGORITHM', shown, id, key.algorithms.join(' or '))
}

export function bodyProblem(headers: Headers, body: Uint8Array): SignatureProblem | undefined {
  const field = headers.get('content-digest')
  if (field === undefined) return problem('NO_DIGEST')
  try {
    return digestProblem(field, body)
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error
    return problem('UNREADABLE', 'Content-Digest', error.message)
  }
}
