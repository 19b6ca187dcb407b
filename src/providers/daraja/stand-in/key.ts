import { createPublicKey } from 'node:crypto'
import { createStandInKey, opened } from '../../stand-in/rsa.ts'

const KEY = createStandInKey()

/** For `secrets.certificate` of accounts at this stand-in. */
export const standInCertificate = (): string =>
  createPublicKey(KEY.get()).export({ type: 'spki', format: 'pem' }).toString()

type Credential =
  | { readonly kind: 'broken' }
  /** Encrypted for somebody else. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'password'; readonly password: string }

const BLOCK_LENGTHS: readonly number[] = [128, 256, 384, 512]

/** What stands in a SecurityCredential. */
export function openCredential(text: string): Credential {
  const block = Buffer.from(text, 'base64')
  const isBase64 = block.toString('base64') === text
  if (!isBase64 || !BLOCK_LENGTHS.includes(block.length)) return { kind: 'broken' }
  const password = opened(KEY.get(), text)
  return password === undefined ? { kind: 'foreign' } : { kind: 'password', password }
}
