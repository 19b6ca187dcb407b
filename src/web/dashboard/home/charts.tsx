import type { Period } from '../../../domain/payments/hours.ts'
import { PAYMENT_KINDS } from '../../../domain/payments/payment-state.ts'
import type { Count } from '../../../usecases/payments/count-outcomes.ts'
import { fill } from '../../words.ts'
import { money } from '../money-text.ts'
import { PLACE_OF } from '../payments/parts.tsx'
import { StackedTable } from '../stacked-table.tsx'
import { momentText } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'
import { Line, StackedBars } from './drawing.tsx'
import { type Outcomes, outcomesOf, successRate, totalOf } from './figures.ts'
import { CountLink, compactText, homeWith, listOf, numberText, rateText } from './links.tsx'
import type { Asked } from './range.ts'
import { HOME_WORDS } from './words.ts'

export const kindName = ({ lang }: Pick<Visit, 'lang'>, kind: Count['kind']): string =>
  DASHBOARD_WORDS[lang][PLACE_OF[kind]]

type ChartsProps = {
  readonly visit: Visit
  readonly asked: Asked
  readonly counts: readonly Count[]
}

/** More currencies than these are drawn where somebody asks for them. */
const VOLUMES_MAX = 4

/** One kind over time: how its payments ended, and what they add up to in each currency. */
export function Charts({ visit, asked, counts }: ChartsProps) {
  const words = HOME_WORDS[visit.lang]
  const ofKind = counts.filter(({ kind }) => kind === asked.kind)
  const all = currenciesOf(ofKind)
  const currencies = asked.isWhole ? all : all.slice(0, VOLUMES_MAX)
  return (
    <section class="panel" aria-labelledby="chart">
      <div class="spread">
        <h2 id="chart">{words.chart}</h2>
        <nav class="tabs" aria-label={words.chartKind}>
          {PAYMENT_KINDS.map((kind) => (
            <a
              key={kind}
              href={homeWith(asked, { kind })}
              aria-current={kind === asked.kind ? 'page' : undefined}
            >
              {kindName(visit, kind)}
            </a>
          ))}
        </nav>
      </div>
      <div class="charts">
        <OutcomeChart visit={visit} asked={asked} counts={ofKind} />
        {currencies.map((currency) => (
          <VolumeChart
            key={currency}
            visit={visit}
            asked={asked}
            currency={currency}
            counts={ofKind.filter((count) => count.currency === currency)}
          />
        ))}
      </div>
      {all.length > VOLUMES_MAX ? (
        <p class="row">
          <span class="note">
            {fill(asked.isWhole ? words.allVolumes : words.someVolumes, {
              n: currencies.length,
              all: all.length,
            })}
          </span>
          <a href={`${homeWith(asked, { isWhole: !asked.isWhole })}#chart`}>
            {asked.isWhole ? words.fewerVolumes : words.moreVolumes}
          </a>
        </p>
      ) : null}
    </section>
  )
}

/** Those with the most completed payments first. */
function currenciesOf(counts: readonly Count[]): readonly string[] {
  const completed = new Map<string, number>()
  for (const { currency, state, payments } of counts) {
    if (state !== 'COMPLETED') continue
    completed.set(currency, (completed.get(currency) ?? 0) + payments)
  }
  return [...completed].sort(([, a], [, b]) => b - a).map(([currency]) => currency)
}

type Labelled = { readonly period: Period; readonly label: string }

/** Each an hour of today, or a day. */
function labelled({ lang, person }: Visit, { range, periods }: Asked): readonly Labelled[] {
  const format = new Intl.DateTimeFormat(lang === 'en' ? 'en-GB' : 'fr', {
    ...(range === 'today'
      ? { hour: '2-digit', minute: '2-digit' }
      : { day: 'numeric', month: 'short' }),
    timeZone: person.user.timeZone,
  })
  return periods.map((period) => ({ period, label: format.format(period.fromMs) }))
}

function OutcomeChart({ visit, asked, counts }: ChartsProps) {
  const words = HOME_WORDS[visit.lang]
  const kind = kindName(visit, asked.kind)
  const say = (outcomes: Outcomes): string =>
    (['completed', 'failed', 'open'] as const)
      .map((one) => `${words[one]} ${numberText(visit, outcomes[one])}`)
      .join(', ')
  const rows = labelled(visit, asked).map((one, at) => ({
    ...one,
    outcomes: outcomesOf(counts.filter((count) => count.period === at)),
  }))
  const all = outcomesOf(counts)
  const title = fill(words.chartText, {
    kind,
    ...edges(visit, asked),
    completed: numberText(visit, all.completed),
    failed: numberText(visit, all.failed),
    open: numberText(visit, all.open),
  })
  return (
    <figure>
      <figcaption class="spread">
        <strong>{fill(words.outcomeChart, { kind })}</strong>
        <span class="legend">
          {(['completed', 'failed', 'open'] as const).map((one) => (
            <span key={one} class={one}>
              {words[one]}
            </span>
          ))}
        </span>
      </figcaption>
      <StackedBars
        id="outcome-chart"
        title={title}
        tickText={(value) => compactText(visit, value)}
        bars={rows.map(({ label, outcomes }) => ({
          label,
          ...outcomes,
          text: `${label}: ${say(outcomes)}`,
        }))}
      />
      <details>
        <summary>{words.asTable}</summary>
        <OutcomeTable visit={visit} asked={asked} rows={rows} />
      </details>
    </figure>
  )
}

type OutcomeTableProps = {
  readonly visit: Visit
  readonly asked: Asked
  readonly rows: readonly {
    readonly period: Period
    readonly label: string
    readonly outcomes: Outcomes
  }[]
}

function OutcomeTable({ visit, asked, rows }: OutcomeTableProps) {
  const words = HOME_WORDS[visit.lang]
  const { kind } = asked
  return (
    <StackedTable
      caption={fill(words.outcomeChart, { kind: kindName(visit, kind) })}
      heads={[
        words.period,
        ...(['total', 'completed', 'failed', 'open', 'successRate'] as const).map(
          (name) => ({ text: words[name], isNumber: true }) as const,
        ),
      ]}
    >
      {rows.map(({ period, label, outcomes }) => (
        <tr key={period.fromMs}>
          <th scope="row" data-label={words.period}>
            {label}
          </th>
          <OutcomeCells
            visit={visit}
            outcomes={outcomes}
            href={(status) => listOf(asked, kind, { status, ...period })}
          />
          <td class="number" data-label={words.successRate}>
            <Rate visit={visit} rate={successRate(outcomes)} />
          </td>
        </tr>
      ))}
    </StackedTable>
  )
}

type OutcomeCellsProps = {
  readonly visit: Visit
  readonly outcomes: Outcomes
  readonly href: (status: 'COMPLETED' | 'FAILED' | 'open' | undefined) => string
}

export function OutcomeCells({ visit, outcomes, href }: OutcomeCellsProps) {
  const words = HOME_WORDS[visit.lang]
  const cells = [
    { name: words.total, count: totalOf(outcomes), status: undefined },
    { name: words.completed, count: outcomes.completed, status: 'COMPLETED' },
    { name: words.failed, count: outcomes.failed, status: 'FAILED' },
    { name: words.open, count: outcomes.open, status: 'open' },
  ] as const
  return (
    <>
      {cells.map(({ name, count, status }) => (
        <td key={name} class="number" data-label={name}>
          <CountLink visit={visit} count={count} href={href(status)} />
        </td>
      ))}
    </>
  )
}

type RateProps = { readonly visit: Visit; readonly rate: number | undefined }

export const Rate = ({ visit, rate }: RateProps) => (
  <>{rate === undefined ? HOME_WORDS[visit.lang].noneEnded : rateText(visit, rate)}</>
)

type VolumeProps = ChartsProps & { readonly currency: string }

function VolumeChart({ visit, asked, currency, counts }: VolumeProps) {
  const { lang } = visit
  const words = HOME_WORDS[lang]
  const kind = kindName(visit, asked.kind)
  const rows = labelled(visit, asked).map((one, at) => ({
    ...one,
    ...outcomesOf(counts.filter((count) => count.period === at)),
  }))
  const name = fill(words.volumeChart, { kind, currency })
  const volume = money(outcomesOf(counts).volume, currency, lang)
  return (
    <figure>
      <figcaption>
        <strong>{name}</strong>
      </figcaption>
      <Line
        id={`volume-chart-${currency}`}
        title={fill(words.volumeText, { kind, ...edges(visit, asked), volume })}
        tickText={(value) => compactText(visit, value)}
        // Only for the place on the page: amounts are read from the table.
        points={rows.map((row) => ({ label: row.label, value: Number(row.volume) }))}
      />
      <details>
        <summary>{words.asTable}</summary>
        <StackedTable
          caption={name}
          heads={[
            words.period,
            { text: words.completed, isNumber: true },
            { text: words.volume, isNumber: true },
          ]}
        >
          {rows.map(({ period, label, completed, volume: sum }) => {
            const href = listOf(asked, asked.kind, { status: 'COMPLETED', currency, ...period })
            return (
              <tr key={period.fromMs}>
                <th scope="row" data-label={words.period}>
                  {label}
                </th>
                <td class="number" data-label={words.completed}>
                  <CountLink visit={visit} count={completed} href={href} />
                </td>
                <td class="number" data-label={words.volume}>
                  <a href={href}>{money(sum, currency, lang)}</a>
                </td>
              </tr>
            )
          })}
        </StackedTable>
      </details>
    </figure>
  )
}

const edges = (visit: Visit, { fromMs, toMs }: Asked) => ({
  from: momentText(visit, fromMs, false),
  to: momentText(visit, toMs, false),
})
