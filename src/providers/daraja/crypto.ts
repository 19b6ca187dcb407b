import { constants, createHash, createPublicKey, publicEncrypt } from 'node:crypto'

const EAST_AFRICA_MS = 3 * 60 * 60 * 1000

/** The time in Nairobi and Addis Ababa, wherever this machine is: yyyyMMddHHmmss. */
export const timestampAt = (nowMs: number): string =>
  new Date(nowMs + EAST_AFRICA_MS).toISOString().replace(/\D/g, '').slice(0, 14)

export const passwordOf = (shortCode: string, passkey: string, timestamp: string): string =>
  Buffer.from(shortCode + passkey + timestamp).toString('base64')

/**
 * The password of the initiator for the operator's eyes only; undefined where the key cannot be used.
 * Certificates are containers of keys here: those that the operator hands out have long expired.
 */
export function securityCredential(password: string, certificate: string): string | undefined {
  try {
    const key = createPublicKey(certificate)
    const padding = constants.RSA_PKCS1_PADDING
    return publicEncrypt({ key, padding }, Buffer.from(password)).toString('base64')
  } catch {
    return undefined
  }
}

/** A number that can be compared, and that nobody reads off where it is kept. */
export const partyMark = (number: string): string =>
  createHash('sha256').update(number).digest('hex').slice(0, 16)
