import { constants, createPublicKey, type KeyObject, privateDecrypt } from 'node:crypto'
import { newStandInKey, opened } from '../../stand-in/rsa.ts'

/** The keys of the stand-in, of both lengths that Airtel uses. */
const KEYS: readonly KeyObject[] = [newStandInKey(1024), newStandInKey(2048)]

const bitsOf = (key: KeyObject): number => key.asymmetricKeyDetails?.modulusLength ?? 0

/** As the portal shows it: base64 without a frame. */
export function standInPublicKey(bits: 1024 | 2048 = 2048): string {
  const key = KEYS.find((one) => bitsOf(one) === bits)
  if (key === undefined) throw new Error(`There is no key of ${bits} bits`)
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64')
}

/** Undefined where it was encrypted for another key, or with another padding. */
export function decrypted(text: string): string | undefined {
  const sealed = Buffer.from(text, 'base64')
  const key = KEYS.find((one) => bitsOf(one) === sealed.length * 8)
  if (key === undefined) return undefined
  if (bitsOf(key) < 2048) return opened(key, text)
  try {
    return privateDecrypt({ key, ...OAEP }, sealed).toString('utf8')
  } catch {
    return undefined
  }
}

const OAEP = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' } as const
