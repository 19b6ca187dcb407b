import type { Db } from '../engine/database.ts'
import { type FileName, type FileTable, type HeldFile, IS_HELD, nameOf } from './held-files.ts'

/**
 * The bytes of files, in pieces. A node that writes one locks the row of the file and asks whether it
 * is still his: a node that was taken for dead, and wakes up, adds nothing to the file that another
 * node writes by now.
 */
const PIECES: Readonly<Record<FileTable, { readonly table: string; readonly id: string }>> = {
  statements: { table: 'statement_pieces', id: 'statement_id' },
  exports: { table: 'export_pieces', id: 'export_id' },
}

/** Exports say along how many rows are written by then, for those who watch. */
const HELD: Readonly<Record<FileTable, (rows: string) => string>> = {
  statements: () => `select merchant_id, id from statements where ${IS_HELD} for share`,
  exports: (rows) => `update exports set rows = ${rows} where ${IS_HELD} returning merchant_id, id`,
}

/** Removes what an earlier attempt left. False when the node does not hold the file any more. */
export async function clearPieces(db: Db, held: HeldFile): Promise<boolean> {
  const { table, id } = PIECES[held.table]
  const rows = await db.query(
    `with held as (${HELD[held.table]('0')}), gone as (
       delete from ${table} p using held h where p.merchant_id = h.merchant_id and p.${id} = h.id
     )
     select 1 from held`,
    nameOf(held),
  )
  return rows.length === 1
}

type Piece = { readonly number: number; readonly bytes: Buffer; readonly rows: number }

/** False, and nothing is stored, when the node does not hold the file any more. */
export async function addPiece(
  db: Db,
  held: HeldFile,
  { number, bytes, rows }: Piece,
): Promise<boolean> {
  const { table, id } = PIECES[held.table]
  const added = await db.query(
    `with held as (${HELD[held.table]('$7')})
     insert into ${table} (merchant_id, ${id}, piece, bytes)
     select merchant_id, id, $5, $6 from held returning 1`,
    [...nameOf(held), number, bytes, ...(held.table === 'exports' ? [rows] : [])],
    `add-piece-of-${held.table}`,
  )
  return added.length === 1
}

export async function readPiece(
  db: Db,
  from: FileTable,
  { merchantId, id: fileId }: FileName,
  piece: number,
): Promise<Buffer | undefined> {
  const { table, id } = PIECES[from]
  const rows = await db.query<{ bytes: Buffer }>(
    `select bytes from ${table} where merchant_id = $1 and ${id} = $2 and piece = $3`,
    [merchantId, fileId, piece],
    `read-piece-of-${from}`,
  )
  return rows[0]?.bytes
}

const REMOVED_AT_ONCE = 50

export const FILE_IS_OLD = (endedBefore: string): string =>
  `has_file and ended_at < to_timestamp(${endedBefore}::float8 / 1000)`

/** Removes some pieces of the oldest file that ended before a moment; its row stays. */
export async function removeOldPieces(db: Db, from: FileTable, endedBefore: number): Promise<void> {
  const { table, id } = PIECES[from]
  await db.query(
    `with old as (
       select merchant_id, id from ${from}
       where ${FILE_IS_OLD('$1')}
       order by ended_at limit 1 for update skip locked
     ), pieces as (
       select p.merchant_id, p.${id}, p.piece from old
       join ${table} p on p.merchant_id = old.merchant_id and p.${id} = old.id
       limit ${REMOVED_AT_ONCE}
     ), gone as (
       delete from ${table} p using pieces x
       where p.merchant_id = x.merchant_id and p.${id} = x.${id} and p.piece = x.piece
     )
     update ${from} f set has_file = false from old
     where f.merchant_id = old.merchant_id and f.id = old.id
       and (select count(*) from pieces) < ${REMOVED_AT_ONCE}`,
    [endedBefore],
    `remove-old-pieces-of-${from}`,
  )
}
