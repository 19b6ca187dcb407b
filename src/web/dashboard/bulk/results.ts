/** What became of the rows, as a file. */
import { Readable } from 'node:stream'
import { type CsvStyle, csvLine, csvStart } from '../../../domain/csv.ts'
import { may } from '../../../domain/people/roles.ts'
import type { Page } from '../../../http/pages.ts'
import { findBulkPayout, type SentRow, sentRows } from '../../../usecases/bulk/read-bulk.ts'
import { changeAs } from '../../../usecases/people/change.ts'
import { missingPage } from '../frame.tsx'
import { phoneText } from '../payments/parts.tsx'
import type { Visit } from '../visit.ts'

const COLUMNS = [
  'row',
  'payoutId',
  'amount',
  'currency',
  'phoneNumber',
  'provider',
  'clientReferenceId',
  'result',
  'status',
  'failureCode',
  'failureMessage',
  'providerTransactionId',
] as const

const AT_ONCE = 1000

export async function resultsFile(visit: Visit): Promise<Page> {
  const { ctx, person, request } = visit
  const bulk = await findBulkPayout(ctx, person, request.params.id ?? '')
  if (bulk === undefined) return missingPage(visit)
  const isRevealed = may(person.role, 'pii:reveal')
  const style: CsvStyle = {
    isForSpreadsheets: request.query.mode === 'spreadsheet',
    separator: request.query.separator === ';' ? ';' : ',',
  }
  const change = { action: 'bulk payout results downloaded', object: bulk.id }
  await changeAs(
    ctx,
    person,
    { ...change, after: { isRevealed, countries: bulk.countries } },
    async () => {},
  )
  const lines = async function* (): AsyncGenerator<string> {
    yield csvStart(style) + csvLine(COLUMNS, style)
    let after = 0
    for (;;) {
      const rows = await sentRows(ctx, person, bulk, after, AT_ONCE)
      for (const row of rows) yield csvLine(cellsOf(visit, row, isRevealed), style)
      const last = rows.at(-1)
      if (last === undefined || rows.length < AT_ONCE) return
      after = last.number
    }
  }
  return csvPage(`bulk-payout-${bulk.id}.csv`, Readable.from(lines()))
}

export const csvPage = (name: string, body: Page['body']): Page => ({
  headers: {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  },
  body,
})

function cellsOf(visit: Visit, row: SentRow, isRevealed: boolean): string[] {
  const { fields } = row
  const cells: Readonly<Record<(typeof COLUMNS)[number], string | null | undefined>> = {
    row: String(row.number),
    payoutId: row.payoutId,
    amount: fields.amount,
    currency: fields.currency,
    phoneNumber: isRevealed ? fields.phoneNumber : phoneText(visit, fields),
    provider: fields.provider,
    clientReferenceId: fields.clientReferenceId,
    result: row.state,
    status: row.payoutState,
    failureCode: row.failureCode ?? row.payoutFailure,
    failureMessage: row.failureMessage,
    providerTransactionId: row.providerTransactionId,
  }
  return COLUMNS.map((column) => cells[column] ?? '')
}
