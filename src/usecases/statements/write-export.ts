import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Amount } from '../../domain/amount.ts'
import { invariant } from '../../domain/invariant.ts'
import type { Export, MovementFilter } from '../../domain/statements/export.ts'
import { netOf } from '../../domain/statements/statement-file.ts'
import { ArchivedPeriod } from '../../store/archive/years.ts'
import type { Db } from '../../store/engine/database.ts'
import { balanceAt, beginReading, readMovements } from '../../store/payments/movements.ts'
import { type ExportEnd, endExport, type HeldExport } from '../../store/statements/exports.ts'
import { addPiece, clearPieces } from '../../store/statements/file-pieces.ts'
import { isMeant, periodOf, statementLines } from './browse-movements.ts'
import type { MovementOnPaper, SomeLines, StatementContext } from './context.ts'
import { type ListFilter, listLines } from './list-lines.ts'
import { ATTEMPTS_MAX, Lost, storeInPieces, type Writing } from './stored-file.ts'

/** Nobody reads more on paper, and its pages are counted in memory. */
const PDF_ROWS_MAX = 50_000

class TooLong extends Error {}

/** Writes the file of an export, and ends it. What is read flows into pieces, some rows at a time. */
export async function writeExport(
  ctx: StatementContext,
  held: HeldExport,
  signal: AbortSignal,
): Promise<Writing> {
  if (!(await clearPieces(ctx.db, held))) return 'LOST'
  const end = async (how: ExportEnd): Promise<Writing> =>
    (await endExport(ctx.db, held, how, ctx.clock.now())) ? 'ENDED' : 'LOST'
  if (held.attempts > ATTEMPTS_MAX) return end({ state: 'FAILED', failure: 'NOT_WRITTEN' })
  try {
    return await end({ state: 'COMPLETED', ...(await writeFile(ctx, held, signal)) })
  } catch (error) {
    if (error instanceof Lost) return 'LOST'
    if (signal.aborted) return 'STOPPED'
    if (error instanceof TooLong) return end({ state: 'FAILED', failure: 'TOO_LONG' })
    if (error instanceof ArchivedPeriod) return end({ state: 'FAILED', failure: 'ARCHIVED' })
    throw error
  }
}

/** How many rows have been read so far, for those who watch. */
type Progress = { rows: number }

async function writeFile(
  ctx: StatementContext,
  held: HeldExport,
  signal: AbortSignal,
): Promise<{ readonly rows: number; readonly fileSize: number }> {
  const progress: Progress = { rows: 0 }
  const { store, size } = storeInPieces((number, bytes) =>
    addPiece(ctx.db, held, { number, bytes, rows: progress.rows }),
  )
  const { format } = held.export
  if (format === 'pdf') {
    await ctx.db.inTransaction((tx) =>
      pipeline(Readable.from(paperOf(ctx, tx, held.export, progress)), store, { signal }),
    )
  } else {
    const source = Readable.from(linesOf(ctx, held.export, progress))
    if (format === 'csv.gz') await pipeline(source, createGzip(), store, { signal })
    else await pipeline(source, store, { signal })
  }
  return { rows: progress.rows, fileSize: size() }
}

async function* linesOf(
  ctx: StatementContext,
  one: Export,
  progress: Progress,
): AsyncGenerator<Buffer> {
  for await (const { text, rows } of someLines(ctx, one)) {
    progress.rows += rows
    yield Buffer.from(text)
  }
}

function someLines(ctx: StatementContext, one: Export): AsyncIterable<SomeLines> {
  const { merchantId, subject, showsPii } = one
  const { csv } = subject
  if (subject.kind === 'statement') {
    const style = { wallet: subject.wallet, csv, showsPii, masksPhones: !showsPii }
    return statementLines(ctx, merchantId, subject, style)
  }
  // The merchant and the countries are those of the row, whatever the filter says.
  const limits = { merchantId, within: subject.countries }
  const filter = { ...(subject.filter as unknown as ListFilter), ...limits }
  const { list = 'payments', order = 'newest' } = subject
  return listLines(ctx, { list, filter, order, csv, showsPii })
}

/** On paper, movements follow from the opening balance to the closing one. */
async function* paperOf(
  ctx: StatementContext,
  tx: Db,
  { merchantId, subject }: Export,
  progress: Progress,
): AsyncGenerator<Buffer> {
  invariant(subject.kind === 'statement', 'only statements are written on paper')
  const filter: MovementFilter = subject
  const period = periodOf(merchantId, filter)
  const merchant = await ctx.merchants.byId(merchantId)
  await beginReading(tx, period)
  const opening = await balanceAt(tx, period, subject.startAt)
  const closing = await balanceAt(tx, period, subject.endAt)
  let balance = opening
  async function* movements(): AsyncGenerator<readonly MovementOnPaper[]> {
    for await (const some of readMovements(tx, period)) {
      const onPaper = some.map((movement) => {
        balance = (balance + netOf(movement)) as Amount
        return { movement, balanceAfter: balance, isListed: isMeant(filter, movement) }
      })
      progress.rows += onPaper.filter(({ isListed }) => isListed).length
      if (progress.rows > PDF_ROWS_MAX) throw new TooLong()
      yield onPaper
    }
    invariant(balance === closing, `a statement ends at ${balance}, the ledger at ${closing}`)
  }
  const { all, find } = ctx.providers.catalog
  const { country, provider } = subject.wallet
  const names = {
    merchantName: merchant?.name ?? '',
    merchantSlug: merchant?.slug ?? '',
    country: all.find((one) => one.country === country)?.countryName,
    provider: provider === undefined ? undefined : find(provider)?.displayName,
  }
  const madeAt = ctx.clock.now()
  yield* ctx.files.statementPdf({ subject, ...names, opening, closing, madeAt }, movements())
}
