import { hash, timingSafeEqual } from 'node:crypto'
import { problem, type SignatureProblem } from './signature-problems.ts'
import { readDictionary } from './structured-fields.ts'

export type DigestAlgorithm = 'sha-256' | 'sha-512'

/** A Content-Digest member (RFC 9530). The bytes hashed must be the very bytes on the wire. */
export function contentDigest(body: Uint8Array | string, algorithm: DigestAlgorithm): string {
  return `${algorithm}=:${hash(HASH_NAMES[algorithm], body, 'base64')}:`
}

/** What is wrong with a Content-Digest. Every member of a known algorithm must be right. */
export function digestProblem(field: string, body: Uint8Array): SignatureProblem | undefined {
  const members = readDictionary(field)
  let known = 0
  for (const [name, { value }] of members) {
    const algorithm = ALGORITHMS.find((one) => one === name)
    if (algorithm === undefined) continue
    if (!(value instanceof Buffer)) {
      const why = `its ${algorithm} is not bytes in base64 between colons`
      return problem('UNREADABLE', 'Content-Digest', why)
    }
    const digest = hash(HASH_NAMES[algorithm], body, 'buffer')
    const isRight = value.length === digest.length && timingSafeEqual(value, digest)
    if (!isRight) return problem('WRONG_DIGEST', algorithm)
    known += 1
  }
  return known === 0 ? problem('UNKNOWN_DIGEST') : undefined
}

const HASH_NAMES: Readonly<Record<DigestAlgorithm, string>> = {
  'sha-256': 'sha256',
  'sha-512': 'sha512',
}
const ALGORITHMS = Object.keys(HASH_NAMES) as DigestAlgorithm[]

/** SHA-512, unless the other side names digests and it is not among them but SHA-256 is. */
export function wantedDigest(accepted: string | undefined): DigestAlgorithm {
  if (accepted === undefined) return 'sha-512'
  const named = accepted
    .toLowerCase()
    .split(',')
    .map((one) => one.replaceAll(/[ \t]/g, ''))
    .filter((one) => !/(?:;q)?=0(?:\.0{0,3})?$/.test(one))
    .map((one) => one.split(/[;=]/, 1)[0])
  return named.includes('sha-256') && !named.includes('sha-512') ? 'sha-256' : 'sha-512'
}
