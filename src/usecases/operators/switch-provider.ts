import { AccountProblem } from '../../domain/operators/account-file.ts'
import type { Availability, OperationType } from '../../domain/provider.ts'
import { announceChange } from '../../store/cluster/service-state.ts'
import {
  enterHealth,
  releaseLine,
  removePersonsHealth,
  setHealth,
} from '../../store/operators/health.ts'
import type { ManageParts } from './manage-accounts.ts'

/** A person decides for all merchants; `auto` leaves it to the accounts again. */
export async function switchProvider(
  { database, catalog, now }: ManageParts,
  wanted: {
    readonly provider: string
    readonly operation: OperationType
    readonly status: Availability | 'auto'
    readonly reason: string
  },
): Promise<void> {
  const { provider, operation, status, reason } = wanted
  if (catalog.find(provider) === undefined) {
    throw new AccountProblem(`"${provider}" is not in the catalogue.`)
  }
  await database.inTransaction(async (tx) => {
    await enterHealth(tx)
    const line = { provider, operation, reason }
    if (status === 'auto') await removePersonsHealth(tx, line, now)
    else await setHealth(tx, { ...line, decidedBy: 'PERSON', status }, now)
    // Those for whom it is still closed go back into the line.
    if (status === 'auto' || status === 'OPERATIONAL') await releaseLine(tx, line)
    await announceChange(tx)
  })
}
