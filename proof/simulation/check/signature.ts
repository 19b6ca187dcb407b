import { createHash, verify } from 'node:crypto'
import type { CallbackSeen } from '../evidence.ts'

/** RFC 9421 and RFC 9530 from the receiver's side, implemented independently of the service. */
const COVERED = '"@method" "@authority" "@path" "signature-date" "content-digest" "content-type"'

/** A small tolerance: sender and receiver share one clock. */
const LATE_MS = 1000

export function problemWith(
  { method, path, headers, body, at }: CallbackSeen,
  keys: readonly { readonly id: string; readonly key: string }[],
): string | undefined {
  const digest = `sha-512=:${createHash('sha512').update(body).digest('base64')}:`
  if (headers['content-digest'] !== digest) return 'the digest is not that of the body'
  const input = /^sig-pp=((\(([^)]*)\)).*)$/.exec(headers['signature-input'] ?? '')
  const [, parameters = '', , covered = ''] = input ?? []
  if (covered !== COVERED) return `covers ${covered || 'nothing'}`
  const numberOf = (name: string): number =>
    Number(new RegExp(`;${name}=(\\d+)`).exec(parameters)?.[1])
  const isTimely = at + LATE_MS >= numberOf('created') * 1000 && at <= numberOf('expires') * 1000
  if (!isTimely) return `arrived too early or too late: ${parameters}`
  const keyId = /;keyid="([^"]+)"/.exec(parameters)?.[1]
  const key = keys.find(({ id }) => id === keyId)?.key
  if (key === undefined) return `the key ${keyId} is not published`
  const values: Readonly<Record<string, string>> = {
    '@method': method,
    '@authority': headers.host ?? '',
    '@path': path,
  }
  const lines = [...covered.matchAll(/"([^"]+)"/g)].map(
    ([quoted, name = '']) => `${quoted}: ${values[name] ?? headers[name] ?? ''}`,
  )
  const base = [...lines, `"@signature-params": ${parameters}`].join('\n')
  const signature = /^sig-pp=:([^:]*):$/.exec(headers.signature ?? '')?.[1] ?? ''
  return isGood(base, key, signature) ? undefined : 'the signature is wrong'
}

/** By their digests: the same evidence is judged again with each forgery in it. */
const seenGood = new Set<string>()

function isGood(base: string, key: string, signature: string): boolean {
  const name = createHash('sha256').update([key, signature, base].join('\n\n')).digest('base64')
  if (seenGood.has(name)) return true
  const good = verify('sha256', Buffer.from(base), key, Buffer.from(signature, 'base64'))
  if (good) seenGood.add(name)
  return good
}
