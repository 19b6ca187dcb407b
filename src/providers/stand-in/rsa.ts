import {
  constants,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  privateDecrypt,
} from 'node:crypto'

/**
 * The key of a stand-in: made when it is first asked for, as it protects nothing. Real ones are longer,
 * which takes seconds on a busy machine, in which everything else in the process would stand still.
 */
export type StandInKey = {
  get(): KeyObject
  /** In base64, without a frame. */
  publicKey(): string
  /** From now on there is another one. */
  renew(): void
}

export function createStandInKey(bits = 1024): StandInKey {
  let key: KeyObject | undefined
  const get = (): KeyObject => {
    key ??= generateKeyPairSync('rsa', { modulusLength: bits }).privateKey
    return key
  }
  return {
    get,
    publicKey: () =>
      createPublicKey(get()).export({ type: 'spki', format: 'der' }).toString('base64'),
    renew: () => {
      key = undefined
    },
  }
}

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
