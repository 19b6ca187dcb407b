import { type Archived, archivedRefusal, isArchived } from '../../domain/archive/years.ts'
import type { Failure } from '../../domain/failure.ts'
import type { MerchantId } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'

/**
 * What of a merchant is in files alone. A year counts from the moment when the removal of its rows
 * began: from then on some are missing. Years go in order, so one moment says it all.
 */
export async function findArchived(db: Db, merchantId: MerchantId): Promise<Archived | undefined> {
  const [row] = await db.query<{ until: number | null }>(
    `select (extract(epoch from make_timestamptz(max(year) + 1, 1, 1, 0, 0, 0, 'UTC')) * 1000)::float8
       as until
     from archived_years where merchant_id = $1`,
    [merchantId],
    'find-archived',
  )
  return row?.until == null ? undefined : { until: Math.round(row.until) }
}

/** Rows that are asked for were archived: what is left of them would be a wrong answer. */
export class ArchivedPeriod extends Error {
  readonly failure: Failure
  constructor(archived: Archived, startAt: number) {
    const failure = archivedRefusal(archived, startAt)
    super(failure.message)
    this.name = 'ArchivedPeriod'
    this.failure = failure
  }
}

/** Throws `ArchivedPeriod` where rows at or after this moment may be missing. */
export async function requireRows(db: Db, merchantId: MerchantId, startAt: number): Promise<void> {
  const archived = await findArchived(db, merchantId)
  if (archived !== undefined && isArchived(archived, startAt)) {
    throw new ArchivedPeriod(archived, startAt)
  }
}

/** Names this database among others. */
export async function findDatabaseId(db: Db): Promise<string> {
  const [row] = await db.query<{ id: string }>('select database_id as id from service_state')
  return row?.id ?? ''
}

type ArchivedYear = {
  readonly manifestHash: string
  readonly removedBefore: number
  readonly isEnded: boolean
  readonly transfers: number
  readonly events: number
  readonly callbacks: number
  readonly attempts: number
  readonly exchanges: number
}

export async function findYear(
  db: Db,
  merchantId: MerchantId,
  year: number,
): Promise<ArchivedYear | undefined> {
  const [row] = await db.query<ArchivedYear>(
    `select encode(manifest_hash, 'hex') as "manifestHash",
       (extract(epoch from removed_before) * 1000)::float8 as "removedBefore",
       ended_at is not null as "isEnded", transfers::float8 as transfers, events::float8 as events,
       callbacks::float8 as callbacks, attempts::float8 as attempts, exchanges::float8 as exchanges
     from archived_years where merchant_id = $1 and year = $2`,
    [merchantId, year],
  )
  return row
}
