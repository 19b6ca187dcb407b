import type { MerchantId } from '../../domain/ids.ts'
import type { Db } from '../../store/engine/database.ts'
import { type AuditEntry, addAuditEntry } from '../../store/people/audit.ts'
import { listMemberships, type User } from '../../store/people/users.ts'
import type { PeopleContext, Person } from './context.ts'

/** What a person changed, in the words of the audit log. */
export type Change = {
  readonly action: string
  readonly object: string
  readonly before?: object | undefined
  readonly after?: object | undefined
}

export const entryOf = (
  ctx: PeopleContext,
  { user, merchant, origin }: Person,
  change: Change,
): AuditEntry => ({
  ...change,
  merchantId: merchant.id,
  at: ctx.clock.realNow(),
  actor: user.email,
  address: origin.address,
})

/** Writes who changed what, in the transaction of the change. */
export async function recordChange(
  ctx: PeopleContext,
  tx: Db,
  person: Person,
  change: Change,
): Promise<void> {
  await addAuditEntry(tx, entryOf(ctx, person, change))
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

/**
 * What concerns a person and no single merchant stands in the log of every merchant to which they
 * belong, or of the one that their session is for.
 */
export async function recordAbout(
  tx: Db,
  user: User,
  entry: Omit<Change, 'object'> & {
    readonly at: number
    readonly actor: string
    readonly address: string
  },
  onlyMerchantId: MerchantId | null = null,
): Promise<void> {
  for (const { merchantId } of await listMemberships(tx, user.userId)) {
    if (onlyMerchantId !== null && merchantId !== onlyMerchantId) continue
    await addAuditEntry(tx, { ...entry, object: user.email, merchantId })
  }
}
