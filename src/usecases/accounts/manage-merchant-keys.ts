import type { SignatureSettings } from '../../domain/accounts/merchant.ts'
import type { MerchantId } from '../../domain/ids.ts'
import { KeyProblem, readPublicKey } from '../../signing/public-keys.ts'
import {
  deleteMerchantKeys,
  insertMerchantKey,
  listMerchantKeys,
} from '../../store/accounts/merchant-keys.ts'
import { findMerchant, setSignatureSettings } from '../../store/accounts/merchants.ts'
import { announceChange } from '../../store/cluster/service-state.ts'
import type { Database, Db } from '../../store/engine/database.ts'

export type NewKey = { readonly keyId: string; readonly pem: string }

/** Keys, when given, replace the former ones. */
export type SignatureChange = SignatureSettings & { readonly keys?: readonly NewKey[] | undefined }

/** Throws a KeyProblem that says what is wrong; answers what the key is called. */
export async function addMerchantKey(
  database: Database,
  merchantId: MerchantId,
  key: NewKey,
  now: number,
): Promise<string> {
  return database.inTransaction((tx) => addMerchantKeyIn(tx, merchantId, key, now))
}

/** The same in a transaction of the caller. */
export async function addMerchantKeyIn(
  tx: Db,
  merchantId: MerchantId,
  key: NewKey,
  now: number,
): Promise<string> {
  const name = await storeKey(tx, merchantId, key, now)
  await announceChange(tx)
  return name
}

async function storeKey(
  tx: Db,
  merchantId: MerchantId,
  { keyId, pem }: NewKey,
  now: number,
): Promise<string> {
  // The id stands in quotes in Signature-Input, where these characters would need escaping.
  if (!/^[\x20-\x7e]{1,100}$/.test(keyId) || /["\\]/.test(keyId)) {
    throw new KeyProblem(
      `The key id ${JSON.stringify(keyId)} cannot be used. Take 1 to 100 letters, digits and ` +
        'signs of ASCII without quotation marks and backslashes, such as "shop-2026".',
    )
  }
  const { name, pem: publicKey } = readPublicKey(pem)
  if (await insertMerchantKey(tx, merchantId, { keyId, publicKey, now })) return name
  throw new KeyProblem(
    `The key id "${keyId}" is taken. Choose another for the new key, so that both are valid ` +
      'while you change over, or remove the former one first.',
  )
}

/** False when there was none of that name. */
export async function removeMerchantKey(
  database: Database,
  merchantId: MerchantId,
  keyId: string,
): Promise<{ removed: boolean; left: number }> {
  return database.inTransaction((tx) => removeMerchantKeyIn(tx, merchantId, keyId))
}

/** The same in a transaction of the caller. */
export async function removeMerchantKeyIn(
  tx: Db,
  merchantId: MerchantId,
  keyId: string,
): Promise<{ removed: boolean; left: number }> {
  const removed = await deleteMerchantKeys(tx, merchantId, keyId)
  if (removed) await announceChange(tx)
  return { removed, left: (await listMerchantKeys(tx, merchantId)).length }
}

/** Signatures would be required of a merchant who has no key: nothing could be initiated. */
export class NoKeyLeft extends KeyProblem {}

/** All of it is changed, or nothing. Nobody is locked out by it. */
export async function changeSignatures(
  database: Database,
  merchantId: MerchantId,
  change: SignatureChange,
  now: number,
): Promise<void> {
  await database.inTransaction((tx) => changeSignaturesIn(tx, merchantId, change, now))
}

/** The same in a transaction of the caller. */
export async function changeSignaturesIn(
  tx: Db,
  merchantId: MerchantId,
  change: SignatureChange,
  now: number,
): Promise<void> {
  // First, because it locks the merchant: of two changes at once the later one stands.
  await setSignatureSettings(tx, merchantId, change)
  if (change.keys !== undefined) {
    await deleteMerchantKeys(tx, merchantId)
    for (const [index, key] of change.keys.entries()) {
      await namingKey(index, key, storeKey(tx, merchantId, key, now))
    }
  }
  const isAboutKeys = change.signedRequestsOnly === true || change.keys !== undefined
  if (isAboutKeys && (await isLockedOut(tx, merchantId))) {
    throw new NoKeyLeft(
      "signatures would be required, but there is no key left that verifies one. Give one in 'keys', " +
        "or set 'signedRequestsOnly' to false",
    )
  }
  await announceChange(tx)
}

/** Of several keys the one with the problem is named. */
async function namingKey<T>(index: number, { keyId }: NewKey, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof KeyProblem)) throw error
    const id = keyId.length > 100 ? `${keyId.slice(0, 100)}…` : keyId
    throw new KeyProblem(`at index ${index}, with the id ${JSON.stringify(id)}: ${error.message}`)
  }
}

async function isLockedOut(tx: Db, merchantId: MerchantId): Promise<boolean> {
  const merchant = await findMerchant(tx, merchantId)
  return merchant?.signedRequestsOnly === true && merchant.publicKeys.size === 0
}
