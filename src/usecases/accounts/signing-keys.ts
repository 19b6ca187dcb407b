import { keyIdFor, type Merchant } from '../../domain/accounts/merchant.ts'
import { LIFETIMES } from '../../domain/timing.ts'
import {
  generateSigningKey,
  keyIdOf,
  openSigningKey,
  type SigningKey,
  sealSigningKey,
} from '../../signing/keys.ts'
import {
  addSigningKey,
  findSigningKeys,
  lockSigningKeys,
  retireSigningKeys,
  type StoredKey,
  withdrawSigningKeys,
} from '../../store/accounts/signing-keys.ts'
import { announceChange } from '../../store/cluster/service-state.ts'
import type { Database, Db } from '../../store/engine/database.ts'

/** The keys that sign callbacks and answers: the current one, and the public halves of all. */
export type SigningKeys = {
  readonly current: SigningKey
  /** The current one first. */
  readonly published: readonly { readonly id: string; readonly key: string }[]
  /** Takes over what another process has changed. */
  refresh(): Promise<void>
}

/** Throws where the data is sealed under another secret; before the first start it fits anything. */
export async function requireFittingSecret(db: Db, secret: string): Promise<void> {
  const stored = await findSigningKeys(db)
  if (stored.length > 0) openNewest(stored, secret)
}

/** Made at the first start. Of two nodes that start at once, both end with the same key. */
export async function loadSigningKeys(
  db: Db,
  secret: string,
  realNow: () => number,
): Promise<SigningKeys> {
  if ((await findSigningKeys(db)).length === 0) {
    await addSigningKey(db, newKey(1, secret), realNow())
  }
  let stored = await findSigningKeys(db)
  let current = openNewest(stored, secret)
  return {
    get current() {
      return current
    },
    get published() {
      return stored
        .filter((one) => isPublished(one, realNow()))
        .map((one) => ({ id: keyIdOf(one.number), key: one.publicKey }))
    },
    refresh: async () => {
      const found = await findSigningKeys(db)
      const [before = 0, after = 0] = [stored[0]?.number, found[0]?.number]
      // Of two readings under way at once, the earlier may end last.
      if (after < before) return
      if (after > before) current = openNewest(found, secret)
      stored = found
    },
  }
}

/** As a merchant finds them in its signatures; without one, as the service names them. */
export function publishedFor(
  { published }: SigningKeys,
  merchant: Merchant | undefined,
): SigningKeys['published'] {
  if (merchant === undefined) return published
  return published.map(({ id, key }) => ({ id: keyIdFor(merchant, id), key }))
}

export const isPublished = ({ retiredMs, isWithdrawn }: StoredKey, nowMs: number): boolean =>
  !isWithdrawn && (retiredMs === null || nowMs < retiredMs + LIFETIMES.retiredKeyMs)

/**
 * Makes the next key and retires the present one, which stays published for a while, unless others
 * may have it. Nodes sign with the new one as soon as they are notified. A secret that does
 * not open the present key would seal one that no node can open, so it is tried first.
 */
export async function rotateSigningKey(
  database: Database,
  secret: string,
  now: number,
): Promise<RotatedKeys> {
  return database.inTransaction((tx) => rotateSigningKeyIn(tx, secret, now))
}

type RotatedKeys = { readonly current: string; readonly retired: string }

/** The same in a transaction of the caller. */
export async function rotateSigningKeyIn(
  tx: Db,
  secret: string,
  now: number,
  isCompromised = false,
): Promise<RotatedKeys> {
  await lockSigningKeys(tx)
  const stored = await findSigningKeys(tx)
  const retired = openNewest(stored, secret)
  const next = newKey((stored[0]?.number ?? 0) + 1, secret)
  await retireSigningKeys(tx, now)
  if (isCompromised) await withdrawSigningKeys(tx, now)
  await addSigningKey(tx, next, now)
  await announceChange(tx)
  return { current: keyIdOf(next.number), retired: retired.id }
}

function newKey(number: number, secret: string) {
  const key = generateSigningKey(keyIdOf(number))
  return { number, publicKey: key.publicKeyPem, sealedPrivateKey: sealSigningKey(secret, key) }
}

function openNewest([newest]: readonly StoredKey[], secret: string): SigningKey {
  if (newest === undefined) {
    throw new Error('There is no signing key yet. Start the service once with "malipo start".')
  }
  return openSigningKey(keyIdOf(newest.number), secret, newest.sealedPrivateKey)
}
