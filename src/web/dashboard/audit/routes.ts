import { Readable } from 'node:stream'
import { type CsvStyle, csvLine, csvStart } from '../../../domain/csv.ts'
import type { Page } from '../../../http/pages.ts'
import { auditActions, auditPage, everyAuditEntry } from '../../../usecases/people/audit-log.ts'
import type { DashboardRoute, Visit } from '../visit.ts'
import { readFilter } from './filter.ts'
import { renderAudit } from './page.tsx'

const PER_PAGE = 50

export const AUDIT_ROUTES: readonly DashboardRoute[] = [
  { path: '/dashboard/audit', permission: 'audit:view', answer: show },
  { path: '/dashboard/audit.csv', permission: 'audit:view', answer: download },
]

async function show(visit: Visit): Promise<Page> {
  const { ctx, person } = visit
  const filter = readFilter(visit)
  const [found, actions] = await Promise.all([
    auditPage(ctx, person, filter.filter, PER_PAGE),
    auditActions(ctx, person),
  ])
  return renderAudit(visit, { ...found, filter, actions })
}

const COLUMNS = [
  'number',
  'at',
  'actor',
  'action',
  'object',
  'address',
  'before',
  'after',
  'hash',
] as const

/** All that the filter finds, read and sent some at a time. */
function download(visit: Visit): Page {
  const { ctx, person, request } = visit
  const { filter } = readFilter(visit)
  const style: CsvStyle = {
    isForSpreadsheets: request.query.mode === 'spreadsheet',
    separator: request.query.separator === ';' ? ';' : ',',
  }
  const lines = async function* (): AsyncGenerator<string> {
    yield csvStart(style) + csvLine(COLUMNS, style)
    for await (const entry of everyAuditEntry(ctx, person, { ...filter, before: undefined })) {
      const { before, after } = entry
      const cells = {
        ...entry,
        number: String(entry.number),
        at: new Date(entry.at).toISOString(),
        before: before ? JSON.stringify(before) : '',
        after: after ? JSON.stringify(after) : '',
      }
      yield csvLine(
        COLUMNS.map((name) => cells[name]),
        style,
      )
    }
  }
  return {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="audit.csv"',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
    body: Readable.from(lines()),
  }
}
