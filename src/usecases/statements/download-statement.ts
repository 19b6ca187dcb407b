import type { PaymentId } from '../../domain/ids.ts'
import { invariant } from '../../domain/invariant.ts'
import type { Statement } from '../../domain/statements/statement.ts'
import { readPiece } from '../../store/statements/statement-pieces.ts'
import { findStatement } from '../../store/statements/statements.ts'
import type { StatementContext } from './context.ts'

export type Download =
  | { readonly result: 'NOT_FOUND' }
  | { readonly result: 'EXPIRED' }
  | {
      readonly result: 'FOUND'
      readonly statement: Statement
      readonly size: number
      readonly pieces: AsyncIterable<Buffer>
    }

/** What a link leads to. A link that is not ours is refused before anything is looked up. */
export async function downloadStatement(
  ctx: StatementContext,
  id: PaymentId,
  token: string,
): Promise<Download> {
  const facts = ctx.statementLinks.read(id, token)
  if (facts === undefined) return { result: 'NOT_FOUND' }
  if (ctx.clock.now() >= facts.expiresAt) return { result: 'EXPIRED' }
  const statement = await findStatement(ctx.db, facts.merchantId, id)
  const size = statement?.fileSize
  if (statement === undefined || size === undefined) return { result: 'NOT_FOUND' }
  return { result: 'FOUND', statement, size, pieces: piecesOf(ctx, statement, size) }
}

/** One piece at a time, each read when the one before it is on its way. */
async function* piecesOf(
  ctx: StatementContext,
  { merchantId, id }: Statement,
  size: number,
): AsyncGenerator<Buffer> {
  let sent = 0
  for (let piece = 0; sent < size; piece += 1) {
    const bytes = await readPiece(ctx.db, merchantId, id, piece)
    invariant(bytes !== undefined, `piece ${piece} of the statement ${id} is missing`)
    sent += bytes.length
    yield bytes
  }
}
