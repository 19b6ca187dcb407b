import { FAILURE_CAUSES, isPaymentFailureCode } from '../../../domain/failure.ts'
import { PAYMENT_KINDS } from '../../../domain/payments/payment-state.ts'
import { may } from '../../../domain/people/roles.ts'
import type { Page } from '../../../http/pages.ts'
import { type Count, countOutcomes } from '../../../usecases/payments/count-outcomes.ts'
import { findAttention } from '../../../usecases/payments/find-attention.ts'
import { fill } from '../../words.ts'
import { codeMeaning } from '../failure-words.ts'
import { ApplyFilters, Choice } from '../fields.tsx'
import { dashboardPage, missingPage } from '../frame.tsx'
import { money } from '../money-text.ts'
import { PLACE_OF } from '../payments/parts.tsx'
import { statusOfCountries } from '../providers/status.ts'
import { momentText } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { walletsFor } from './balances.ts'
import { Charts, kindName, OutcomeCells, Rate } from './charts.tsx'
import {
  byCurrency,
  type CurrencyRow,
  outcomesOf,
  successRate,
  topFailures,
  totalOf,
} from './figures.ts'
import { CountLink, homeWith, listOf } from './links.tsx'
import { type Asked, countriesFor, RANGES, readAsked } from './range.ts'
import { Attention, Balances, ProviderStrip } from './sections.tsx'
import { HOME_WORDS } from './words.ts'

export async function homePage(visit: Visit): Promise<Page> {
  const asked = readAsked(visit)
  if (asked === undefined) return missingPage(visit)
  const { ctx, person } = visit
  const merchantId = person.merchant.id
  const { countries } = asked
  const all = person.countries.length === 0 ? undefined : person.countries
  const [counts, attention, wallets] = await Promise.all([
    countOutcomes(ctx, { merchantId, countries }, asked.periods),
    findAttention(ctx, { merchantId, countries }, { merchantId, countries: all }),
    may(person.role, 'money:view') ? walletsFor(visit, asked) : undefined,
  ])
  const { home } = DASHBOARD_WORDS[visit.lang]
  return dashboardPage(visit, {
    name: 'home',
    heading: home,
    children: (
      <>
        <h1>{home}</h1>
        <Asking visit={visit} asked={asked} />
        {counts.length === 0 ? (
          <Empty visit={visit} asked={asked} />
        ) : (
          <Overview visit={visit} asked={asked} counts={counts} />
        )}
        <div class="halves">
          <Attention visit={visit} asked={asked} attention={attention} />
          <ProviderStrip visit={visit} countries={statusOfCountries(visit, asked.country)} />
        </div>
        {counts.length === 0 ? null : (
          <>
            <Charts visit={visit} asked={asked} counts={counts} />
            <Currencies visit={visit} asked={asked} counts={counts} />
            <Failures visit={visit} asked={asked} counts={counts} />
          </>
        )}
        {wallets === undefined ? null : <Balances visit={visit} wallets={wallets} />}
      </>
    ),
  })
}

type AskedProps = { readonly visit: Visit; readonly asked: Asked }
type FigureProps = AskedProps & { readonly counts: readonly Count[] }

function Asking({ visit, asked }: AskedProps) {
  const words = HOME_WORDS[visit.lang]
  const options = countriesFor(visit)
  const zone = visit.person.user.timeZone
  return (
    <div class="asking">
      <nav class="tabs" aria-label={words.range}>
        {RANGES.map((range) => (
          <a
            key={range}
            href={homeWith(asked, { range })}
            aria-current={range === asked.range ? 'page' : undefined}
          >
            {words[`range_${range}`]}
          </a>
        ))}
      </nav>
      <form class="row" action="/dashboard">
        <input type="hidden" name="range" value={asked.range} />
        <input type="hidden" name="kind" value={PLACE_OF[asked.kind]} />
        <Choice
          name="country"
          label={words.country}
          value={asked.country ?? ''}
          options={[
            { value: '', text: words.allCountries },
            ...options.map(({ code, name }) => ({ value: code, text: name })),
          ]}
        />
        <ApplyFilters visit={visit} />
      </form>
      <p class="note">
        {fill(words.since, { from: momentText(visit, asked.fromMs, false), zone })}
      </p>
    </div>
  )
}

function Empty({ visit, asked }: AskedProps) {
  const words = HOME_WORDS[visit.lang]
  return (
    <div class="panel empty">
      <p>{words.empty}</p>
      {asked.range === '30d' ? (
        <p>{words.emptyStart}</p>
      ) : (
        <p>
          <a href={homeWith(asked, { range: '30d' })}>{words.emptyWay}</a>
        </p>
      )}
    </div>
  )
}

/** A card for each kind that there are payments of. */
function Overview({ visit, asked, counts }: FigureProps) {
  const words = HOME_WORDS[visit.lang]
  const kinds = PAYMENT_KINDS.filter((kind) => counts.some((count) => count.kind === kind))
  return (
    <section class="stack" aria-labelledby="overview">
      <h2 id="overview" class="quiet">
        {words.overview}
      </h2>
      <div class="cards wide">
        {kinds.map((kind) => {
          const outcomes = outcomesOf(counts.filter((count) => count.kind === kind))
          return (
            <article key={kind} class="panel figure">
              <h3>{kindName(visit, kind)}</h3>
              <p class="large">
                <CountLink visit={visit} count={totalOf(outcomes)} href={listOf(asked, kind)} />
              </p>
              <dl>
                <dt>{words.successRate}</dt>
                <dd>
                  <Rate visit={visit} rate={successRate(outcomes)} />
                </dd>
                <dt title={words.withoutCustomersHint}>{words.withoutCustomers}</dt>
                <dd>
                  <Rate visit={visit} rate={successRate(outcomes, true)} />
                </dd>
              </dl>
            </article>
          )
        })}
      </div>
      <p class="note">{words.withoutCustomersHint}</p>
    </section>
  )
}

/** On a phone, a row takes a third of the screen. */
const CURRENCIES_SHOWN = 4

/** The liveliest ones; all others are folded. */
function Currencies({ visit, asked, counts }: FigureProps) {
  const words = HOME_WORDS[visit.lang]
  const rows = byCurrency(counts)
  const shown = rows.slice(0, CURRENCIES_SHOWN)
  const rest = rows.slice(CURRENCIES_SHOWN)
  return (
    <section class="stack" aria-labelledby="by-currency">
      <h2 id="by-currency">{words.byCurrency}</h2>
      <CurrencyTable visit={visit} asked={asked} rows={shown} caption={words.byCurrencyCaption} />
      {rest.length === 0 ? null : (
        <details class="full">
          <summary>{fill(words.moreCurrencies, { n: rest.length })}</summary>
          <CurrencyTable visit={visit} asked={asked} rows={rest} caption={words.byCurrencyRest} />
        </details>
      )}
    </section>
  )
}

type CurrencyProps = AskedProps & {
  readonly rows: readonly CurrencyRow[]
  readonly caption: string
}

function CurrencyTable({ visit, asked, rows, caption }: CurrencyProps) {
  const { lang } = visit
  const words = HOME_WORDS[lang]
  const columns = ['total', 'completed', 'failed', 'open'] as const
  const rates = ['successRate', 'withoutCustomers'] as const
  return (
    <div class="scroll full">
      <table class="stacked">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{words.kind}</th>
            <th scope="col">{words.currency}</th>
            {(['volume', ...columns, ...rates] as const).map((name) => (
              <th key={name} scope="col" class="number">
                {words[name]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const { kind, currency, volume } = row
            const href = (status: 'COMPLETED' | 'FAILED' | 'open' | undefined): string =>
              listOf(asked, kind, { currency, status })
            return (
              <tr key={`${kind} ${currency}`}>
                <th scope="row" data-label={words.kind}>
                  {kindName(visit, kind)}
                </th>
                <td data-label={words.currency}>{currency}</td>
                <td class="number" data-label={words.volume}>
                  <a href={href('COMPLETED')}>{money(volume, currency, lang)}</a>
                </td>
                <OutcomeCells visit={visit} outcomes={row} href={href} />
                <td class="number" data-label={words.successRate}>
                  <Rate visit={visit} rate={successRate(row)} />
                </td>
                <td class="number" data-label={words.withoutCustomers}>
                  <Rate visit={visit} rate={successRate(row, true)} />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

const FAILURES_SHOWN = 5

function Failures({ visit, asked, counts }: FigureProps) {
  const words = HOME_WORDS[visit.lang]
  const rows = topFailures(counts, FAILURES_SHOWN)
  return (
    <section class="stack" aria-labelledby="failures">
      <h2 id="failures">{words.failures}</h2>
      {rows.length === 0 ? (
        <p class="note">{words.noFailures}</p>
      ) : (
        <div class="scroll full">
          <table class="stacked">
            <caption class="quiet">{words.failures}</caption>
            <thead>
              <tr>
                <th scope="col">{words.failureCode}</th>
                <th scope="col">{words.kind}</th>
                <th scope="col">{words.cause}</th>
                <th scope="col" class="number">
                  {words.count}
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ kind, code, payments }) => (
                <tr key={`${kind} ${code}`}>
                  <th scope="row" data-label={words.failureCode}>
                    <code>{code}</code> <span class="note">{codeMeaning(code, visit.lang)}</span>
                  </th>
                  <td data-label={words.kind}>{kindName(visit, kind)}</td>
                  <td data-label={words.cause}>
                    {isPaymentFailureCode(code) ? words[`cause_${FAILURE_CAUSES[code]}`] : ''}
                  </td>
                  <td class="number" data-label={words.count}>
                    <CountLink
                      visit={visit}
                      count={payments}
                      href={listOf(asked, kind, { failureCode: code })}
                    />
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
