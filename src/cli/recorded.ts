import type { Database, Db } from '../store/engine/database.ts'
import { type AuditEntry, addAuditEntry } from '../store/people/audit.ts'
import { COMMAND_LINE } from '../usecases/people/manage-users.ts'

/** What concerns the whole service stands in the log of those who run it. */
export const WHOLE_SERVICE = 0

/** What a command changed, for the audit log. */
type CommandChange = Omit<AuditEntry, 'at' | 'actor' | 'address'>

/** Belongs into the transaction of the change. */
export const recordCommand = (tx: Db, change: CommandChange): Promise<void> => {
  const { email: actor, address } = COMMAND_LINE
  return addAuditEntry(tx, { ...change, at: Date.now(), actor, address })
}

/** A change and its entry in the audit log: both or neither. */
export const changeByCommand = <T>(
  database: Database,
  change: CommandChange,
  work: (tx: Db) => Promise<T>,
): Promise<T> =>
  database.inTransaction(async (tx) => {
    const result = await work(tx)
    await recordCommand(tx, change)
    return result
  })
