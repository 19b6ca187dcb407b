import type { ComponentChildren } from 'preact'
import { BULK_COLUMNS, type FileFault } from '../../../domain/bulk/bulk-file.ts'
import {
  BULK_LIMITS,
  BULK_STATES,
  type BulkPayout,
  type BulkState,
} from '../../../domain/bulk/bulk-payout.ts'
import { parsePaymentId } from '../../../domain/ids.ts'
import type { Page } from '../../../http/pages.ts'
import { listBulkCreators, listBulkPayouts } from '../../../usecases/bulk/read-bulk.ts'
import { fill } from '../../words.ts'
import { ApplyFilters, Choice, ClearFilters, describedBy, Labelled } from '../fields.tsx'
import { dashboardPage, Form } from '../frame.tsx'
import { StackedTable } from '../stacked-table.tsx'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { BULK_PATH, BulkStateMark, nameOf, titleOf, totalsText } from './parts.tsx'
import { faultText } from './problem-words.ts'
import { BULK_WORDS } from './words.ts'

const PER_PAGE = 50

/** What was sent and could not be read. */
type Upload = { readonly fault: FileFault; readonly pasted: string }

export async function listPage(visit: Visit, upload?: Upload): Promise<Page> {
  const { ctx, person, lang } = visit
  const filter = filterIn(visit)
  const found = await listBulkPayouts(ctx, person, filter, PER_PAGE + 1)
  const creators = await listBulkCreators(ctx, person)
  const heading = DASHBOARD_WORDS[lang]['bulk-payouts']
  const words = BULK_WORDS[lang]
  return dashboardPage(visit, {
    name: 'bulk-payouts',
    heading,
    ...(upload === undefined ? {} : { isProblem: true, status: 422 }),
    children: (
      <>
        {upload === undefined ? null : (
          <p class="notice bad" role="alert">
            <strong>{DASHBOARD_WORDS[lang].error}</strong>
            <a href="#file">{faultText(upload.fault, lang)}</a>
          </p>
        )}
        <h1>{heading}</h1>
        <p>{words.lead}</p>
        <UploadPanel visit={visit} upload={upload} />
        <Filters visit={visit} filter={filter} creators={creators} />
        <Table visit={visit} bulks={found.slice(0, PER_PAGE)} isFiltered={isFiltered(filter)} />
        <Paging visit={visit} filter={filter} last={found[PER_PAGE - 1]} total={found.length} />
      </>
    ),
  })
}

type Filter = {
  readonly state: BulkState | undefined
  readonly creator: string | undefined
  readonly after: string | undefined
}

const isFiltered = ({ state, creator, after }: Filter): boolean =>
  (state ?? creator ?? after) !== undefined

function filterIn({ request: { query } }: Visit): Filter {
  const text = (name: string): string =>
    typeof query[name] === 'string' ? (query[name] as string) : ''
  return {
    state: BULK_STATES.find((state) => state === text('state')),
    creator: text('creator') || undefined,
    after: parsePaymentId(text('after')),
  }
}

function UploadPanel({ visit, upload }: { visit: Visit; upload: Upload | undefined }) {
  const words = BULK_WORDS[visit.lang]
  const problem = upload && faultText(upload.fault, visit.lang)
  const fileHint = fill(words.fileHint, { rows: BULK_LIMITS.rows.toLocaleString(visit.lang) })
  return (
    <section class="panel" aria-labelledby="upload">
      <div class="spread">
        <h2 id="upload">{words.uploadHeading}</h2>
        <a href={`${BULK_PATH}/template.csv`} download>
          {words.template}
        </a>
      </div>
      {/* The identifier comes with the form: pressed twice, it makes one draft. */}
      <Form
        visit={visit}
        action={BULK_PATH}
        class="stack"
        hasFile
        values={{ id: visit.ctx.newKey() }}
      >
        <Labelled name="file" label={words.file} hint={fileHint} problem={problem}>
          <input
            id="file"
            name="file"
            type="file"
            accept=".csv,.txt,text/csv,text/plain"
            aria-describedby={describedBy('file', fileHint, problem)}
            aria-invalid={problem === undefined ? undefined : true}
          />
        </Labelled>
        <Labelled name="paste" label={words.paste} hint={words.pasteHint}>
          <textarea id="paste" name="paste" rows={4} aria-describedby="paste-hint">
            {upload?.pasted ?? ''}
          </textarea>
        </Labelled>
        <button type="submit" class="main">
          {words.upload}
        </button>
      </Form>
      <details open={problem !== undefined}>
        <summary>{words.columns}</summary>
        <p>{words.columnsText}</p>
        <dl class="facts">
          {BULK_COLUMNS.map((column, at) => (
            <Column key={column} name={column} note={at < 3 ? words.required : words.optional}>
              {words[`column_${column}`]}
            </Column>
          ))}
          <Column name="metadata.orderId" note={words.optional}>
            {words.column_metadata}
          </Column>
        </dl>
      </details>
    </section>
  )
}

type ColumnProps = {
  readonly name: string
  readonly note: string
  readonly children: ComponentChildren
}

const Column = ({ name, note, children }: ColumnProps) => (
  <>
    <dt>
      <code>{name}</code>
    </dt>
    <dd>
      {note} · {children}
    </dd>
  </>
)

type FiltersProps = {
  readonly visit: Visit
  readonly filter: Filter
  readonly creators: readonly string[]
}

function Filters({ visit, filter, creators }: FiltersProps) {
  const words = BULK_WORDS[visit.lang]
  const any = { value: '', text: words.any }
  return (
    <form class="filters" action={BULK_PATH}>
      <Choice
        name="state"
        label={words.state}
        value={filter.state}
        options={[any, ...BULK_STATES.map((value) => ({ value, text: words[`state_${value}`] }))]}
      />
      <Choice
        name="creator"
        label={words.creator}
        value={filter.creator}
        options={[any, ...creators.map((value) => ({ value, text: value }))]}
      />
      <ApplyFilters visit={visit} />
    </form>
  )
}

type TableProps = {
  readonly visit: Visit
  readonly bulks: readonly BulkPayout[]
  readonly isFiltered: boolean
}

function Table({ visit, bulks, isFiltered }: TableProps) {
  const words = BULK_WORDS[visit.lang]
  if (bulks.length === 0) {
    return (
      <p class="empty">
        {isFiltered ? words.noneMatch : words.none}{' '}
        {isFiltered ? <ClearFilters visit={visit} at={BULK_PATH} /> : null}
      </p>
    )
  }
  return (
    <StackedTable
      caption={words.list}
      heads={[
        words.name,
        words.state,
        { text: words.rows, isNumber: true },
        { text: words.total, isNumber: true },
        words.creator,
        words.created,
      ]}
    >
      {bulks.map((bulk) => (
        <tr key={bulk.id}>
          <th scope="row" data-label={words.name}>
            <a href={`${BULK_PATH}/${bulk.id}`}>{titleOf(visit, bulk)}</a>
          </th>
          <td data-label={words.state}>
            <BulkStateMark visit={visit} state={bulk.state} />
          </td>
          <td data-label={words.rows} class="number">
            {bulk.rowCount.toLocaleString(visit.lang)}
          </td>
          <td data-label={words.total} class="number">
            {totalsText(visit, bulk.totals)}
          </td>
          <td data-label={words.creator}>{nameOf(bulk.createdBy)}</td>
          <td data-label={words.created}>
            <When visit={visit} ms={bulk.createdAt} />
          </td>
        </tr>
      ))}
    </StackedTable>
  )
}

type PagingProps = {
  readonly visit: Visit
  readonly filter: Filter
  readonly last: BulkPayout | undefined
  readonly total: number
}

function Paging({ visit, filter, last, total }: PagingProps) {
  const words = BULK_WORDS[visit.lang]
  const { after, ...kept } = filter
  const given = Object.entries(kept).filter(([, value]) => value !== undefined)
  const linkTo = (more: Readonly<Record<string, string>>): string =>
    `${BULK_PATH}?${new URLSearchParams([...(given as [string, string][]), ...Object.entries(more)])}`
  return (
    <p class="row">
      {after === undefined ? null : <a href={linkTo({})}>{words.newest}</a>}
      {last !== undefined && total > PER_PAGE ? (
        <a href={linkTo({ after: last.id })} rel="next">
          {words.older}
        </a>
      ) : null}
    </p>
  )
}
