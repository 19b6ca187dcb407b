import { seal, unseal } from '../../signing/keys.ts'
import { resealAll } from '../../store/accounts/sealed.ts'
import type { Database } from '../../store/engine/database.ts'

/**
 * Seals all that is stored secretly under another key. A present key that does not fit changes
 * nothing, since the first thing it cannot open ends the transaction.
 */
export async function changeSecret(
  database: Database,
  keys: { readonly from: string; readonly to: string },
): Promise<number> {
  return database.inTransaction((tx) =>
    resealAll(tx, (sealed) => seal(keys.to, unseal(keys.from, sealed))),
  )
}
