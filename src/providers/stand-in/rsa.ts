import { constants, generateKeyPairSync, type KeyObject, privateDecrypt } from 'node:crypto'

/** The key of a stand-in: made when it starts, as it protects nothing. Real ones may be longer. */
export const newStandInKey = (bits = 2048): KeyObject =>
  generateKeyPairSync('rsa', { modulusLength: bits }).privateKey

/** Node does not take this padding off any more, so it is done by hand: 0, 2, random, 0, text. */
export function opened(key: KeyObject, sealed: string): string | undefined {
  const block = decrypted(key, Buffer.from(sealed, 'base64'))
  if (block === undefined || block[0] !== 0 || block[1] !== 2) return undefined
  const end = block.indexOf(0, 2)
  return end < 10 ? undefined : block.subarray(end + 1).toString('utf8')
}

function decrypted(key: KeyObject, sealed: Buffer): Buffer | undefined {
  try {
    return privateDecrypt({ key, padding: constants.RSA_NO_PADDING }, sealed)
  } catch {
    return undefined
  }
}
