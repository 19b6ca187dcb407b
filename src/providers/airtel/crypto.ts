import {
  constants,
  createCipheriv,
  createHmac,
  createPublicKey,
  type KeyObject,
  publicEncrypt,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { json, jsonOf, textIn } from '../wire-kit.ts'

/** From PEM, or from what the portal shows: the same in base64 without its frame. */
export function rsaKeyOf(text: string): KeyObject | undefined {
  try {
    const key = text.includes('-----BEGIN')
      ? createPublicKey(text)
      : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })
    return key.asymmetricKeyType === 'rsa' ? key : undefined
  } catch {
    return undefined
  }
}

/** Airtel's "encryption 2.0" came with longer keys, and another padding. */
const OAEP_FROM_BITS = 2048

export function encryptFor(key: KeyObject, text: string): string {
  const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {}
  const padding =
    modulusLength >= OAEP_FROM_BITS
      ? { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' }
      : { padding: constants.RSA_PKCS1_PADDING }
  return publicEncrypt({ key, ...padding }, Buffer.from(text)).toString('base64')
}

/** Airtel encrypts the body once more with the key that it finds here, and compares. */
export function signatureHeaders(key: KeyObject, body: string): Readonly<Record<string, string>> {
  const [aesKey, iv] = [randomBytes(32), randomBytes(16)]
  return {
    'x-signature': encryptBody(body, aesKey, iv),
    'x-key': encryptFor(key, `${aesKey.toString('base64')}:${iv.toString('base64')}`),
  }
}

export function encryptBody(body: string, aesKey: Buffer, iv: Buffer): string {
  const cipher = createCipheriv('aes-256-cbc', aesKey, iv)
  return Buffer.concat([cipher.update(body, 'utf8'), cipher.final()]).toString('base64')
}

/**
 * What the hash of a callback covers is not documented well: the body without the hash, as it came,
 * or without spaces, or indented by two. The published example is of the last form.
 */
export function isHashRight(raw: Buffer, key: string): boolean {
  const body = jsonOf(raw)
  const hash = textIn(body, 'hash')
  if (hash === undefined) return false
  const { hash: _, ...rest } = body as Record<string, unknown>
  const forms = [...rawForms(raw.toString('utf8')), json(rest), JSON.stringify(rest, null, 2)]
  return forms.some((form) => isSame(callbackHash(form, key), hash))
}

/** The key is used as the text that it is, though it looks like hexadecimal digits. */
export const callbackHash = (text: string, key: string): string =>
  createHmac('sha256', key).update(text).digest('base64')

/** The member may stand at the end or at the beginning. */
const rawForms = (text: string): readonly string[] => [
  text.replace(/,\s*"hash"\s*:\s*"[^"]*"/, ''),
  text.replace(/"hash"\s*:\s*"[^"]*"\s*,\s*/, ''),
]

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
