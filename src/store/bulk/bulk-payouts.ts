import {
  type BulkPayout,
  type BulkState,
  type BulkTotal,
  OPEN_BULK_STATES,
} from '../../domain/bulk/bulk-payout.ts'
import type { MerchantId } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'
import { sqlList } from '../engine/sql-list.ts'

/** Bulk payouts as rows; what they consist of is in `rows.ts`, how they are sent in `sending.ts`. */
const person = (alias: string): string =>
  `jsonb_build_object('userId', ${alias}.user_id, 'email', ${alias}.email, 'name', ${alias}.name)`

const ms = (column: string): string => `(extract(epoch from b.${column}) * 1000)::float8`

const SELECT = `
  select b.merchant_id as "merchantId", b.id, b.name, b.state, b.version,
    ${ms('created_at')} as "createdAt", ${person('c')} as "createdBy",
    ${ms('submitted_at')} as "submittedAt", ${ms('decided_at')} as "decidedAt",
    case when d.user_id is not null then ${person('d')} end as "decidedBy", b.reason,
    ${ms('ended_at')} as "endedAt", b.row_count as "rowCount", b.totals, b.countries
  from bulk_payouts b
  join users c on c.user_id = b.created_by
  left join users d on d.user_id = b.decided_by`

/** Who looks: one's own, and what lies within one's countries. None: all countries. */
type Seer = { readonly userId: number; readonly countries: readonly string[] }

const SEEN = `($2::text[] = '{}' or b.countries <@ $2::text[] or b.created_by = $3)`

type NewBulk = {
  readonly merchantId: MerchantId
  readonly id: string
  readonly name: string
  readonly fileHash: Buffer
  readonly userId: number
  readonly now: number
}

/** False where there is one with this identifier. */
export async function insertBulk(tx: Db, bulk: NewBulk): Promise<boolean> {
  const { merchantId, id, name, fileHash, userId, now } = bulk
  const rows = await tx.query(
    `insert into bulk_payouts
       (merchant_id, id, name, file_hash, created_at, created_by, row_count, totals, countries)
     values ($1, $2, $3, $4, to_timestamp($5::float8 / 1000), $6, 0, '[]', '{}')
     on conflict (merchant_id, id) do nothing returning 1`,
    [merchantId, id, name, fileHash, now, userId],
  )
  return rows.length > 0
}

/** Whether a bulk payout came from this form: the same person and the same file. */
export async function isSameUpload(tx: Db, bulk: Omit<NewBulk, 'name' | 'now'>): Promise<boolean> {
  const { merchantId, id, fileHash, userId } = bulk
  const rows = await tx.query(
    `select from bulk_payouts
     where merchant_id = $1 and id = $2 and file_hash = $3 and created_by = $4`,
    [merchantId, id, fileHash, userId],
  )
  return rows.length > 0
}

export async function findBulk(
  db: Db,
  merchantId: MerchantId,
  seer: Seer,
  id: string,
): Promise<BulkPayout | undefined> {
  const [bulk] = await db.query<BulkPayout>(
    `${SELECT} where b.merchant_id = $1 and ${SEEN} and b.id = $4`,
    [merchantId, seer.countries, seer.userId, id],
  )
  return bulk
}

/** Until the transaction ends, nobody else changes it. */
export async function lockBulk(tx: Db, merchantId: MerchantId, id: string): Promise<void> {
  await tx.query('select from bulk_payouts where merchant_id = $1 and id = $2 for update', [
    merchantId,
    id,
  ])
}

/** Approvals of one merchant take turns: each counts what the others have promised. */
export async function lockOpenBulks(tx: Db, merchantId: MerchantId): Promise<void> {
  await tx.query(
    `select from bulk_payouts
     where merchant_id = $1 and state in (${sqlList(OPEN_BULK_STATES)})
     order by id for update`,
    [merchantId],
  )
}

export type BulkFilter = {
  readonly state?: BulkState | undefined
  readonly creator?: string | undefined
  /** Those before this one. */
  readonly after?: string | undefined
}

/** Newest first. */
export async function listBulks(
  db: Db,
  merchantId: MerchantId,
  seer: Seer,
  { state, creator, after }: BulkFilter,
  limit: number,
): Promise<readonly BulkPayout[]> {
  return db.query<BulkPayout>(
    `${SELECT} where b.merchant_id = $1 and ${SEEN} and ($4::text is null or b.state = $4)
       and ($5::text is null or c.email = $5) and ($6::uuid is null or b.id < $6)
     order by b.id desc limit $7`,
    [merchantId, seer.countries, seer.userId, state ?? null, creator ?? null, after ?? null, limit],
  )
}

/** Who made any, for the filter. */
export async function listCreators(db: Db, merchantId: MerchantId): Promise<readonly string[]> {
  const rows = await db.query<{ email: string }>(
    `select distinct u.email from bulk_payouts b join users u on u.user_id = b.created_by
     where b.merchant_id = $1 order by 1 limit 200`,
    [merchantId],
  )
  return rows.map(({ email }) => email)
}

/** Others that came from the same file, newest first. */
export async function listOfSameFile(
  db: Db,
  merchantId: MerchantId,
  seer: Seer,
  id: string,
): Promise<readonly BulkPayout[]> {
  return db.query<BulkPayout>(
    `${SELECT} where b.merchant_id = $1 and ${SEEN} and b.id <> $4 and b.file_hash =
       (select file_hash from bulk_payouts where merchant_id = $1 and id = $4)
     order by b.id desc limit 5`,
    [merchantId, seer.countries, seer.userId, id],
  )
}

type BulkMove = {
  readonly state: BulkState
  readonly now: number
  readonly decidedBy?: number
  readonly reason?: string
}

/** The row must be locked, and its state known to allow it. */
export async function moveBulk(
  tx: Db,
  merchantId: MerchantId,
  id: string,
  { state, now, decidedBy, reason }: BulkMove,
): Promise<void> {
  await tx.query(
    `update bulk_payouts set state = $3, version = version + 1,
       submitted_at = case when $3 = 'NEEDS_APPROVAL' then to_timestamp($4::float8 / 1000)
         else submitted_at end,
       decided_at = case when $5::int is null then decided_at
         else to_timestamp($4::float8 / 1000) end,
       decided_by = coalesce($5, decided_by),
       reason = case when $3 = 'APPROVED' then null else coalesce($6, reason) end,
       due_at = case when $3 = 'APPROVED' then to_timestamp($4::float8 / 1000) end
     where merchant_id = $1 and id = $2`,
    [merchantId, id, state, now, decidedBy ?? null, reason ?? null],
  )
}

/** Only while it is a draft: nothing of it was ever sent. */
export async function deleteBulk(tx: Db, merchantId: MerchantId, id: string): Promise<void> {
  await tx.query(
    `delete from bulk_payouts where merchant_id = $1 and id = $2 and state = 'DRAFT'`,
    [merchantId, id],
  )
}

/** After a change of its rows. */
export async function keepSummary(
  tx: Db,
  merchantId: MerchantId,
  id: string,
  totals: readonly BulkTotal[],
): Promise<void> {
  await tx.query(
    `update bulk_payouts b set version = b.version + 1, totals = $3, row_count = r.count,
       countries = r.countries
     from (select count(*)::int as count,
             coalesce(array_agg(distinct country) filter (where country is not null), '{}')
               as countries
           from bulk_payout_rows where merchant_id = $1 and bulk_id = $2) r
     where b.merchant_id = $1 and b.id = $2`,
    [merchantId, id, JSON.stringify(totals)],
  )
}
