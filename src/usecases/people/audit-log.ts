import {
  type AuditFilter,
  type ListedEntry,
  listAuditActions,
  listAuditEntries,
} from '../../store/people/audit.ts'
import type { PeopleContext, Person } from './context.ts'

export type LogFilter = Omit<AuditFilter, 'merchantId' | 'seer'>

/** Newest first, within the countries of the person, and where the next page begins, if there is one. */
export async function auditPage(
  ctx: PeopleContext,
  { merchant, user, countries }: Person,
  filter: LogFilter,
  size: number,
): Promise<{ readonly entries: readonly ListedEntry[]; readonly next: number | undefined }> {
  const { userId, email } = user
  const seer = countries.length === 0 ? undefined : { countries, userId, email }
  const wanted = { ...filter, merchantId: merchant.id, seer }
  const found = await listAuditEntries(ctx.db, wanted, size + 1)
  const entries = found.slice(0, size)
  return { entries, next: found.length > size ? entries.at(-1)?.number : undefined }
}

const AT_ONCE = 500

/** All of them, some at a time: the log may be longer than the memory. */
export async function* everyAuditEntry(
  ctx: PeopleContext,
  person: Person,
  filter: LogFilter,
): AsyncGenerator<ListedEntry> {
  let before = filter.before
  for (;;) {
    const { entries, next } = await auditPage(ctx, person, { ...filter, before }, AT_ONCE)
    yield* entries
    if (next === undefined) return
    before = next
  }
}

export const auditActions = (
  ctx: PeopleContext,
  { merchant }: Person,
): Promise<readonly string[]> => listAuditActions(ctx.db, merchant.id)
