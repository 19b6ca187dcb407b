import type { MerchantId, PaymentId } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'
import type { HeldStatement } from './statements.ts'

/**
 * The files of statements, in pieces. A node that writes one locks the row of the statement and asks
 * whether it is still his: a node that was taken for dead, and wakes up, adds nothing to the file
 * that another node writes by now.
 */
const HELD = `
  select merchant_id, id from statements
  where merchant_id = $1 and id = $2 and holder = $3 and attempts = $4 and state = 'PROCESSING'
  for share`

/** Removes what an earlier attempt left. False when the node does not hold the statement any more. */
export async function clearPieces(db: Db, held: HeldStatement): Promise<boolean> {
  const rows = await db.query(
    `with held as (${HELD}), gone as (
       delete from statement_pieces p using held h
       where p.merchant_id = h.merchant_id and p.statement_id = h.id
     )
     select 1 from held`,
    nameOf(held),
  )
  return rows.length === 1
}

/** False, and nothing is stored, when the node does not hold the statement any more. */
export async function addPiece(
  db: Db,
  held: HeldStatement,
  piece: number,
  bytes: Buffer,
): Promise<boolean> {
  const rows = await db.query(
    `with held as (${HELD})
     insert into statement_pieces (merchant_id, statement_id, piece, bytes)
     select merchant_id, id, $5, $6 from held returning 1`,
    [...nameOf(held), piece, bytes],
    'add-piece',
  )
  return rows.length === 1
}

const nameOf = ({ statement, holder, attempts }: HeldStatement): unknown[] => [
  statement.merchantId,
  statement.id,
  holder,
  attempts,
]

export async function readPiece(
  db: Db,
  merchantId: MerchantId,
  id: PaymentId,
  piece: number,
): Promise<Buffer | undefined> {
  const rows = await db.query<{ bytes: Buffer }>(
    `select bytes from statement_pieces
     where merchant_id = $1 and statement_id = $2 and piece = $3`,
    [merchantId, id, piece],
    'read-piece',
  )
  return rows[0]?.bytes
}

const REMOVED_AT_ONCE = 50

/** Removes some pieces of the oldest file that ended before a moment; the statement itself stays. */
export async function removeOldPieces(db: Db, endedBefore: number): Promise<void> {
  await db.query(
    `with old as (
       select merchant_id, id from statements
       where has_file and ended_at < to_timestamp($1::float8 / 1000)
       order by ended_at limit 1 for update skip locked
     ), pieces as (
       select p.merchant_id, p.statement_id, p.piece from old
       join statement_pieces p on p.merchant_id = old.merchant_id and p.statement_id = old.id
       limit ${REMOVED_AT_ONCE}
     ), gone as (
       delete from statement_pieces p using pieces x
       where p.merchant_id = x.merchant_id and p.statement_id = x.statement_id
         and p.piece = x.piece
     )
     update statements s set has_file = false from old
     where s.merchant_id = old.merchant_id and s.id = old.id
       and (select count(*) from pieces) < ${REMOVED_AT_ONCE}`,
    [endedBefore],
    'remove-old-pieces',
  )
}
