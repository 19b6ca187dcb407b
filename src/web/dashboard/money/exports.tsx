import { Readable } from 'node:stream'
import { isArchived } from '../../../domain/archive/years.ts'
import { present } from '../../../domain/present.ts'
import {
  EXPORT_FORMATS,
  type ExportFormat,
  type ExportSubject,
  exportName,
} from '../../../domain/statements/export.ts'
import type { Page } from '../../../http/pages.ts'
import { archivedOf } from '../../../usecases/archive/archived.ts'
import {
  exportsFor,
  fetchExport,
  noteFetched,
  repeatExport,
  requestExport,
} from '../../../usecases/statements/manage-exports.ts'
import { walletsOf } from '../../../usecases/statements/wallets.ts'
import { fill } from '../../words.ts'
import { dashboardPage, missingPage } from '../frame.tsx'
import { goTo } from '../guard.tsx'
import { csvStyleIn } from '../lists/csv.ts'
import { readList } from '../lists/filter.ts'
import { listAt } from '../lists/shape.ts'
import { momentText } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { askedIn, fileNameOf, readStatement } from './asked.ts'
import { Exports, Nothing, EXPORTS_PATH as PATH } from './exports-table.tsx'
import { MONEY_WORDS } from './words.ts'

export async function exportsPage(visit: Visit): Promise<Page> {
  const found = await exportsFor(visit.ctx, visit.person)
  const heading = DASHBOARD_WORDS[visit.lang].exports
  return dashboardPage(visit, {
    name: 'exports',
    heading,
    children: (
      <>
        <h1>{heading}</h1>
        {found.length === 0 ? <Nothing visit={visit} /> : <Exports visit={visit} found={found} />}
      </>
    ),
  })
}

/** By the button of a statement or a list. */
export async function makeExport(visit: Visit): Promise<Page> {
  const words = MONEY_WORDS[visit.lang]
  const order = await orderIn(visit)
  if (order === undefined) return goTo(visit, PATH, words.refused, true)
  const { archived } = order
  if (archived !== undefined) return goTo(visit, PATH, archived, true)
  await requestExport(visit.ctx, visit.person, order)
  return goTo(visit, PATH, words.made)
}

export async function repeat(visit: Visit): Promise<Page> {
  const isMade = await repeatExport(visit.ctx, visit.person, visit.request.params.id ?? '')
  return isMade ? goTo(visit, PATH, MONEY_WORDS[visit.lang].made) : missingPage(visit)
}

const TYPES: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv; charset=utf-8',
  'csv.gz': 'application/gzip',
  pdf: 'application/pdf',
}

/** For people who could have asked for it. */
export async function exportFile(visit: Visit): Promise<Page> {
  const file = await fetchExport(visit.ctx, visit.person, visit.request.params.id ?? '')
  if (file === undefined) return missingPage(visit)
  if (file === 'EXPIRED') return goTo(visit, PATH, MONEY_WORDS[visit.lang].expired, true)
  if (visit.request.method !== 'HEAD') await noteFetched(visit.ctx, visit.person, file.export)
  return {
    headers: {
      'content-type': TYPES[file.export.format],
      'content-disposition': `attachment; filename="${exportName(file.export)}"`,
      'content-length': String(file.size),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
    body: Readable.from(file.pieces, { objectMode: false }),
  }
}

type Order = {
  readonly subject: ExportSubject
  readonly format: ExportFormat
  /** Why there cannot be a file of it. */
  readonly archived: string | undefined
}

async function orderIn(visit: Visit): Promise<Order | undefined> {
  const { form } = visit.request
  const format = EXPORT_FORMATS.find((one) => one === form.get('format'))
  if (format === undefined) return undefined
  const csv = csvStyleIn({ mode: form.get('mode'), separator: form.get('separator') })
  const subject =
    form.get('kind') === 'statement'
      ? await statementIn(visit, csv)
      : format === 'pdf'
        ? undefined
        : paymentsIn(visit, csv)
  return subject && { subject, format, archived: await archivedText(visit, subject) }
}

/** Where movements are archived, what payments did to wallets is not known here. */
async function archivedText(visit: Visit, subject: ExportSubject): Promise<string | undefined> {
  if (subject.kind === 'payments' && subject.list === 'checkouts') return undefined
  const found = await archivedOf(visit.ctx, visit.person.merchant.id)
  if (found === undefined || !isArchived(found, subject.startAt ?? 0)) return undefined
  const day = momentText(visit, found.until, false)
  return fill(MONEY_WORDS[visit.lang].archivedFile, { day })
}

type Style = ReturnType<typeof csvStyleIn>

async function statementIn(visit: Visit, csv: Style): Promise<ExportSubject | undefined> {
  const { ctx, person, request, lang } = visit
  const read = readStatement(visit, await walletsOf(ctx, person), askedIn(request.form), undefined)
  if (read === undefined || read.faults.length > 0) return undefined
  const { timeZone } = person.user
  const name = fileNameOf(visit, read)
  return { kind: 'statement', name, csv, language: lang, timeZone, ...read.filter }
}

/** The list and its filter come as the address of the list. */
function paymentsIn(visit: Visit, csv: Style): ExportSubject | undefined {
  const { request, person } = visit
  const shape = listAt(request.form.get('list'))
  if (shape === undefined) return undefined
  const query = Object.fromEntries(new URLSearchParams(request.form.get('query') ?? ''))
  const read = readList({ ...visit, request: { ...request, query } }, shape)
  if (read.faults.length > 0) return undefined
  const { merchantId: _, within: __, ...filter } = read.filter
  const { fromMs, toMs } = filter
  return {
    kind: 'payments',
    list: shape.list,
    order: read.order,
    name: [shape.place, read.given.from, read.given.to]
      .filter((part) => part !== undefined)
      .map((part) => part.replace(/[^\w-]/g, ''))
      .join('-'),
    csv,
    filter,
    countries: person.countries,
    ...present({ startAt: fromMs, endAt: toMs }),
  }
}
