/** The rows of a list as a file: the same filter, the same order, streamed. */
import { Readable } from 'node:stream'
import { isArchived } from '../../../domain/archive/years.ts'
import type { CsvStyle } from '../../../domain/csv.ts'
import { may } from '../../../domain/people/roles.ts'
import type { Page } from '../../../http/pages.ts'
import { archivedOf } from '../../../usecases/archive/archived.ts'
import { changeAs } from '../../../usecases/people/change.ts'
import { type ListFile, listLines } from '../../../usecases/statements/list-lines.ts'
import { fill } from '../../words.ts'
import { missingPage } from '../frame.tsx'
import { goTo } from '../guard.tsx'
import { MONEY_WORDS } from '../money/words.ts'
import { momentText } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { readList } from './filter.ts'
import type { ListShape } from './shape.ts'

/** How the rows are written, as the address says it. */
export const csvStyleIn = (asked: {
  readonly mode?: unknown
  readonly separator?: unknown
}): CsvStyle => ({
  isForSpreadsheets: asked.mode === 'spreadsheet',
  separator: asked.separator === ';' ? ';' : ',',
})

/** People who may see personal data get them whole, and the log says so. */
export async function csvPage(visit: Visit, shape: ListShape): Promise<Page> {
  const { ctx, person, request } = visit
  const { filter, given, order, faults } = readList(visit, shape)
  // A filter that was not understood must not become a file of everything.
  if (faults.length > 0) return missingPage(visit)
  const { place, list } = shape
  const archived = list === 'checkouts' ? undefined : await archivedOf(ctx, person.merchant.id)
  if (archived !== undefined && isArchived(archived, filter.fromMs ?? 0)) {
    const day = momentText(visit, archived.until, false)
    const text = fill(MONEY_WORDS[visit.lang].archivedFile, { day })
    return goTo(visit, `/dashboard/${place}`, text, true)
  }
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${place}.csv"`,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  if (request.method === 'HEAD') return { headers, body: '' }
  const showsPii = may(person.role, 'pii:reveal')
  const after = { ...given, personalData: showsPii }
  await changeAs(ctx, person, { action: 'list exported', object: place, after }, async () => {})
  const file: ListFile = { list, filter, order, csv: csvStyleIn(request.query), showsPii }
  const lines = async function* (): AsyncGenerator<Buffer> {
    for await (const { text } of listLines(ctx, file)) yield Buffer.from(text)
  }
  return { headers, body: Readable.from(lines(), { objectMode: false }) }
}
