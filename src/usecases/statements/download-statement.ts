import type { PaymentId } from '../../domain/ids.ts'
import type { Statement } from '../../domain/statements/statement.ts'
import { findStatement } from '../../store/statements/statements.ts'
import type { StatementContext } from './context.ts'
import { storedPieces } from './stored-file.ts'

type Download =
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
  const pieces = storedPieces(ctx.db, 'statements', statement, size)
  return { result: 'FOUND', statement, size, pieces }
}
