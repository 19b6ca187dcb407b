import { seal, unseal } from '../../signing/keys.ts'
import { resealAll } from '../../store/accounts/sealed.ts'
import type { Db } from '../../store/engine/database.ts'

/**
 * Seals all that is stored secretly under another key. A present key that does not fit changes
 * nothing, since the first thing it cannot open ends the transaction.
 */
export async function changeSecret(
  tx: Db,
  keys: { readonly from: string; readonly to: string },
): Promise<number> {
  return resealAll(tx, (sealed) => seal(keys.to, unseal(keys.from, sealed)))
}
