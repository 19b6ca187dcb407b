import { constants, createPublicKey, type KeyObject, publicEncrypt } from 'node:crypto'

/** The key of the platform, as its portal shows it (base64) or as PEM. */
export const readPublicKey = (text: string): KeyObject =>
  text.includes('-----BEGIN')
    ? createPublicKey(text)
    : createPublicKey({ key: Buffer.from(text, 'base64'), format: 'der', type: 'spki' })

/** Only the platform can read it, and no two are the same. */
export const sealedFor = (key: KeyObject, text: string): string =>
  publicEncrypt({ key, padding: constants.RSA_PKCS1_PADDING }, Buffer.from(text)).toString('base64')
