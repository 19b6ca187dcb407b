import type { Db } from '../../store/engine/database.ts'
import { addAuditEntry } from '../../store/people/audit.ts'
import type { PeopleContext, Person } from './context.ts'

/** What a person changed, in the words of the audit log. */
export type Change = {
  readonly action: string
  readonly object: string
  readonly before?: object | undefined
  readonly after?: object | undefined
}

/** Writes who changed what, in the transaction of the change. */
export async function recordChange(
  ctx: PeopleContext,
  tx: Db,
  { user, merchant, origin }: Person,
  change: Change,
): Promise<void> {
  await addAuditEntry(tx, {
    ...change,
    merchantId: merchant.id,
    at: ctx.clock.realNow(),
    actor: user.email,
    address: origin.address,
  })
}

/** A change and its entry in the audit log: both or neither. */
export async function changeAs<T>(
  ctx: PeopleContext,
  person: Person,
  change: Change,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  return ctx.db.inTransaction(async (tx) => {
    const result = await work(tx)
    await recordChange(ctx, tx, person, change)
    return result
  })
}
