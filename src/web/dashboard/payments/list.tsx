import type { ComponentChild } from 'preact'
import type { Payment } from '../../../domain/payments/payment.ts'
import type { PaymentKind } from '../../../domain/payments/payment-state.ts'
import { may } from '../../../domain/people/roles.ts'
import type { Page } from '../../../http/pages.ts'
import {
  countNewer,
  FIRST_KEY,
  pageOfPayments,
  sourceOf,
} from '../../../usecases/payments/browse-payments.ts'
import { viewsOf } from '../../../usecases/people/saved-views.ts'
import { money } from '../../money.ts'
import { privateJson, seeOther } from '../../response.ts'
import { fill } from '../../words.ts'
import { dashboardPage } from '../frame.tsx'
import type { MenuName } from '../menu.ts'
import { ExportButtons } from '../money/export-buttons.tsx'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { type ReadFilter, readFilter } from './filter.ts'
import { Filters } from './filters.tsx'
import { metadataText, PLACE_OF, pathOf, phoneText, providerName, State } from './parts.tsx'
import { Views } from './views.tsx'
import { LIST_WORDS } from './words.ts'

/** Metadata fields shown in a row; the detail shows all. */
const METADATA_SHOWN = 2

/** All payments of a kind, by the filter of the address. */
export async function listPage(visit: Visit, kind: PaymentKind): Promise<Page> {
  const place = PLACE_OF[kind]
  const views = await viewsOf(visit.ctx, visit.person, place)
  const first = views.find(({ isDefault }) => isDefault)
  const isBare = Object.keys(visit.request.query).every((name) => name === 'lang')
  if (first !== undefined && isBare) return seeOther(`/dashboard/${place}?${first.query || 'all'}`)
  const read = readFilter(visit, [kind])
  const { payments, next, count, isCountedWhole } = await pageOfPayments(
    visit.ctx,
    read.filter,
    read,
  )
  const words = LIST_WORDS[visit.lang]
  const heading = DASHBOARD_WORDS[visit.lang][place as MenuName]
  const number = new Intl.NumberFormat(visit.lang).format(count)
  const counted = count === 1 ? words.one : fill(words.many, { n: number })
  return dashboardPage(visit, {
    name: place as MenuName,
    heading,
    children: (
      <>
        <h1>{heading}</h1>
        <Filters visit={visit} read={read} place={place} />
        <Views visit={visit} read={read} place={place} views={views} />
        <Fresh visit={visit} read={read} place={place} newest={payments[0]?.key} />
        {payments.length === 0 ? (
          <Nothing visit={visit} read={read} place={place} />
        ) : (
          <Rows
            visit={visit}
            payments={payments}
            caption={fill(words.caption, { count: isCountedWhole ? counted : words.tooMany })}
          />
        )}
        <Pages visit={visit} read={read} place={place} next={next} />
      </>
    ),
  })
}

type FreshProps = ListProps & { readonly newest: string | undefined }

/** The script asks now and then, while the page is looked at, and shows the line. */
function Fresh({ visit, read, place, newest }: FreshProps) {
  const words = LIST_WORDS[visit.lang]
  if (read.after !== undefined) return null
  const given = read.given as Record<string, string>
  const query = new URLSearchParams({ ...given, since: newest ?? FIRST_KEY })
  return (
    <p
      class="notice"
      role="status"
      hidden
      data-newer={`/dashboard/${place}/newer?${query}`}
      data-one={words.oneFresh}
      data-many={words.fresh}
    >
      <span />{' '}
      <a href={`/dashboard/${place}?${new URLSearchParams(given).toString() || 'all'}`}>
        {words.showFresh}
      </a>
    </p>
  )
}

/** How many payments of the filter came since the newest that the page shows. */
export async function newerCount(visit: Visit, kind: PaymentKind): Promise<Page> {
  const { since } = visit.request.query
  const isKey = typeof since === 'string' && /^[0-9a-f-]{36}$/.test(since)
  const { filter } = readFilter(visit, [kind])
  const count = isKey ? await countNewer(visit.ctx, filter, since) : 0
  return privateJson({ count })
}

type ListProps = { readonly visit: Visit; readonly read: ReadFilter; readonly place: string }

function Nothing({ visit, read, place }: ListProps) {
  const words = LIST_WORDS[visit.lang]
  const isFiltered = Object.keys(read.given).length > 0 || read.after !== undefined
  return (
    <div class="panel empty">
      <p>{isFiltered ? words.none : words.noneAtAll}</p>
      {isFiltered ? (
        <p>
          <a href={`/dashboard/${place}?all`}>{words.clear}</a>
        </p>
      ) : null}
    </div>
  )
}

type Column = {
  readonly name: string
  readonly class?: string
  readonly cell: (payment: Payment) => ComponentChild
}

function columnsOf(visit: Visit): readonly Column[] {
  const { lang } = visit
  const words = LIST_WORDS[lang]
  return [
    { name: words.status, cell: ({ state }) => <State visit={visit} state={state} /> },
    {
      name: words.amount,
      class: 'number',
      cell: ({ amount, currency }) => money(amount, currency, lang),
    },
    { name: words.phone, class: 'id', cell: (payment) => phoneText(visit, payment) },
    { name: words.provider, cell: ({ provider }) => providerName(visit, provider) },
    { name: words.country, cell: ({ country }) => country },
    { name: words.source, cell: (payment) => words[`source_${sourceOf(payment)}`] },
    { name: words.clientReferenceId, cell: ({ details }) => details.clientReferenceId ?? '' },
    {
      name: words.transactionId,
      class: 'id',
      cell: ({ providerTransactionId }) => providerTransactionId ?? '',
    },
    { name: words.failureCode, cell: ({ failure }) => failure?.code ?? '' },
    { name: words.metadata, cell: (payment) => <Metadata visit={visit} payment={payment} /> },
  ]
}

function Metadata({ visit, payment }: { readonly visit: Visit; readonly payment: Payment }) {
  const entries = payment.details.metadata ?? []
  const left = entries.length - METADATA_SHOWN
  const shown = entries
    .slice(0, METADATA_SHOWN)
    .map((entry) => `${entry.name}: ${metadataText(entry)}`)
  const more = left > 0 ? ` ${fill(LIST_WORDS[visit.lang].more, { n: left })}` : ''
  return <>{shown.join(', ') + more}</>
}

type RowsProps = {
  readonly visit: Visit
  readonly payments: readonly Payment[]
  readonly caption: string
}

export function Rows({ visit, payments, caption }: RowsProps) {
  const words = LIST_WORDS[visit.lang]
  const columns = columnsOf(visit)
  return (
    <div class="scroll">
      <table class="stacked">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{words.created}</th>
            {columns.map(({ name, class: type }) => (
              <th key={name} scope="col" class={type === 'number' ? 'number' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {payments.map((payment) => (
            <tr key={payment.key}>
              <th scope="row" data-label={words.created}>
                <a href={pathOf(payment)}>
                  <When visit={visit} ms={payment.createdAt} />
                </a>
              </th>
              {columns.map(({ name, class: type, cell }) => (
                <td key={name} class={type} data-label={name}>
                  {cell(payment)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const queryOf = (given: ReadFilter['given']): string =>
  new URLSearchParams(given as Record<string, string>).toString()

type PagesProps = ListProps & { readonly next: string | undefined }

function Pages({ visit, read, place, next }: PagesProps) {
  const words = LIST_WORDS[visit.lang]
  const { given, per, after } = read
  const address = (more: Readonly<Record<string, string>>, ending = ''): string =>
    `/dashboard/${place}${ending}?${new URLSearchParams({ ...(given as Record<string, string>), ...more })}`
  const rows = { per: String(per) }
  const mayExport = may(visit.person.role, 'money:view')
  return (
    <nav class="spread" aria-label={words.older}>
      <span class="row">
        {after === undefined ? null : <a href={address(rows)}>{words.newest}</a>}
        {next === undefined ? null : <a href={address({ ...rows, after: next })}>{words.older}</a>}
      </span>
      {mayExport ? (
        <span class="row">
          <a href={address({}, '.csv')}>{words.csv}</a>
          <a href={address({ mode: 'spreadsheet' }, '.csv')}>{words.csvSpreadsheet}</a>
          <ExportButtons visit={visit} values={{ list: place, query: queryOf(given) }} />
        </span>
      ) : null}
    </nav>
  )
}
