import type { MerchantId } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'

/** Filters of lists that people keep under a name, for themselves or for all of their merchant. */
export type SavedView = {
  readonly userId: number
  readonly name: string
  /** What stands in the address. */
  readonly query: string
  readonly isShared: boolean
  readonly isDefault: boolean
}

export type ViewOwner = {
  readonly merchantId: MerchantId
  readonly userId: number
  readonly place: string
}

/** A person's own, and those that others share. */
export async function listViews(
  db: Db,
  { merchantId, userId, place }: ViewOwner,
): Promise<readonly SavedView[]> {
  return db.query<SavedView>(
    `select user_id as "userId", name, query, is_shared as "isShared",
            is_default and user_id = $2 as "isDefault"
     from saved_views where merchant_id = $1 and place = $3 and (user_id = $2 or is_shared)
     order by name`,
    [merchantId, userId, place],
  )
}

/** One of a name; at most one is shown first. */
export async function saveView(
  tx: Db,
  { merchantId, userId, place }: ViewOwner,
  { name, query, isShared, isDefault }: Omit<SavedView, 'userId'>,
): Promise<void> {
  if (isDefault) {
    await tx.query(
      `update saved_views set is_default = false
       where merchant_id = $1 and user_id = $2 and place = $3`,
      [merchantId, userId, place],
    )
  }
  await tx.query(
    `insert into saved_views (merchant_id, user_id, place, name, query, is_shared, is_default)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (merchant_id, user_id, place, name) do update
     set query = excluded.query, is_shared = excluded.is_shared, is_default = excluded.is_default`,
    [merchantId, userId, place, name, query, isShared, isDefault],
  )
}

export async function deleteView(
  tx: Db,
  { merchantId, userId, place }: ViewOwner,
  name: string,
): Promise<void> {
  await tx.query(
    `delete from saved_views
     where merchant_id = $1 and user_id = $2 and place = $3 and name = $4`,
    [merchantId, userId, place, name],
  )
}
