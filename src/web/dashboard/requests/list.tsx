import type { Page } from '../../../http/pages.ts'
import type { ListedRequest, RequestPage } from '../../../usecases/accounts/read-requests.ts'
import type { TokenSummary } from '../../../usecases/accounts/tokens-of-merchant.ts'
import { fill } from '../../words.ts'
import { ApplyFilters, Choice, Field } from '../fields.tsx'
import { dashboardPage } from '../frame.tsx'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { addressOf, type Filter, isFiltered, OUTCOMES, placeText, STATUSES } from './filter.ts'
import { Outcome, outcomeText } from './outcome.tsx'
import { REQUEST_WORDS, type RequestWords } from './words.ts'

type Shown = {
  readonly page: RequestPage
  readonly filter: Filter
  readonly tokens: readonly TokenSummary[]
}

export function requestsPage(visit: Visit, shown: Shown): Page {
  const words = REQUEST_WORDS[visit.lang]
  const heading = DASHBOARD_WORDS[visit.lang].requests
  const { page, filter } = shown
  return dashboardPage(visit, {
    name: 'requests',
    heading,
    children: (
      <>
        <h1>{heading}</h1>
        <p>{words.intro}</p>
        <Filters visit={visit} shown={shown} />
        {page.requests.length === 0 ? (
          <p class="empty">{emptyText(shown, words)}</p>
        ) : (
          <Requests visit={visit} requests={page.requests} />
        )}
        <nav class="row" aria-label={words.caption}>
          {filter.after === '' ? null : <a href={addressOf(filter, undefined)}>{words.newest}</a>}
          {page.seenUntil === undefined ? null : (
            <a rel="next" href={addressOf(filter, page.seenUntil)}>
              {page.requests.length === 0 ? words.furtherBack : words.older}
            </a>
          )}
        </nav>
      </>
    ),
  })
}

function emptyText({ page, filter }: Shown, words: RequestWords): string {
  if (page.seenUntil !== undefined) return words.noneYet
  return isFiltered(filter) || filter.after !== '' ? words.noneFound : words.none
}

function Filters({ visit, shown }: { readonly visit: Visit; readonly shown: Shown }) {
  const words = REQUEST_WORDS[visit.lang]
  const { filter, tokens } = shown
  const statuses = [
    { value: '', text: words.anyStatus },
    ...STATUSES.map((value) => ({ value, text: words[`status_${value}`] })),
    ...OUTCOMES.map((code) => ({
      value: code,
      text: fill(words.withCode, { text: outcomeText(code, visit.lang), code }),
    })),
  ]
  const isOther = !statuses.some(({ value }) => value === filter.status)
  const tokenOptions = [
    { value: '', text: words.anyToken },
    ...tokens.map(({ tokenId, label, lastFour }) => ({
      value: tokenId,
      text: lastFour === '' ? label : `${label} (…${lastFour})`,
    })),
  ]
  return (
    <form class="filters" action="/dashboard/requests">
      <Choice
        name="status"
        label={words.status}
        options={isOther ? [...statuses, { value: filter.status, text: filter.status }] : statuses}
        value={filter.status}
      />
      <Field name="path" label={words.path} hint={words.pathHint} value={filter.path} />
      <Choice name="token" label={words.token} options={tokenOptions} value={filter.token} />
      <ApplyFilters
        visit={visit}
        clearAt={isFiltered(filter) ? '/dashboard/requests' : undefined}
      />
    </form>
  )
}

function Requests({
  visit,
  requests,
}: {
  readonly visit: Visit
  readonly requests: readonly ListedRequest[]
}) {
  const words = REQUEST_WORDS[visit.lang]
  const heads = [words.time, words.method, words.path, words.status, words.result, words.ids]
  return (
    <div class="scroll">
      <table class="stacked dense">
        <caption>{words.caption}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
            <th scope="col" class="number">
              {words.duration}
            </th>
            <th scope="col">{words.token}</th>
          </tr>
        </thead>
        <tbody>
          {requests.map((request) => (
            <RequestRow key={placeText(request)} visit={visit} request={request} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type RowProps = { readonly visit: Visit; readonly request: ListedRequest }

function RequestRow({ visit, request }: RowProps) {
  const words = REQUEST_WORDS[visit.lang]
  const { at, method, path, status, durationMs } = request
  return (
    <tr>
      <td class="short" data-label={words.time}>
        <When visit={visit} ms={at} />
      </td>
      <td data-label={words.method}>{method}</td>
      <td class="id wrap" data-label={words.path}>
        <a
          href={`/dashboard/requests/${placeText(request)}`}
          aria-label={fill(words.open, { method, path })}
        >
          <bdi>{path}</bdi>
        </a>
      </td>
      <td data-label={words.status}>
        <span class={`state ${toneOf(request)}`}>{status}</span>
      </td>
      <td class="long" data-label={words.result}>
        <Outcome visit={visit} request={request} />
      </td>
      <td class="id" data-label={words.ids}>
        <Ids visit={visit} ids={request.ids} max={1} isShort />
      </td>
      <td class="number" data-label={words.duration}>
        {durationText(durationMs, words, visit)}
      </td>
      <td data-label={words.token}>{tokenText(request)}</td>
    </tr>
  )
}

export const toneOf = ({ status, outcome }: ListedRequest): string =>
  status >= 400 || outcome === 'REJECTED'
    ? 'bad'
    : outcome === 'DUPLICATE_IGNORED'
      ? 'open'
      : 'good'

export const durationText = (ms: number, words: RequestWords, { lang }: Visit): string =>
  fill(words.ms, { count: ms.toLocaleString(lang, { maximumFractionDigits: ms < 10 ? 1 : 0 }) })

export const tokenText = ({ token, lastFour, tokenId }: ListedRequest): string =>
  token === null ? tokenId : lastFour ? `${token} (…${lastFour})` : token

type IdsProps = {
  readonly visit: Visit
  readonly ids: readonly string[]
  readonly max: number
  /** Where there is little room: the beginning. */
  readonly isShort?: boolean
}

/** The search finds whatever has the identifier. */
export function Ids({ visit, ids, max, isShort = false }: IdsProps) {
  const words = REQUEST_WORDS[visit.lang]
  if (ids.length === 0) return <>–</>
  return (
    <span>
      {ids.slice(0, max).map((id) => (
        <span key={id}>
          <a href={`/dashboard/search?q=${id}`} title={id}>
            <bdi>{isShort ? `${id.slice(0, 8)}…` : id}</bdi>
          </a>{' '}
        </span>
      ))}
      {ids.length > max ? fill(words.more, { count: ids.length - max }) : null}
    </span>
  )
}
