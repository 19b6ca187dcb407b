import { constants, privateDecrypt } from 'node:crypto'
import { createStandInKey, opened, type StandInKey } from '../../stand-in/rsa.ts'

/** The keys of the stand-in, of both lengths that Airtel uses. */
const KEYS: Readonly<Record<1024 | 2048, StandInKey>> = {
  1024: createStandInKey(1024),
  2048: createStandInKey(2048),
}

/** As the portal shows it. */
export const standInPublicKey = (bits: 1024 | 2048 = 2048): string => KEYS[bits].publicKey()

/** Undefined where it was encrypted for another key, or with another padding. */
export function decrypted(text: string): string | undefined {
  const sealed = Buffer.from(text, 'base64')
  if (sealed.length === 128) return opened(KEYS[1024].get(), text)
  if (sealed.length !== 256) return undefined
  try {
    return privateDecrypt({ key: KEYS[2048].get(), ...OAEP }, sealed).toString('utf8')
  } catch {
    return undefined
  }
}

const OAEP = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' } as const
