import type { Page } from '../../page.tsx'
import { SEARCH_PATH } from '../anchors.ts'
import type { Reading } from '../reading.ts'
import { renderDocs } from '../shell.tsx'
import type { Entry, Kind } from './entries.ts'
import type { Finding } from './find.ts'
import { SearchForm } from './form.tsx'

export function renderSearch(reading: Reading, query: string, findings: readonly Finding[]): Page {
  return renderDocs({
    reading,
    title: query === '' ? 'Search' : `${query} · Search`,
    path: SEARCH_PATH,
    hasSearch: true,
    children: (
      <>
        <h1>Search</h1>
        <SearchForm id="search" query={query} isLarge />
        <div id="found">
          <Summary query={query} findings={findings} />
          {findings.map((finding) => (
            <FindingView key={finding.kind} finding={finding} />
          ))}
        </div>
      </>
    ),
  })
}

function Summary({
  query,
  findings,
}: {
  readonly query: string
  readonly findings: readonly Finding[]
}) {
  if (query === '') return <Hint />
  if (findings.length === 0) {
    return (
      <>
        <p class="summary">Nothing was found for “{query}”.</p>
        <Hint />
      </>
    )
  }
  const total = findings.reduce((sum, finding) => sum + finding.total, 0)
  return (
    <p class="summary">
      {total} {total === 1 ? 'result' : 'results'} for “{query}”
    </p>
  )
}

const EXAMPLES = ['clientReferenceId', 'AMOUNT_OUT_OF_BOUNDS', '/v2/payouts', 'retry']

function Hint() {
  return (
    <p class="note">
      Try the name of a field, a failure code, a path or a word of a guide:{' '}
      {EXAMPLES.flatMap((example, index) => [
        index === 0 ? '' : ', ',
        <a key={example} href={`${SEARCH_PATH}?q=${encodeURIComponent(example)}`}>
          {example}
        </a>,
      ])}
      .
    </p>
  )
}

const TITLES: Readonly<Record<Kind, string>> = {
  operations: 'Operations and callbacks',
  fields: 'Fields',
  codes: 'Failure codes',
  guides: 'Guides',
}

function FindingView({ finding }: { readonly finding: Finding }) {
  const { kind, entries, total } = finding
  return (
    <section class="finding" aria-label={TITLES[kind]}>
      <h2>{TITLES[kind]}</h2>
      <ul>
        {entries.map((entry) => (
          <li key={entry.href}>
            <EntryView entry={entry} />
          </li>
        ))}
      </ul>
      {total > entries.length ? (
        <p class="note">
          {entries.length} of {total} shown. Add a word to narrow it down, such as the name of an
          operation.
        </p>
      ) : null}
    </section>
  )
}

function EntryView({ entry }: { readonly entry: Entry }) {
  const { kind, name, detail, href, places } = entry
  const isCode = kind === 'fields' || kind === 'codes'
  return (
    <>
      <a href={href}>{isCode ? <code>{name}</code> : name}</a>
      {detail === '' ? null : <span class="detail">{detail}</span>}
      {places.length === 0 ? null : (
        <details>
          <summary>
            In {places.length} {places.length === 1 ? 'operation' : 'operations'}
          </summary>
          <ul>
            {places.map((place) => (
              <li key={place.href}>
                <a href={place.href}>{place.title}</a>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  )
}
