/** D-11: the deliveries of callbacks. */
import { keyTime } from '../../../domain/callbacks/replay.ts'
import type { Page } from '../../../http/pages.ts'
import {
  type HistoryPage,
  type HistoryRow,
  listHistory,
} from '../../../usecases/callbacks/history.ts'
import { listReplaysFor } from '../../../usecases/callbacks/replay-as.ts'
import { fill } from '../../words.ts'
import { ApplyFilters, Choice, ClearFilters, Field } from '../fields.tsx'
import { dashboardPage } from '../frame.tsx'
import { stateText } from '../payments/parts.tsx'
import { dayType } from '../period.ts'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { ReplayForm, Replays, ResendForm } from './acts.tsx'
import { Result } from './parts.tsx'
import {
  KINDS,
  type ListQuery,
  listAddress,
  listQuery,
  PAGE_SIZES,
  placeText,
  RESULTS,
} from './query.ts'
import { CALLBACK_WORDS } from './words.ts'

export async function callbackList(visit: Visit): Promise<Page> {
  const { ctx, person, lang } = visit
  const words = CALLBACK_WORDS[lang]
  const query = listQuery(visit)
  const { result, kind, url, fromMs, toMs, after, limit } = query
  const [page, replays] = await Promise.all([
    listHistory(ctx, person, { result, kind, url, fromMs, toMs }, { after, limit }),
    listReplaysFor(ctx, person),
  ])
  return dashboardPage(visit, {
    name: 'callbacks',
    heading: words.heading,
    isProblem: query.wrong.length > 0,
    children: (
      <>
        <h1>{words.heading}</h1>
        <p>{words.lead}</p>
        {query.wrong.length === 0 ? null : (
          <p class="notice bad" role="alert">
            <strong>{DASHBOARD_WORDS[lang].error}</strong>
            {fill(words.badFilter, { names: query.wrong.map((name) => words[name]).join(', ') })}
          </p>
        )}
        <Filters visit={visit} query={query} />
        {page.rows.length === 0 ? <Empty visit={visit} query={query} page={page} /> : null}
        {page.rows.length === 0 ? null : <Table visit={visit} rows={page.rows} />}
        <Paging visit={visit} query={query} page={page} />
        {replays.length === 0 ? null : <Replays visit={visit} replays={replays} />}
        <ResendForm visit={visit} />
        <ReplayForm visit={visit} />
      </>
    ),
  })
}

type ListProps = { readonly visit: Visit; readonly query: ListQuery }

function Filters({ visit, query: { given, result, kind, url, limit } }: ListProps) {
  const words = CALLBACK_WORDS[visit.lang]
  const any = { value: '', text: words.any }
  const results = RESULTS.map((value) => ({ value, text: words[`result_${value}`] }))
  const kinds = KINDS.map((value) => ({ value, text: words[`kind_${value}`] }))
  const sizes = PAGE_SIZES.map((size) => ({ value: String(size), text: String(size) }))
  return (
    <form class="filters panel" action="/dashboard/callbacks">
      <Choice name="result" label={words.result} options={[any, ...results]} value={result} />
      <Choice name="kind" label={words.kind} options={[any, ...kinds]} value={kind} />
      <Field name="url" label={words.url} value={url} />
      <Field name="from" label={words.from} type={dayType(given.from)} value={given.from} />
      <Field name="to" label={words.to} type={dayType(given.to)} value={given.to} />
      <Choice name="per" label={words.per} options={sizes} value={String(limit)} />
      <ApplyFilters visit={visit} clearAt={listAddress({})} />
    </form>
  )
}

type PageProps = ListProps & { readonly page: HistoryPage }

function Empty({ visit, query, page }: PageProps) {
  const words = CALLBACK_WORDS[visit.lang]
  const isFiltered = Object.keys(query.given).length > 0 || query.after !== undefined
  if (page.stoppedAfter !== undefined) return null
  return isFiltered ? (
    <div class="panel empty">
      <p>{words.empty}</p>
      <p>
        <ClearFilters visit={visit} at={listAddress({})} />
      </p>
    </div>
  ) : (
    <div class="panel empty">
      <p>{words.emptyAtAll}</p>
      <p>
        <a href="/dashboard/callback-urls">{words.setUrls}</a>
      </p>
    </div>
  )
}

function Paging({ visit, query, page: { next, stoppedAfter } }: PageProps) {
  const words = CALLBACK_WORDS[visit.lang]
  const { given, after } = query
  return (
    <>
      {stoppedAfter === undefined ? null : (
        <p class="notice warn">{fill(words.stopped, { count: stoppedAfter })}</p>
      )}
      {next === undefined && after === undefined ? null : (
        <nav class="row" aria-label={words.heading}>
          {after === undefined ? null : <a href={listAddress(given)}>{words.newest}</a>}
          {next === undefined ? null : (
            <a class="button" rel="next" href={listAddress(given, placeText(next))}>
              {stoppedAfter === undefined ? words.older : words.goOn}
            </a>
          )}
        </nav>
      )}
    </>
  )
}

type TableProps = { readonly visit: Visit; readonly rows: readonly HistoryRow[] }

function Table({ visit, rows }: TableProps) {
  const words = CALLBACK_WORDS[visit.lang]
  const { timeZone: zone } = visit.person.user
  return (
    <div class="scroll">
      <table class="stacked dense">
        <caption>{fill(words.caption, { zone })}</caption>
        <thead>
          <tr>
            <th scope="col">{words.time}</th>
            <th scope="col">{words.kind}</th>
            <th scope="col">{words.id}</th>
            <th scope="col">{words.reports}</th>
            <th scope="col">{words.url}</th>
            <th scope="col">{words.result}</th>
            <th scope="col" class="number">
              {words.tries}
            </th>
            <th scope="col" class="number">
              {words.latency}
            </th>
            <th scope="col">{words.next}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={placeText(row)} visit={visit} row={row} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Row({ visit, row }: { readonly visit: Visit; readonly row: HistoryRow }) {
  const words = CALLBACK_WORDS[visit.lang]
  const { key, kind, status, durationMs, httpStatus, dueMs, tries, url } = row
  return (
    <tr>
      <th scope="row" data-label={words.time}>
        <a href={`/dashboard/callbacks/${key}`}>
          <When visit={visit} ms={keyTime(key)} />
        </a>
      </th>
      <td data-label={words.kind}>{words[`kind_${kind}`]}</td>
      <td data-label={words.id} class="id wrap">
        <bdi>{row.paymentId}</bdi>
      </td>
      <td data-label={words.reports}>{stateText(row.state, visit.lang)}</td>
      <td data-label={words.url} class="id wrap">
        <bdi>{url ?? words.none}</bdi>
      </td>
      <td data-label={words.result}>
        <span>
          <Result status={status} visit={visit} /> {httpStatus === null ? '' : httpStatus}
        </span>
      </td>
      <td data-label={words.tries} class="number">
        {tries}
      </td>
      <td data-label={words.latency} class="number">
        {durationMs === null || tries === 0 ? words.none : fill(words.ms, { ms: durationMs })}
      </td>
      <td data-label={words.next}>
        {dueMs === null ? words.none : <When visit={visit} ms={dueMs} />}
      </td>
    </tr>
  )
}
