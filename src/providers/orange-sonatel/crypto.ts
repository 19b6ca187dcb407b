import {
  constants,
  createHash,
  createPublicKey,
  type KeyObject,
  publicEncrypt,
  timingSafeEqual,
} from 'node:crypto'

/** The key that Sonatel hands out in base64, with or without the lines of PEM around it. */
export function publicKeyOf(text: string): KeyObject | undefined {
  const der = Buffer.from(text.replace(/-----[^-]*-----/g, ''), 'base64')
  try {
    return createPublicKey({ key: der, format: 'der', type: 'spki' })
  } catch {
    return undefined
  }
}

/** Another text every time, as the padding is random. */
export function encryptPin(pin: string, publicKey: string): string {
  const key = publicKeyOf(publicKey)
  if (key === undefined) throw new Error('The key of the operator cannot be read')
  const padding = constants.RSA_PKCS1_PADDING
  return publicEncrypt({ key, padding }, Buffer.from(pin)).toString('base64')
}

/** In a time that says nothing about where they differ. */
export const isSameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(digest(one), digest(other))

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
