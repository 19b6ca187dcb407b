import { type Archived, archivedRefusal, isArchived } from '../../domain/archive/years.ts'
import { keyTime } from '../../domain/callbacks/replay.ts'
import type { Failure } from '../../domain/failure.ts'
import type { MerchantId } from '../../domain/ids.ts'
import { findArchived } from '../../store/archive/years.ts'
import type { Db } from '../../store/engine/database.ts'

type Place = { readonly db: Db }

/** What of a merchant is in files alone, if anything. */
export const archivedOf = ({ db }: Place, merchantId: MerchantId): Promise<Archived | undefined> =>
  findArchived(db, merchantId)

/** Why movements from this moment on cannot be listed, or nothing. */
export async function archivedPeriod(
  { db }: Place,
  merchantId: MerchantId,
  startAt: number,
): Promise<Failure | undefined> {
  const archived = await findArchived(db, merchantId)
  return archived !== undefined && isArchived(archived, startAt)
    ? archivedRefusal(archived, startAt)
    : undefined
}

/** The year in whose files the callbacks and events of a key are, where they were archived. */
export async function archivedYearOf(
  db: Db,
  { merchantId, key }: { readonly merchantId: MerchantId; readonly key: string },
): Promise<number | undefined> {
  const archived = await findArchived(db, merchantId)
  const at = keyTime(key)
  return isArchived(archived, at) ? new Date(at).getUTCFullYear() : undefined
}
