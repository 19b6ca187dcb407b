import {
  generateSigningKey,
  keyIdOf,
  openSigningKey,
  type SigningKey,
  sealSigningKey,
} from '../signing/keys.ts'
import type { Db } from '../store/database.ts'
import { addSigningKey, findSigningKeys } from '../store/signing-keys.ts'

/** The keys that sign callbacks: the current one, and the public halves of all. */
export type SigningKeys = {
  readonly current: SigningKey
  readonly published: readonly { readonly id: string; readonly key: string }[]
}

/** Made at the first start. Of two nodes that start at once, both end with the same key. */
export async function loadSigningKeys(db: Db, secret: string, now: number): Promise<SigningKeys> {
  if ((await findSigningKeys(db)).length === 0) {
    const key = generateSigningKey(keyIdOf(1))
    const stored = {
      number: 1,
      publicKey: key.publicKeyPem,
      sealedPrivateKey: sealSigningKey(secret, key),
    }
    await addSigningKey(db, stored, now)
  }
  const stored = await findSigningKeys(db)
  const [newest] = stored
  if (newest === undefined) throw new Error('The signing key could not be stored.')
  return {
    current: openSigningKey(keyIdOf(newest.number), secret, newest.sealedPrivateKey),
    published: stored.map((one) => ({ id: keyIdOf(one.number), key: one.publicKey })),
  }
}
