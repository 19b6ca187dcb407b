import type { Page } from '../../../http/pages.ts'
import type { auditPage } from '../../../usecases/people/audit-log.ts'
import { fill } from '../../words.ts'
import { ApplyFilters, Choice, ClearFilters, Field } from '../fields.tsx'
import { dashboardPage } from '../frame.tsx'
import { StackedTable } from '../stacked-table.tsx'
import { When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { actionName, actorName } from './actions.ts'
import type { GivenFilter } from './filter.ts'
import { objectText } from './objects.ts'
import { AUDIT_WORDS } from './words.ts'

type Found = Awaited<ReturnType<typeof auditPage>>
type Entry = Found['entries'][number]

type Shown = Found & { readonly filter: GivenFilter; readonly actions: readonly string[] }

const addressOf = (path: string, query: Readonly<Record<string, string>>): string => {
  const search = new URLSearchParams(query).toString()
  return search === '' ? path : `${path}?${search}`
}

export function renderAudit(visit: Visit, shown: Shown): Page {
  const { lang } = visit
  const words = AUDIT_WORDS[lang]
  const { entries, next, filter } = shown
  const { given, wrong } = filter
  return dashboardPage(visit, {
    name: 'audit',
    heading: words.heading,
    isProblem: wrong.length > 0,
    children: (
      <>
        {wrong.length === 0 ? null : (
          <p class="notice bad" role="alert">
            <strong>{DASHBOARD_WORDS[lang].error}</strong>
            <a href={`#${wrong[0]}`}>
              {fill(words.badTimes, { fields: wrong.map((name) => words[name]).join(', ') })}
            </a>
          </p>
        )}
        <h1>{words.heading}</h1>
        <p>{words.lead}</p>
        <Filters visit={visit} shown={shown} />
        <p class="row">
          <a href={addressOf('/dashboard/audit.csv', given)}>{words.export}</a>
          <a href={addressOf('/dashboard/audit.csv', { ...given, mode: 'spreadsheet' })}>
            {words.exportSheet}
          </a>
        </p>
        {entries.length === 0 ? (
          <div class="empty panel">
            <p>{words.none}</p>
            <p>
              <ClearFilters visit={visit} at="/dashboard/audit" />
            </p>
          </div>
        ) : (
          <Entries visit={visit} entries={entries} />
        )}
        {next === undefined ? null : (
          <p>
            <a
              class="button"
              rel="next"
              href={addressOf('/dashboard/audit', { ...given, after: String(next) })}
            >
              {words.next}
            </a>
          </p>
        )}
      </>
    ),
  })
}

function Filters({ visit, shown }: { readonly visit: Visit; readonly shown: Shown }) {
  const words = AUDIT_WORDS[visit.lang]
  const { given, wrong } = shown.filter
  const problemOf = (name: 'from' | 'to') => (wrong.includes(name) ? words.badTime : undefined)
  const options = shown.actions.map((value) => ({ value, text: actionName(value, visit.lang) }))
  return (
    <form class="filters" action="/dashboard/audit">
      <Field name="actor" label={words.actor} value={given.actor} />
      <Choice
        name="action"
        label={words.action}
        value={given.action ?? ''}
        options={[{ value: '', text: words.anyAction }, ...options]}
      />
      <Field
        name="from"
        label={words.from}
        type="date"
        value={given.from}
        problem={problemOf('from')}
      />
      <Field name="to" label={words.to} type="date" value={given.to} problem={problemOf('to')} />
      <ApplyFilters visit={visit} clearAt="/dashboard/audit" />
    </form>
  )
}

function Entries({
  visit,
  entries,
}: {
  readonly visit: Visit
  readonly entries: readonly Entry[]
}) {
  const words = AUDIT_WORDS[visit.lang]
  return (
    <StackedTable
      caption={words.caption}
      heads={[
        words.time,
        words.who,
        words.action,
        words.object,
        words.address,
        words.change,
        words.hash,
      ]}
    >
      {entries.map((entry) => (
        <tr key={entry.number}>
          <th scope="row" data-label={words.time}>
            <When visit={visit} ms={entry.at} />
          </th>
          <td data-label={words.who}>{actorName(entry.actor, visit.lang)}</td>
          <td data-label={words.action}>{actionName(entry.action, visit.lang)}</td>
          <td data-label={words.object}>
            <bdi>{objectText(visit, entry.object)}</bdi>
          </td>
          <td data-label={words.address}>
            <bdi dir="ltr">{entry.address || '–'}</bdi>
          </td>
          <td data-label={words.change}>
            <Change visit={visit} entry={entry} />
          </td>
          <td class="id" data-label={words.hash} title={entry.hash}>
            {entry.hash.slice(0, 12)}
          </td>
        </tr>
      ))}
    </StackedTable>
  )
}

function Change({ visit, entry }: { readonly visit: Visit; readonly entry: Entry }) {
  const words = AUDIT_WORDS[visit.lang]
  const { before, after } = entry
  if (!before && !after) return <>–</>
  return (
    <details>
      <summary>{words.change}</summary>
      <dl class="facts">
        {[[words.before, before] as const, [words.after, after] as const].map(([name, value]) =>
          value ? (
            <div key={name}>
              <dt>{name}</dt>
              <dd class="id">{JSON.stringify(value)}</dd>
            </div>
          ) : null,
        )}
      </dl>
    </details>
  )
}
