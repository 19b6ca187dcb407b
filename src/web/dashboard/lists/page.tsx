/** What all lists have in common: filters, views, columns, rows, pages, files. */

import { may } from '../../../domain/people/roles.ts'
import type { Page } from '../../../http/pages.ts'
import { type Counted, FIRST_KEY } from '../../../usecases/payments/browse-payments.ts'
import { columnsFor, type SavedView, viewsOf } from '../../../usecases/people/saved-views.ts'
import { assets } from '../../assets.ts'
import { seeOther } from '../../response.ts'
import { fill } from '../../words.ts'
import { ClearFilters } from '../fields.tsx'
import { dashboardPage } from '../frame.tsx'
import { ExportButtons } from '../money/export-buttons.tsx'
import { LIST_WORDS } from '../payments/words.ts'
import type { Visit } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { type Column, ColumnChooser, idsOf, shownColumns, usualColumns } from './columns.tsx'
import { EMPTY_WORDS } from './empty-words.ts'
import { addressOf, queryOf, type ReadList, readList, tidied } from './filter.ts'
import { Filters } from './filters.tsx'
import type { ListShape } from './shape.ts'
import { Table } from './table.tsx'
import { Views } from './views.tsx'

const SCRIPT = assets('list.js')

type FoundRows<Row> = Counted & {
  readonly rows: readonly Row[]
  /** Where the next page begins; undefined on the last one. */
  readonly next: string | undefined
}

type ListParts<Row> = {
  readonly find: (read: ReadList) => Promise<FoundRows<Row>>
  readonly columns: readonly Column<Row>[]
  readonly listed: (row: Row) => {
    readonly key: string
    readonly createdAt: number
    readonly href: string
  }
  /** Whether the page says that more have come. */
  readonly isLive?: true
}

export async function listPage<Row>(
  visit: Visit,
  shape: ListShape,
  parts: ListParts<Row>,
): Promise<Page> {
  const { ctx, person, request } = visit
  const [views, kept] = await Promise.all([
    viewsOf(ctx, person, shape.place),
    columnsFor(ctx, person, shape.place),
  ])
  const first = views.find(({ isDefault }) => isDefault)
  const isBare = Object.keys(request.query).every((name) => name === 'lang')
  if (first !== undefined && isBare) {
    return seeOther(`/dashboard/${shape.place}?${first.query || 'all'}`)
  }
  const tidy = tidied(visit, shape)
  if (tidy !== undefined) return seeOther(tidy)
  const read = readList(visit, shape)
  const found = await parts.find(read)
  const heading = DASHBOARD_WORDS[visit.lang][shape.place]
  return dashboardPage(visit, {
    name: shape.place,
    heading,
    script: SCRIPT,
    children: (
      <>
        <h1>{heading}</h1>
        <div id="list" class="list">
          <List visit={visit} read={read} parts={parts} found={found} views={views} kept={kept} />
        </div>
      </>
    ),
  })
}

type ListProps = { readonly visit: Visit; readonly read: ReadList }

type WholeProps<Row> = ListProps & {
  readonly parts: ListParts<Row>
  readonly found: FoundRows<Row>
  readonly views: readonly SavedView[]
  readonly kept: string | undefined
}

function List<Row>({ visit, read, parts, found, views, kept }: WholeProps<Row>) {
  const { columns: all, listed, isLive } = parts
  const { rows, next } = found
  const shown = shownColumns(all, read.columns, kept)
  const isUsual = idsOf(shown) === idsOf(usualColumns(all))
  const newest = rows[0]
  // A view shows the same columns to whomever it is shared with.
  const viewQuery = queryOf(read, { columns: isUsual ? undefined : idsOf(shown) })
  return (
    <>
      <div class="folds">
        <Filters visit={visit} read={read} />
        <Views visit={visit} place={read.shape.place} query={viewQuery} views={views} />
        <ColumnChooser visit={visit} read={read} all={all} shown={shown} query={queryOf(read)} />
      </div>
      {isLive ? <Fresh visit={visit} read={read} newest={newest && listed(newest).key} /> : null}
      {rows.length === 0 ? (
        <Nothing visit={visit} read={read} />
      ) : (
        <Table
          visit={visit}
          read={read}
          rows={rows}
          columns={shown}
          listed={listed}
          caption={captionOf(visit, read, found)}
        />
      )}
      <Pages visit={visit} read={read} next={next} />
    </>
  )
}

function captionOf({ lang }: Visit, read: ReadList, { count, isCountedWhole }: Counted) {
  const words = LIST_WORDS[lang]
  const [one, many, tooMany] =
    read.shape.place === 'checkouts'
      ? [words.oneCheckout, words.manyCheckouts, words.tooManyCheckouts]
      : [words.one, words.many, words.tooMany]
  const number = new Intl.NumberFormat(lang).format(count)
  const counted = count === 1 ? one : fill(many, { n: number })
  const caption = read.order === 'newest' ? words.caption : words.captionOldest
  return fill(caption, { count: isCountedWhole ? counted : tooMany })
}

type FreshProps = ListProps & { readonly newest: string | undefined }

/** The script learns of them while the page is looked at, and shows the line. */
function Fresh({ visit, read, newest }: FreshProps) {
  const words = LIST_WORDS[visit.lang]
  if (read.after !== undefined || read.order !== 'newest') return null
  const query = new URLSearchParams({ ...read.given, since: newest ?? FIRST_KEY })
  const path = `/dashboard/${read.shape.place}`
  return (
    <p
      class="notice"
      role="status"
      hidden
      data-events={`${path}/events?${query}`}
      data-newer={`${path}/newer?${query}`}
      data-one={words.oneFresh}
      data-many={words.fresh}
    >
      <span /> <a href={addressOf(read)}>{words.showFresh}</a>
    </p>
  )
}

function Nothing({ visit, read }: ListProps) {
  const { place } = read.shape
  const isFiltered = Object.keys(read.given).length > 0 || read.after !== undefined
  return (
    <div class="panel empty">
      <p>{EMPTY_WORDS[visit.lang][`${isFiltered ? 'noneMatch' : 'noneYet'}_${place}`]}</p>
      {isFiltered ? (
        <p>
          <ClearFilters visit={visit} at={`/dashboard/${place}?all`} />
        </p>
      ) : null}
    </div>
  )
}

type PagesProps = ListProps & { readonly next: string | undefined }

function Pages({ visit, read, next }: PagesProps) {
  const words = LIST_WORDS[visit.lang]
  const { after, order, shape } = read
  const isNewest = order === 'newest'
  const exported = { per: undefined, columns: undefined }
  const file = (more: Readonly<Record<string, string>> = {}): string =>
    addressOf(read, { ...exported, ...more }, '.csv')
  return (
    <nav class="spread" aria-label={words.pages}>
      <span class="row">
        {after === undefined ? null : (
          <a href={addressOf(read)}>{isNewest ? words.newest : words.oldest}</a>
        )}
        {next === undefined ? null : (
          <a href={addressOf(read, { after: next })} rel="next">
            {isNewest ? words.older : words.newer}
          </a>
        )}
      </span>
      {may(visit.person.role, 'money:view') ? (
        <span class="row" data-plain>
          <a href={file()}>{words.csv}</a>
          <a href={file({ mode: 'spreadsheet' })}>{words.csvSpreadsheet}</a>
          <a href={file({ mode: 'spreadsheet', separator: ';' })}>{words.csvFrench}</a>
          <ExportButtons
            visit={visit}
            values={{ list: shape.place, query: queryOf(read, exported) }}
          />
        </span>
      ) : null}
    </nav>
  )
}
