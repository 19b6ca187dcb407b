import { type Availability, OPERATION_TYPES, type OperationType } from '../../../domain/provider.ts'
import type { Page } from '../../../http/pages.ts'
import {
  readProviderChanges,
  type ShownChange,
} from '../../../usecases/operators/provider-changes.ts'
import { statusSubscriptionOf } from '../../../usecases/people/status-subscriptions.ts'
import { fill } from '../../words.ts'
import { ApplyFilters, Choice } from '../fields.tsx'
import { dashboardPage, missingPage } from '../frame.tsx'
import { providerName } from '../payments/parts.tsx'
import { StackedTable } from '../stacked-table.tsx'
import { momentText, When } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { type CountryStatus, type ProviderStatus, statusOfCountries } from './status.ts'
import { StatusMailPanel } from './subscription.tsx'
import { PROVIDER_WORDS } from './words.ts'

/** Which operations of which providers work: what `GET /v2/availability` says, and since when. */
export async function providersPage(visit: Visit): Promise<Page> {
  const { ctx, person, lang, request } = visit
  const asked = typeof request.query.country === 'string' ? request.query.country : ''
  const all = statusOfCountries(visit, undefined)
  const shown = asked === '' ? all : all.filter(({ country }) => country === asked)
  // A country that is not there, or not for this person.
  if (asked !== '' && shown.length === 0) return missingPage(visit)
  const codes = shown.flatMap(({ providers }) => providers.map(({ provider }) => provider.code))
  const changes = await readProviderChanges(ctx, person.merchant.id, codes)
  const subscription = await statusSubscriptionOf(ctx, person)
  const words = PROVIDER_WORDS[lang]
  const heading = DASHBOARD_WORDS[lang].providers
  return dashboardPage(visit, {
    name: 'providers',
    heading,
    children: (
      <>
        <h1>{heading}</h1>
        <form class="row" action="/dashboard/providers">
          <Choice
            name="country"
            label={words.country}
            value={asked}
            options={[
              { value: '', text: words.allCountries },
              ...all.map(({ country, name }) => ({ value: country, text: name })),
            ]}
          />
          <ApplyFilters visit={visit} />
        </form>
        <p class="note">{words.meaning}</p>
        {shown.length === 0 ? <Nothing visit={visit} /> : null}
        {shown.map((country) => (
          <Country key={country.country} visit={visit} status={country} since={changes.since} />
        ))}
        <StatusMailPanel visit={visit} countries={all} subscription={subscription} asked={asked} />
        <History visit={visit} changes={changes.history} />
      </>
    ),
  })
}

function Nothing({ visit }: { readonly visit: Visit }) {
  const words = PROVIDER_WORDS[visit.lang]
  return (
    <div class="panel empty">
      <p>{words.empty}</p>
      <p>
        <a href="/dashboard">{words.emptyWay}</a>
      </p>
    </div>
  )
}

type CountryProps = {
  readonly visit: Visit
  readonly status: CountryStatus
  readonly since: readonly ShownChange[]
}

function Country({ visit, status, since }: CountryProps) {
  const words = PROVIDER_WORDS[visit.lang]
  const { name, providers } = status
  return (
    <StackedTable
      caption={<strong>{name}</strong>}
      heads={[words.provider, ...OPERATION_TYPES.map((operation) => words[`op_${operation}`])]}
    >
      {providers.map((one) => (
        <tr key={one.provider.code}>
          <th scope="row" data-label={words.provider}>
            <span>
              {one.provider.displayName} <span class="note">{one.provider.code}</span>
            </span>
          </th>
          {OPERATION_TYPES.map((operation) => (
            <Cell key={operation} visit={visit} one={one} operation={operation} since={since} />
          ))}
        </tr>
      ))}
    </StackedTable>
  )
}

type CellProps = {
  readonly visit: Visit
  readonly one: ProviderStatus
  readonly operation: OperationType
  readonly since: readonly ShownChange[]
}

function Cell({ visit, one, operation, since }: CellProps) {
  const words = PROVIDER_WORDS[visit.lang]
  const label = words[`op_${operation}`]
  const status = one.operations.find((each) => each.operation === operation)?.status
  if (status === undefined) {
    return (
      <td data-label={label}>
        <span class="note">{words.notOffered}</span>
      </td>
    )
  }
  const changed = since.find(
    (each) =>
      each.provider === one.provider.code && each.operation === operation && each.status === status,
  )
  return (
    <td data-label={label} data-status={`${one.provider.code}/${operation}/${status}`}>
      <Status visit={visit} status={status} />
      {changed === undefined ? null : (
        <>
          {' '}
          <span class="note">
            {fill(words.since, { time: momentText(visit, changed.sinceMs, false) })}
          </span>
        </>
      )}
    </td>
  )
}

const TONES: Readonly<Record<Availability | 'AUTOMATIC', string>> = {
  OPERATIONAL: 'good',
  DELAYED: 'open',
  CLOSED: 'bad',
  AUTOMATIC: '',
}

type StatusProps = { readonly visit: Visit; readonly status: Availability | 'AUTOMATIC' }

const Status = ({ visit, status }: StatusProps) => (
  <span class={`state ${TONES[status]}`}>{PROVIDER_WORDS[visit.lang][`status_${status}`]}</span>
)

type HistoryProps = { readonly visit: Visit; readonly changes: readonly ShownChange[] }

function History({ visit, changes }: HistoryProps) {
  const words = PROVIDER_WORDS[visit.lang]
  return (
    <section class="stack" aria-labelledby="history">
      <h2 id="history">{words.history}</h2>
      {changes.length === 0 ? (
        <p class="note">{words.noHistory}</p>
      ) : (
        <div class="scroll full">
          <table class="stacked">
            <caption>{words.historyCaption}</caption>
            <thead>
              <tr>
                {(['time', 'provider', 'operation', 'status'] as const).map((name) => (
                  <th key={name} scope="col">
                    {words[name]}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {changes.map(({ provider, operation, status, sinceMs }, at) => (
                <tr key={at}>
                  <th scope="row" data-label={words.time}>
                    <When visit={visit} ms={sinceMs} />
                  </th>
                  <td data-label={words.provider}>
                    {providerName(visit, provider)} <span class="note">{provider}</span>
                  </td>
                  <td data-label={words.operation}>{words[`op_${operation}`]}</td>
                  <td data-label={words.status}>
                    <Status visit={visit} status={status} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}
