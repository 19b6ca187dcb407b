import { createStandInKey, opened } from '../../stand-in/rsa.ts'

const BITS = 1024
const KEY = createStandInKey(BITS)

/** From now on there is another one. */
export const renewKey = KEY.renew

export const shownKey = (): object => ({
  keyId: 'stand-in',
  keyType: 'PRIMARY',
  keySize: BITS,
  key: KEY.publicKey(),
})

/** Undefined where it was not encrypted with this key. */
export const readPin = (encrypted: unknown): string | undefined =>
  typeof encrypted === 'string' ? opened(KEY.get(), encrypted) : undefined
