/** The list of exports: what each is about, how far it is, and the file. */

import {
  type Export,
  exportName,
  fetchableUntil,
  isFetchable,
} from '../../../domain/statements/export.ts'
import { mayFetch } from '../../../usecases/statements/manage-exports.ts'
import { fill } from '../../words.ts'
import { Form } from '../frame.tsx'
import { StackedTable } from '../stacked-table.tsx'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { filterText } from './filter-text.ts'
import { periodText } from './period-text.ts'
import { MONEY_WORDS } from './words.ts'

export const EXPORTS_PATH = '/dashboard/exports'

export function Nothing({ visit }: { readonly visit: Visit }) {
  const words = MONEY_WORDS[visit.lang]
  return (
    <div class="panel empty">
      <p>{words.noExports}</p>
      <p>
        <a href="/dashboard/statements">{words.toStatements}</a>
      </p>
    </div>
  )
}

export function Exports({
  visit,
  found,
}: {
  readonly visit: Visit
  readonly found: readonly Export[]
}) {
  const words = MONEY_WORDS[visit.lang]
  const isBusy = found.some(({ state }) => state === 'PROCESSING')
  const columns = [
    'filter',
    'askedBy',
    'period',
    'rows',
    'size',
    'state',
    'expires',
    'actions',
  ] as const
  return (
    <div id="exports" data-refresh={isBusy ? '' : undefined}>
      {isBusy ? (
        <p class="note">
          {words.progress} <a href={EXPORTS_PATH}>{words.reload}</a>
        </p>
      ) : null}
      <StackedTable
        caption={words.exportsCaption}
        heads={[
          words.name,
          ...columns.map((name) =>
            name === 'rows' || name === 'size'
              ? ({ text: words[name], isNumber: true } as const)
              : words[name],
          ),
        ]}
      >
        {found.map((one) => (
          <ExportRow key={one.id} visit={visit} one={one} />
        ))}
      </StackedTable>
    </div>
  )
}

type RowProps = { readonly visit: Visit; readonly one: Export }

function ExportRow({ visit, one }: RowProps) {
  const words = MONEY_WORDS[visit.lang]
  const until = fetchableUntil(one)
  const { rows, fileSize } = one
  return (
    <tr>
      <th scope="row" data-label={words.name}>
        {exportName(one)}
      </th>
      <td data-label={words.filter}>{filterText(visit, one.subject)}</td>
      <td data-label={words.askedBy}>{one.askedBy}</td>
      <td data-label={words.period}>
        {periodText(visit.lang, visit.person.user.timeZone, one.subject)}
      </td>
      <td class="number" data-label={words.rows}>
        {new Intl.NumberFormat(visit.lang).format(rows)}
      </td>
      <td class="number" data-label={words.size}>
        {fileSize === undefined ? '' : sizeText(visit, fileSize)}
      </td>
      <td data-label={words.state}>
        <StateOf visit={visit} one={one} />
      </td>
      <td data-label={words.expires}>
        {until === undefined ? '' : <When visit={visit} ms={until} />}
      </td>
      <td data-label={words.actions}>
        <Actions visit={visit} one={one} />
      </td>
    </tr>
  )
}

const UNITS = ['kilobyte', 'megabyte', 'gigabyte'] as const

function sizeText({ lang }: Visit, bytes: number): string {
  const step = Math.min(UNITS.length, Math.max(1, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const format = new Intl.NumberFormat(lang, {
    style: 'unit',
    unit: UNITS[step - 1] ?? 'kilobyte',
    maximumFractionDigits: 1,
  })
  return format.format(bytes / 1000 ** step)
}

function StateOf({ visit, one }: RowProps) {
  const words = MONEY_WORDS[visit.lang]
  if (one.state === 'FAILED') {
    return (
      <>
        <span class="state bad">{words.state_FAILED}</span>{' '}
        {one.failure === undefined ? null : words[one.failure]}
      </>
    )
  }
  if (one.state === 'PROCESSING') {
    return <span class="state open">{words.state_PROCESSING}</span>
  }
  return isFetchable(one, visit.ctx.clock.now()) ? (
    <span class="state good">{words.state_COMPLETED}</span>
  ) : (
    <span class="state">{words.state_EXPIRED}</span>
  )
}

function Actions({ visit, one }: RowProps) {
  const words = MONEY_WORDS[visit.lang]
  const label = (action: string): string => fill(words.ofFile, { action, name: exportName(one) })
  return (
    <span class="row">
      {mayFetch(visit.person, one) && isFetchable(one, visit.ctx.clock.now()) ? (
        <a href={`${EXPORTS_PATH}/${one.id}/file`} aria-label={label(words.downloadFile)}>
          {words.downloadFile}
        </a>
      ) : null}
      {one.state === 'PROCESSING' ? null : (
        <Form visit={visit} action={`${EXPORTS_PATH}/${one.id}/repeat`}>
          <button type="submit" class="plain" aria-label={label(words.repeat)}>
            {words.repeat}
          </button>
        </Form>
      )}
    </span>
  )
}
