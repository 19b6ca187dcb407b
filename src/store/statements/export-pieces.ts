import type { Db } from '../engine/database.ts'
import { type HeldExport, IS_HELD, nameOf } from './exports.ts'

/**
 * The files of exports, in pieces. As with statements, a node that was taken for dead, and wakes up,
 * adds nothing to the file that another node writes by now.
 */

/** Removes what an earlier attempt left. False when the node does not hold the export any more. */
export async function clearPieces(db: Db, held: HeldExport): Promise<boolean> {
  const rows = await db.query(
    `with held as (
       update exports set rows = 0 where ${IS_HELD} returning merchant_id, id
     ), gone as (
       delete from export_pieces p using held h
       where p.merchant_id = h.merchant_id and p.export_id = h.id
     )
     select 1 from held`,
    nameOf(held),
  )
  return rows.length === 1
}

/** Adds a piece, and says how many rows are written by then. False when it is not the node's. */
export async function addPiece(
  db: Db,
  held: HeldExport,
  piece: { readonly number: number; readonly bytes: Buffer; readonly rows: number },
): Promise<boolean> {
  const rows = await db.query(
    `with held as (
       update exports set rows = $7 where ${IS_HELD} returning merchant_id, id
     )
     insert into export_pieces (merchant_id, export_id, piece, bytes)
     select merchant_id, id, $5, $6 from held returning 1`,
    [...nameOf(held), piece.number, piece.bytes, piece.rows],
    'add-export-piece',
  )
  return rows.length === 1
}

export async function readPiece(
  db: Db,
  { merchantId, id }: HeldExport['export'],
  piece: number,
): Promise<Buffer | undefined> {
  const rows = await db.query<{ bytes: Buffer }>(
    `select bytes from export_pieces where merchant_id = $1 and export_id = $2 and piece = $3`,
    [merchantId, id, piece],
    'read-export-piece',
  )
  return rows[0]?.bytes
}

const REMOVED_AT_ONCE = 50

/** Removes some pieces of the oldest file that ended before a moment; the export stays listed. */
export async function removeOldExportPieces(db: Db, endedBefore: number): Promise<void> {
  await db.query(
    `with old as (
       select merchant_id, id from exports
       where has_file and ended_at < to_timestamp($1::float8 / 1000)
       order by ended_at limit 1 for update skip locked
     ), pieces as (
       select p.merchant_id, p.export_id, p.piece from old
       join export_pieces p on p.merchant_id = old.merchant_id and p.export_id = old.id
       limit ${REMOVED_AT_ONCE}
     ), gone as (
       delete from export_pieces p using pieces x
       where p.merchant_id = x.merchant_id and p.export_id = x.export_id and p.piece = x.piece
     )
     update exports e set has_file = false from old
     where e.merchant_id = old.merchant_id and e.id = old.id
       and (select count(*) from pieces) < ${REMOVED_AT_ONCE}`,
    [endedBefore],
    'remove-old-export-pieces',
  )
}
