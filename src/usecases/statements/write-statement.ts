import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { type Amount, formatBalance } from '../../domain/amount.ts'
import type { Failure } from '../../domain/failure.ts'
import { invariant } from '../../domain/invariant.ts'
import { walletName } from '../../domain/payments/ledger.ts'
import { LINK_LIVES_MS } from '../../domain/statements/statement.ts'
import { movementLine, netOf, statementHeader } from '../../domain/statements/statement-file.ts'
import { ArchivedPeriod } from '../../store/archive/years.ts'
import type { Db } from '../../store/engine/database.ts'
import {
  balanceAt,
  beginReading,
  readMovements,
  type WalletPeriod,
} from '../../store/payments/movements.ts'
import { addPiece, clearPieces } from '../../store/statements/file-pieces.ts'
import {
  endStatement,
  type HeldStatement,
  type StatementEnd,
} from '../../store/statements/statements.ts'
import type { StatementContext } from './context.ts'
import { ATTEMPTS_MAX, Lost, storeInPieces, type Writing } from './stored-file.ts'

const NOT_WRITTEN: Failure = {
  code: 'UNKNOWN_ERROR',
  message: 'The file could not be written. Ask for the statement again.',
}

/**
 * Writes the file of a statement from the ledger as it is at one moment, and ends the statement.
 * Movements flow from a cursor through the compressor into pieces; each waits for the next, so the
 * room that is needed does not depend on how many there are.
 */
export async function writeStatement(
  ctx: StatementContext,
  held: HeldStatement,
  signal: AbortSignal,
): Promise<Writing> {
  if (!(await clearPieces(ctx.db, held))) return 'LOST'
  if (held.attempts > ATTEMPTS_MAX) return end(ctx, held, { state: 'FAILED', failure: NOT_WRITTEN })
  try {
    const written = await ctx.db.inTransaction((tx) => writeFile(ctx, tx, held, signal))
    const { merchantId, id } = held.statement
    const now = ctx.clock.now()
    const downloadUrl = ctx.statementLinks.urlOf(merchantId, id, now + LINK_LIVES_MS)
    return await end(ctx, held, { state: 'COMPLETED', ...written, downloadUrl }, now)
  } catch (error) {
    if (error instanceof Lost) return 'LOST'
    if (signal.aborted) return 'STOPPED'
    // The year was archived after the statement was asked for.
    if (error instanceof ArchivedPeriod) {
      return end(ctx, held, { state: 'FAILED', failure: error.failure })
    }
    throw error
  }
}

async function end(
  ctx: StatementContext,
  held: HeldStatement,
  how: StatementEnd,
  now = ctx.clock.now(),
): Promise<Writing> {
  return (await endStatement(ctx.db, held, how, now)) ? 'ENDED' : 'LOST'
}

type Written = {
  readonly openingBalance: string
  readonly closingBalance: string
  readonly fileSize: number
}

async function writeFile(
  ctx: StatementContext,
  tx: Db,
  held: HeldStatement,
  signal: AbortSignal,
): Promise<Written> {
  const { wallet, startAt, endAt, merchantId, compressed } = held.statement
  const account = walletName(wallet.country, wallet.currency, wallet.provider)
  const period: WalletPeriod = { merchantId, wallet: account, startAt, endAt }
  await beginReading(tx, period)
  const opening = await balanceAt(tx, period, startAt)
  const closing = await balanceAt(tx, period, endAt)

  let balance = opening
  async function* lines(): AsyncGenerator<Buffer> {
    yield Buffer.from(statementHeader())
    for await (const movements of readMovements(tx, period)) {
      let text = ''
      for (const movement of movements) {
        balance = (balance + netOf(movement)) as Amount
        text += movementLine(movement, held.statement, balance)
      }
      yield Buffer.from(text)
    }
  }
  const source = Readable.from(lines())
  const file = storeInPieces((number, bytes) => addPiece(ctx.db, held, { number, bytes, rows: 0 }))
  if (compressed) await pipeline(source, createGzip(), file.store, { signal })
  else await pipeline(source, file.store, { signal })
  // Both ways to the last balance must meet; a file that does not add up is never handed out.
  invariant(balance === closing, `a statement ends at ${balance}, the ledger at ${closing}`)
  return {
    openingBalance: formatBalance(opening),
    closingBalance: formatBalance(closing),
    fileSize: file.size(),
  }
}
