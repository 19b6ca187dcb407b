import { BULK_COLUMNS, type BulkColumn } from '../../../domain/bulk/bulk-file.ts'
import { csvLine } from '../../../domain/csv.ts'
import { parsePaymentId } from '../../../domain/ids.ts'
import { BODY_LIMIT } from '../../../http/bodies.ts'
import type { Page } from '../../../http/pages.ts'
import {
  approveBulk,
  type BulkChange,
  changeRows,
  discardBulk,
  type RowEdit,
  rejectBulk,
  submitBulk,
  withdrawBulk,
} from '../../../usecases/bulk/change-bulk.ts'
import { uploadBulk } from '../../../usecases/bulk/upload-bulk.ts'
import { missingPage } from '../frame.tsx'
import { goTo } from '../guard.tsx'
import type { DashboardRoute, Visit } from '../visit.ts'
import { wholeNumber } from './draft-rows.tsx'
import { listPage } from './list.tsx'
import { bulkPage } from './page.tsx'
import { BULK_PATH } from './parts.tsx'
import { csvPage, resultsFile } from './results.ts'
import { BULK_WORDS, type BulkWords } from './words.ts'

const NAME_MAX = 100
const REASON_MAX = 500

const permission = 'bulk:create'
const ONE = `${BULK_PATH}/:id`

const template = csvLine(BULK_COLUMNS, { isForSpreadsheets: false, separator: ',' })

/** What people typed, in one line. */
const typed = (text: string | null): string => (text ?? '').replace(/\p{Cc}+/gu, ' ').trim()

async function upload(visit: Visit): Promise<Page> {
  const { ctx, person, request, lang } = visit
  const file = request.files.get('file')
  const pasted = request.form.get('paste') ?? ''
  const text = file?.bytes.toString('utf8') ?? ''
  const id = parsePaymentId(request.form.get('id') ?? '')
  const result = await uploadBulk(
    ctx,
    person,
    file === undefined || text === ''
      ? { name: '', text: pasted, id }
      : { name: typed(file.name).slice(0, NAME_MAX), text, id },
  )
  if ('rule' in result) return listPage(visit, { fault: result, pasted })
  return goTo(visit, `${BULK_PATH}/${result.id}`, BULK_WORDS[lang].flashUploaded)
}

const idIn = ({ request }: Visit): string => request.params.id ?? ''
const pathIn = (visit: Visit): string => `${BULK_PATH}/${encodeURIComponent(idIn(visit))}`

/** After a change: to the page, which says what was done or why not. */
function flash(
  visit: Visit,
  result: BulkChange,
  done: keyof BulkWords,
  location = pathIn(visit),
): Page {
  const words = BULK_WORDS[visit.lang]
  if (result === 'MISSING') return missingPage(visit)
  if (result === 'DONE') return goTo(visit, location, words[done])
  return goTo(visit, pathIn(visit), words[`refused_${result}`], true)
}

async function saveRows(visit: Visit): Promise<Page> {
  const { ctx, person, request } = visit
  const { form } = request
  const cells = new Map<number, Partial<Record<BulkColumn, string>>>()
  for (const [name, value] of form) {
    const [column = '', number = ''] = name.split('.')
    const known = BULK_COLUMNS.find((one) => one === column)
    if (known === undefined || wholeNumber(number) === 0) continue
    const row = cells.get(Number(number)) ?? {}
    row[known] = typed(value)
    cells.set(Number(number), row)
  }
  const edits: RowEdit[] = [...cells].map(([number, one]) => ({ number, cells: one }))
  const removed = wholeNumber(form.get('remove') ?? '') || undefined
  const result = await changeRows(ctx, person, idIn(visit), { edits, removed })
  const from = wholeNumber(form.get('from') ?? '')
  return flash(visit, result, 'flashSaved', from > 0 ? `${pathIn(visit)}?from=${from}` : undefined)
}

async function reject(visit: Visit): Promise<Page> {
  const { ctx, person, request, lang } = visit
  const reason = typed(request.form.get('reason')).slice(0, REASON_MAX)
  if (reason === '') return bulkPage(visit, BULK_WORDS[lang].reasonMissing)
  const version = wholeNumber(request.form.get('version'))
  const result = await rejectBulk(ctx, person, idIn(visit), { version, reason })
  return flash(visit, result, 'flashRejected')
}

async function approve(visit: Visit): Promise<Page> {
  const version = wholeNumber(visit.request.form.get('version'))
  const result = await approveBulk(visit.ctx, visit.person, idIn(visit), version)
  return flash(visit, result, 'flashApproved')
}

const act =
  (
    work: (ctx: Visit['ctx'], person: Visit['person'], id: string) => Promise<BulkChange>,
    done: keyof BulkWords,
    location?: string,
  ) =>
  async (visit: Visit): Promise<Page> =>
    flash(visit, await work(visit.ctx, visit.person, idIn(visit)), done, location)

export const BULK_ROUTES: readonly DashboardRoute[] = [
  { path: BULK_PATH, permission, answer: (visit) => listPage(visit) },
  { path: BULK_PATH, method: 'POST', permission, bodyLimit: BODY_LIMIT, answer: upload },
  {
    path: `${BULK_PATH}/template.csv`,
    permission,
    answer: () => csvPage('bulk-payouts.csv', template),
  },
  { path: ONE, permission, answer: (visit) => bulkPage(visit) },
  { path: `${ONE}/results.csv`, permission, hasPersonalData: true, answer: resultsFile },
  { path: `${ONE}/rows`, method: 'POST', permission, bodyLimit: BODY_LIMIT, answer: saveRows },
  { path: `${ONE}/submit`, method: 'POST', permission, answer: act(submitBulk, 'flashSubmitted') },
  {
    path: `${ONE}/withdraw`,
    method: 'POST',
    permission,
    answer: act(withdrawBulk, 'flashWithdrawn'),
  },
  {
    path: `${ONE}/discard`,
    method: 'POST',
    permission,
    answer: act(discardBulk, 'flashDiscarded', BULK_PATH),
  },
  {
    path: `${ONE}/approve`,
    method: 'POST',
    permission: 'payouts:approve',
    isSensitive: true,
    answer: approve,
  },
  { path: `${ONE}/reject`, method: 'POST', permission: 'payouts:approve', answer: reject },
]
