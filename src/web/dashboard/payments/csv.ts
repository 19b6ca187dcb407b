/** The rows of a list as a file: the same filter, the same order, streamed. */
import { Readable } from 'node:stream'
import { type CsvStyle, csvLine, csvStart } from '../../../domain/csv.ts'
import type { MetadataEntry, Payment } from '../../../domain/payments/payment.ts'
import type { PaymentKind } from '../../../domain/payments/payment-state.ts'
import { may } from '../../../domain/people/roles.ts'
import type { Page } from '../../../http/pages.ts'
import type { Context } from '../../../usecases/context.ts'
import { everyPayment, sourceOf } from '../../../usecases/payments/browse-payments.ts'
import { changeAs } from '../../../usecases/people/change.ts'
import type { FileWriters } from '../../../usecases/statements/context.ts'
import type { Visit } from '../visit.ts'
import { readFilter } from './filter.ts'
import { hiddenPhone, MASKED, PLACE_OF } from './parts.tsx'

const COLUMNS: readonly (readonly [
  name: string,
  cell: (payment: Payment, tools: Tools) => string | undefined,
])[] = [
  ['createdAt', ({ createdAt }) => new Date(createdAt).toISOString()],
  ['completedAt', ({ endedAt }) => (endedAt === undefined ? '' : new Date(endedAt).toISOString())],
  ['type', ({ kind, splitId }) => `${splitId === undefined ? '' : 'SPLIT_'}${kind.toUpperCase()}`],
  ['transactionId', ({ idAsSent }) => idAsSent],
  ['relatedTransactionId', ({ refundOf, splitId }) => refundOf ?? splitId],
  ['checkoutId', ({ checkoutId }) => checkoutId],
  ['clientReferenceId', ({ details }) => details.clientReferenceId],
  ['phoneNumber', (payment, { phone }) => phone(payment)],
  ['provider', ({ provider }) => provider],
  ['country', ({ country }) => country],
  ['amount', ({ amount }) => amount],
  ['currency', ({ currency }) => currency],
  ['status', ({ state }) => (state === 'WAITING' ? 'ACCEPTED' : state)],
  ['source', sourceOf],
  ['providerTransactionId', ({ providerTransactionId }) => providerTransactionId],
  ['customerMessage', ({ details }) => details.customerMessage],
  ['failureCode', ({ failure }) => failure?.code],
  ['metadata', ({ details }, { metadata }) => details.metadata && metadata(details.metadata)],
]

type Tools = {
  phone(payment: Payment): string
  metadata(entries: readonly MetadataEntry[]): string
}

const toolsOf = (ctx: Context, isRevealed: boolean): Tools => ({
  phone: (payment) => (isRevealed ? payment.phoneNumber : hiddenPhone(ctx, payment)),
  metadata: (entries) =>
    JSON.stringify(
      Object.fromEntries(
        entries.map(({ name, value, pii }) => [name, pii && !isRevealed ? MASKED : value]),
      ),
    ),
})

const LINES_AT_ONCE = 500

/** The lines of a list, for whoever streams it at once and for jobs. */
export const paymentLines: FileWriters['paymentLines'] = async function* (ctx, list) {
  const { filter, csv, showsPii } = list
  const tools = toolsOf(ctx, showsPii)
  const names = COLUMNS.map(([name]) => name)
  yield { text: csvStart(csv) + csvLine(names, csv), rows: 0 }
  let lines: string[] = []
  for await (const payment of everyPayment(ctx, filter)) {
    const cells = COLUMNS.map(([, cell]) => cell(payment, tools) ?? '')
    lines.push(csvLine(cells, csv))
    if (lines.length < LINES_AT_ONCE) continue
    yield { text: lines.join(''), rows: lines.length }
    lines = []
  }
  if (lines.length > 0) yield { text: lines.join(''), rows: lines.length }
}

/** How the rows are written, as the address says it. */
export const csvStyleIn = (asked: {
  readonly mode?: unknown
  readonly separator?: unknown
}): CsvStyle => ({
  isForSpreadsheets: asked.mode === 'spreadsheet',
  separator: asked.separator === ';' ? ';' : ',',
})

/** Whoever may see personal data gets them whole, and the log says so. */
export async function csvPage(visit: Visit, kind: PaymentKind): Promise<Page> {
  const { ctx, person, request } = visit
  const { filter, given } = readFilter(visit, [kind])
  const showsPii = may(person.role, 'pii:reveal')
  const place = PLACE_OF[kind]
  await changeAs(
    ctx,
    person,
    { action: 'list exported', object: place, after: given },
    async () => {},
  )
  const lines = async function* (): AsyncGenerator<string> {
    const list = { filter, csv: csvStyleIn(request.query), showsPii }
    for await (const { text } of paymentLines(ctx, list)) yield text
  }
  return {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${place}.csv"`,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
    body: Readable.from(lines()),
  }
}
