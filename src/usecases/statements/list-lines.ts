import { csvLine, csvStart } from '../../domain/csv.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import type { ListName } from '../../domain/statements/export.ts'
import { checkoutLine, type ListStyle, paymentLine } from '../../domain/statements/list-line.ts'
import { STATEMENT_COLUMNS } from '../../domain/statements/statement-file.ts'
import { requireRows } from '../../store/archive/years.ts'
import { browsePayments, type Order } from '../../store/payments/browse.ts'
import { findWalletEffects } from '../../store/payments/wallet-effects.ts'
import { type ListedSplit, listCheckouts, listSplits } from '../../store/payments/wholes.ts'
import type { Context } from '../context.ts'
import { type BrowseFilter, everyPayment } from '../payments/browse-payments.ts'
import type { SomeLines } from './context.ts'

/** Split payments and checkouts have states of their own, and know fewer of the fields. */
export type ListFilter = Omit<BrowseFilter, 'states'> & {
  readonly states?: readonly string[] | undefined
}

export type ListFile = ListStyle & {
  readonly list: ListName
  readonly filter: ListFilter
  readonly order: Order
}

const ROWS_AT_ONCE = 500

/** A list as a file, some lines at a time: the rows and the order that the page shows. */
export async function* listLines(ctx: Context, file: ListFile): AsyncGenerator<SomeLines> {
  const { csv, list, filter } = file
  // What a payment did to its wallet is read from its transfers.
  if (list !== 'checkouts') await requireRows(ctx.db, filter.merchantId, filter.fromMs ?? 0)
  yield { text: csvStart(csv) + csvLine(STATEMENT_COLUMNS, csv), rows: 0 }
  const pieces =
    list === 'checkouts'
      ? checkoutPieces(ctx, file)
      : list === 'split-payments'
        ? splitPieces(ctx, file)
        : paymentPieces(ctx, file)
  for await (const lines of pieces) yield { text: lines.join(''), rows: lines.length }
}

type Lines = AsyncGenerator<readonly string[]>

async function* paymentPieces(ctx: Context, file: ListFile): Lines {
  let piece: Payment[] = []
  for await (const payment of everyPayment(ctx, file.filter as BrowseFilter, file.order)) {
    piece.push(payment)
    if (piece.length < ROWS_AT_ONCE) continue
    yield await paymentLines(ctx, file, piece)
    piece = []
  }
  if (piece.length > 0) yield await paymentLines(ctx, file, piece)
}

async function paymentLines(
  ctx: Context,
  file: ListFile,
  payments: readonly Payment[],
  statusOf: (payment: Payment) => string | undefined = () => undefined,
): Promise<readonly string[]> {
  const keys = payments.map(({ key }) => key)
  const effects = await findWalletEffects(ctx.db, file.filter.merchantId, keys)
  return payments.map((payment) =>
    paymentLine(payment, effects.get(payment.key), file, statusOf(payment)),
  )
}

/** One line for each: its deposit, and what became of the whole. */
async function* splitPieces(ctx: Context, file: ListFile): Lines {
  for await (const splits of piecesOf(file, (place) => listSplits(ctx.db, file.filter, place))) {
    const deposits = await depositsOf(ctx, file, splits)
    const states = new Map(splits.map(({ id, state }) => [id, state === 'OPEN' ? OPEN : state]))
    yield await paymentLines(ctx, file, deposits, ({ id }) => states.get(id))
  }
}

/** How the API calls one that is not over. */
const OPEN = 'PROCESSING'

async function depositsOf(
  ctx: Context,
  { filter: { merchantId } }: ListFile,
  splits: readonly ListedSplit[],
): Promise<readonly Payment[]> {
  const ids = splits.map(({ id }) => id)
  const found = await browsePayments(
    ctx.db,
    { merchantId, kinds: ['deposit'], within: [], ids },
    { limit: ids.length },
  )
  const byId = new Map<string, Payment>(found.map((deposit) => [deposit.id, deposit]))
  return ids.map((id) => byId.get(id)).filter((deposit) => deposit !== undefined)
}

async function* checkoutPieces(ctx: Context, file: ListFile): Lines {
  for await (const rows of piecesOf(file, (place) => listCheckouts(ctx.db, file.filter, place))) {
    yield rows.map((row) => checkoutLine(row, file))
  }
}

type PieceAt = { readonly after: string | undefined; readonly limit: number; readonly order: Order }

async function* piecesOf<Row extends { readonly key: string }>(
  { order }: ListFile,
  read: (place: PieceAt) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  let after: string | undefined
  for (;;) {
    const rows = await read({ after, limit: ROWS_AT_ONCE, order })
    if (rows.length > 0) yield rows
    after = rows.at(-1)?.key
    if (rows.length < ROWS_AT_ONCE) return
  }
}
