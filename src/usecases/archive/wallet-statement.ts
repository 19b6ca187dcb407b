import { type Amount, formatBalance } from '../../domain/amount.ts'
import { momentOf, movementsFile } from '../../domain/archive/manifest.ts'
import { isArchived, yearOf } from '../../domain/archive/years.ts'
import type { MerchantId } from '../../domain/ids.ts'
import { walletNamed } from '../../domain/payments/ledger.ts'
import {
  type LineStyle,
  type Movement,
  movementLine,
  netOf,
  statementHeader,
} from '../../domain/statements/statement-file.ts'
import type { TransferLine } from '../../store/archive/rows.ts'
import { findArchived, findYear } from '../../store/archive/years.ts'
import type { Db } from '../../store/engine/database.ts'
import {
  amountOf,
  balanceAt,
  beginReading,
  readMovements,
  type WalletPeriod,
} from '../../store/payments/movements.ts'
import { faultOf, linesIn } from './lines-file.ts'
import { folderOf, openYear } from './year-folder.ts'

export type StatementOrder = {
  readonly merchant: { readonly id: MerchantId; readonly slug: string }
  /** Whole days of UTC: their balances are known without the movements. */
  readonly period: WalletPeriod
  /** Where archived years are. */
  readonly root: string | undefined
  readonly showsPii: boolean
}

/** Why there is no statement; the message is a sentence for the caller. */
export class NoStatement extends Error {}

export type StatementSums = {
  readonly movements: number
  readonly opening: string
  readonly closing: string
}

/**
 * The statement of a wallet as the API writes it, some lines at a time. Archived years are read from
 * their files, the rest from the database as it is at one moment: `tx` is a transaction of its own.
 */
export async function* walletStatement(
  tx: Db,
  order: StatementOrder,
): AsyncGenerator<string, StatementSums> {
  const { period, showsPii, merchant } = order
  const { startAt, endAt } = period
  const archived = await findArchivedAtOneMoment(tx, period)
  const from = isArchived(archived, startAt) ? Math.min(endAt, archived?.until ?? 0) : startAt
  const files = from > startAt ? await filesOf(tx, order, from) : []
  const opening = await balanceAt(tx, period, startAt)
  const closing = await balanceAt(tx, period, endAt)
  const style: LineStyle = { wallet: walletNamed(period.wallet), showsPii }
  yield statementHeader()
  let [balance, movements] = [opening, 0]
  const written = (some: readonly Movement[]): string =>
    some
      .map((movement) => {
        balance = (balance + netOf(movement)) as Amount
        movements += 1
        return movementLine(movement, style, balance)
      })
      .join('')
  for (const file of files) {
    for await (const some of archivedMovements(file, period)) yield written(some)
  }
  if (from < endAt) {
    for await (const some of readMovements(tx, { ...period, startAt: from })) yield written(some)
  }
  if (balance !== closing) {
    throw new NoStatement(
      `The movements of ${merchant.slug} lead to ${formatBalance(balance)}, the balance is ` +
        `${formatBalance(closing)}. Run malipo verify.`,
    )
  }
  return { movements, opening: formatBalance(opening), closing: formatBalance(closing) }
}

/** Opens the transaction for the part that is in the database. */
async function findArchivedAtOneMoment(tx: Db, { merchantId }: WalletPeriod) {
  await beginReading(tx, { merchantId, startAt: Number.POSITIVE_INFINITY })
  return findArchived(tx, merchantId)
}

type YearFile = { readonly folder: string; readonly file: Parameters<typeof faultOf>[1] }

/** The files that a statement needs, each compared with its checksum before the first line leaves. */
async function filesOf(
  tx: Db,
  { merchant, period, root }: StatementOrder,
  until: number,
): Promise<readonly YearFile[]> {
  const first = yearOf(period.startAt)
  const years = Array.from({ length: yearOf(until - 1) - first + 1 }, (_, at) => first + at)
  const files: YearFile[] = []
  for (const year of years) {
    const archived = await findYear(tx, merchant.id, year)
    // A year in which nothing happened has no files.
    if (archived === undefined) continue
    if (root === undefined) {
      throw new NoStatement(
        `The movements of ${year} are archived. Name their folder by --archive.`,
      )
    }
    const folder = folderOf(root, merchant.slug, year)
    const found = await openYear(folder, archived.manifestHash)
    if ('problem' in found) throw new NoStatement(found.problem)
    const name = movementsFile(period.wallet)
    const file = found.manifest.files.find((one) => one.name === name)
    if (file === undefined) continue
    const problem = await faultOf(folder, file)
    if (problem !== undefined) throw new NoStatement(problem)
    files.push({ folder, file })
  }
  return files
}

const AT_ONCE = 250

async function* archivedMovements(
  { folder, file }: YearFile,
  { wallet, startAt, endAt }: WalletPeriod,
): AsyncGenerator<readonly Movement[]> {
  let some: Movement[] = []
  for await (const line of linesIn(folder, file)) {
    const { key, cause, at, credit, amount, payment } = JSON.parse(line) as TransferLine
    const moment = momentOf(at)
    if (moment < startAt || moment >= endAt) continue
    const moved = { key, cause, at: moment, amount: amountOf(amount), isCredit: credit === wallet }
    some.push(payment === undefined ? moved : { ...moved, payment })
    if (some.length < AT_ONCE) continue
    yield some
    some = []
  }
  if (some.length > 0) yield some
}
