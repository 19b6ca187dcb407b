/** A statement on paper: from the opening balance over each movement to the closing one. */
import { type Amount, formatBalance } from '../../../domain/amount.ts'
import {
  MOVEMENT_TYPES,
  type MovementType,
  movementType,
  netOf,
} from '../../../domain/statements/statement-file.ts'
import type {
  FileWriters,
  MovementOnPaper,
  StatementOnPaper,
} from '../../../usecases/statements/context.ts'
import { fill } from '../../words.ts'
import { money } from '../money-text.ts'
import { type Column, createSheet, isPrintable, type Sheet } from './pdf-sheet.ts'
import { periodText } from './period-text.ts'
import { MONEY_WORDS } from './words.ts'

const COLUMNS: readonly Column[] = [
  { x: 40, width: 92 },
  { x: 134, width: 76 },
  { x: 212, width: 160 },
  { x: 374, width: 90, isNumber: true },
  { x: 466, width: 89, isNumber: true },
]

/** Pages are sent as soon as they are full, so the room does not depend on how many there are. */
export const statementPdf: FileWriters['statementPdf'] = async function* (statement, movements) {
  // Loaded when the first one is made: most nodes never make any.
  const { default: PDFDocument } = await import('pdfkit')
  const doc = new PDFDocument({ autoFirstPage: false, info: infoOf(statement) })
  const sheet = sheetFor(doc, statement)
  const totals = new Map<MovementType, Total>()
  begin(sheet, statement)
  for await (const some of movements) {
    for (const one of some) {
      count(totals, one)
      if (one.isListed) listed(sheet, statement, one)
    }
    yield* takeFrom(doc)
  }
  end(sheet, statement, totals)
  doc.end()
  for await (const piece of doc) yield piece as Buffer
}

function* takeFrom(doc: PDFKit.PDFDocument): Generator<Buffer> {
  for (;;) {
    const piece: Buffer | null = doc.read()
    if (piece === null) return
    yield piece
  }
}

type Total = { readonly count: number; readonly sum: Amount }

function count(totals: Map<MovementType, Total>, { movement }: MovementOnPaper): void {
  const type = movementType(movement)
  const before = totals.get(type)
  totals.set(type, {
    count: (before?.count ?? 0) + 1,
    sum: ((before?.sum ?? 0n) + netOf(movement)) as Amount,
  })
}

const wordsOf = ({ subject }: StatementOnPaper) => MONEY_WORDS[subject.language]

/** In the words of the balances. */
function walletText(statement: StatementOnPaper): string {
  const { subject, country, provider } = statement
  const { wallet, language } = subject
  const { provider: code } = wallet
  const whose = code === undefined ? wordsOf(statement).allProviders : (provider ?? code)
  return [country?.[language] ?? wallet.country, wallet.currency, whose].join(' · ')
}

/** A name whose letters the font does not know stands beside the short one, which it does know. */
const merchantText = ({ merchantName, merchantSlug }: StatementOnPaper): string =>
  isPrintable(merchantName) ? merchantName : `${merchantName} (${merchantSlug})`

const infoOf = (statement: StatementOnPaper) => ({
  Title: `${wordsOf(statement).pdfTitle} ${walletText(statement)}`,
  Author: statement.merchantName,
  CreationDate: new Date(statement.madeAt),
})

const sumText = ({ subject: { wallet, language } }: StatementOnPaper, amount: Amount): string =>
  money(formatBalance(amount), wallet.currency, language)

function momentOn({ subject: { language, timeZone } }: StatementOnPaper, at: number): string {
  return new Intl.DateTimeFormat(language === 'en' ? 'en-GB' : 'fr', {
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZone,
  }).format(at)
}

function sheetFor(doc: PDFKit.PDFDocument, statement: StatementOnPaper): Sheet {
  const words = wordsOf(statement)
  const date = fill(words.pdfDate, { zone: statement.subject.timeZone })
  return createSheet(doc, COLUMNS, {
    header: [date, words.type, words.reference, words.amount, words.balanceAfter],
    footer: (n) => [
      `${merchantText(statement)} – ${walletText(statement)}`,
      fill(words.pdfPage, { n }),
    ],
  })
}

function begin(sheet: Sheet, statement: StatementOnPaper): void {
  const words = wordsOf(statement)
  const { subject, opening, closing } = statement
  const period = periodText(subject.language, subject.timeZone, subject)
  sheet.addPage()
  sheet.title(words.pdfTitle)
  sheet.fact(words.pdfMerchant, merchantText(statement))
  sheet.fact(words.wallet, walletText(statement))
  sheet.fact(words.period, `${period} (${subject.timeZone})`)
  sheet.fact(words.pdfMade, momentOn(statement, statement.madeAt))
  sheet.fact(words.opening, sumText(statement, opening))
  sheet.fact(words.closing, sumText(statement, closing))
  const only = [subject.type && words[`type_${subject.type}`], subject.provider].filter(Boolean)
  if (only.length > 0) sheet.line(fill(words.pdfOnly, { filter: only.join(', ') }))
  sheet.skip()
  sheet.header()
  sheet.row([words.opening, '', '', '', sumText(statement, opening)], true)
}

function listed(
  sheet: Sheet,
  statement: StatementOnPaper,
  { movement, balanceAfter }: MovementOnPaper,
): void {
  sheet.room(1)
  sheet.row([
    momentOn(statement, movement.at),
    wordsOf(statement)[`type_${movementType(movement)}`],
    movement.payment?.idAsSent ?? movement.key,
    sumText(statement, netOf(movement)),
    sumText(statement, balanceAfter),
  ])
}

function end(
  sheet: Sheet,
  statement: StatementOnPaper,
  totals: ReadonlyMap<MovementType, Total>,
): void {
  const words = wordsOf(statement)
  const { opening, closing, subject } = statement
  sheet.room(1)
  sheet.row([words.closing, '', '', '', sumText(statement, closing)], true)
  sheet.skip()
  sheet.room(totals.size + 4)
  sheet.line(words.pdfTotals, true)
  sheet.row([words.opening, '', '', '', sumText(statement, opening)])
  for (const type of MOVEMENT_TYPES) {
    const total = totals.get(type)
    if (total === undefined) continue
    const times = new Intl.NumberFormat(subject.language).format(total.count)
    sheet.row([words[`type_${type}`], times, '', '', sumText(statement, total.sum)])
  }
  sheet.row([words.closing, '', '', '', sumText(statement, closing)], true)
}
