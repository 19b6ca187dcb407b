import { hash } from 'node:crypto'

export type DigestAlgorithm = 'sha-256' | 'sha-512'

/** A Content-Digest member (RFC 9530). The bytes hashed must be the very bytes on the wire. */
export function contentDigest(body: Uint8Array | string, algorithm: DigestAlgorithm): string {
  return `${algorithm}=:${hash(HASH_NAMES[algorithm], body, 'base64')}:`
}

const HASH_NAMES: Readonly<Record<DigestAlgorithm, string>> = {
  'sha-256': 'sha256',
  'sha-512': 'sha512',
}
