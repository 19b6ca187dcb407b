import {
  type AuditFilter,
  type ListedEntry,
  listAuditActions,
  listAuditEntries,
} from '../../store/people/audit.ts'
import type { PeopleContext, Person } from './context.ts'

export type LogFilter = Omit<AuditFilter, 'merchantId'>

/** Newest first, and the place where the next page begins, if there is one. */
export async function auditPage(
  ctx: PeopleContext,
  { merchant }: Person,
  filter: LogFilter,
  size: number,
): Promise<{ readonly entries: readonly ListedEntry[]; readonly next: number | undefined }> {
  const found = await listAuditEntries(ctx.db, { ...filter, merchantId: merchant.id }, size + 1)
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
