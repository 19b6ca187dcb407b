import { invariant } from '../../domain/invariant.ts'
import type { Db } from '../../store/engine/database.ts'
import { readPiece } from '../../store/statements/file-pieces.ts'
import type { FileName, FileTable } from '../../store/statements/held-files.ts'

/** LOST: another node has it, or it is gone. STOPPED: it was asked to stop and nothing is ended. */
export type Writing = 'ENDED' | 'LOST' | 'STOPPED'

/** A file that brought down everyone who began with it must not go round for ever. */
export const ATTEMPTS_MAX = 5
const PIECE_BYTES = 256 * 1024

/** The node does not hold the file any more. */
export class Lost extends Error {}

/**
 * Stores what comes in pieces, on other connections than the one that reads. `addPiece` answers
 * false when the file is not ours any more.
 */
export function storeInPieces(addPiece: (piece: number, bytes: Buffer) => Promise<boolean>) {
  let piece = 0
  let size = 0
  const add = async (parts: readonly Buffer[]): Promise<void> => {
    const bytes = Buffer.concat(parts)
    if (!(await addPiece(piece, bytes))) throw new Lost()
    piece += 1
    size += bytes.length
  }
  return {
    size: () => size,
    store: async (source: AsyncIterable<Buffer>): Promise<void> => {
      let parts: Buffer[] = []
      let gathered = 0
      for await (const part of source) {
        parts.push(part)
        gathered += part.length
        if (gathered < PIECE_BYTES) continue
        await add(parts)
        parts = []
        gathered = 0
      }
      if (gathered > 0) await add(parts)
    },
  }
}

/** One piece at a time, each read when the one before it is on its way. */
export async function* storedPieces(
  db: Db,
  from: FileTable,
  file: FileName,
  size: number,
): AsyncGenerator<Buffer> {
  let sent = 0
  for (let piece = 0; sent < size; piece += 1) {
    const bytes = await readPiece(db, from, file, piece)
    invariant(bytes !== undefined, `piece ${piece} of ${file.id} (${from}) is missing`)
    sent += bytes.length
    yield bytes
  }
}
