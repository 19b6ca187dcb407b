import type { Environment } from '../../domain/accounts/token.ts'
import { returnSchemeProblem } from '../../domain/hosted/return-url.ts'
import type { MerchantId } from '../../domain/ids.ts'
import { setReturnSchemes } from '../../store/accounts/merchants.ts'
import { announceChange } from '../../store/cluster/service-state.ts'
import type { Database, Db } from '../../store/engine/database.ts'

/** Saves all of them in place of the former ones, or none and answers why. */
export async function saveReturnSchemes(
  database: Database,
  environment: Environment,
  merchantId: MerchantId,
  schemes: readonly string[],
  /** Writes something more in the same transaction. */
  record?: (tx: Db) => Promise<void>,
): Promise<string | undefined> {
  for (const scheme of schemes) {
    const problem = returnSchemeProblem(scheme, environment)
    if (problem !== undefined) return `${JSON.stringify(scheme)} cannot be used: ${problem}`
  }
  await database.inTransaction(async (tx) => {
    await setReturnSchemes(tx, merchantId, [...new Set(schemes)])
    await announceChange(tx)
    await record?.(tx)
  })
  return undefined
}
