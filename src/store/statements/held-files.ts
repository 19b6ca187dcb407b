import { type MerchantId, type NodeId, UNHELD } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'

/**
 * Files that nodes write in the background: statements for programs, exports for people. Each has a
 * row that says who works on it, and its bytes in pieces. Both tables have the same columns for that.
 */
export type FileTable = 'statements' | 'exports'

export type FileName = { readonly merchantId: MerchantId; readonly id: string }

/** A file that one node works on. Holder and attempt are the fence of all it writes. */
export type HeldFile = FileName & {
  readonly table: FileTable
  readonly holder: NodeId
  /** How often a node began with it, this time included. */
  readonly attempts: number
}

/** True while the node holds it: what comes after `$4` is the caller's. */
export const IS_HELD = `merchant_id = $1 and id = $2 and holder = $3 and attempts = $4
  and state = 'PROCESSING'`

export const nameOf = ({ merchantId, id, holder, attempts }: HeldFile): readonly unknown[] => [
  merchantId,
  id,
  holder,
  attempts,
]

type Claimed<Row> = { readonly row: Row; readonly held: HeldFile }

/** Takes the file that has waited longest; two nodes never get the same one. `columns` of `f`. */
export async function claimFile<
  Row extends { readonly merchant_id: MerchantId; readonly id: string },
>(
  db: Db,
  table: FileTable,
  columns: string,
  { node, now }: { readonly node: NodeId; readonly now: number },
): Promise<Claimed<Row> | undefined> {
  const [row] = await db.query<Row & { attempts: number }>(
    `with due as (
       select merchant_id, id from ${table}
       where holder = ${UNHELD} and due_at <= to_timestamp($2::float8 / 1000)
       order by due_at limit 1 for update skip locked
     )
     update ${table} f set holder = $1, attempts = f.attempts + 1 from due
     where f.merchant_id = due.merchant_id and f.id = due.id
     returning ${columns}, f.attempts`,
    [node, now],
    `claim-${table}`,
  )
  if (row === undefined) return undefined
  const { merchant_id: merchantId, id, attempts } = row
  return { row, held: { table, merchantId, id, holder: node, attempts } }
}

/** Gives it back. One that was only interrupted has not used up an attempt. */
export async function releaseFile(
  db: Db,
  held: HeldFile,
  dueAt: number,
  counts: boolean,
): Promise<void> {
  await db.query(
    `update ${held.table} set holder = ${UNHELD}, due_at = to_timestamp($5::float8 / 1000),
       attempts = attempts - case when $6::boolean then 0 else 1 end
     where ${IS_HELD}`,
    [...nameOf(held), dueAt, counts],
  )
}
