import { SOURCES } from '../../../usecases/payments/browse-payments.ts'
import { fill } from '../../words.ts'
import { Choice, Field } from '../fields.tsx'
import { dayOf } from '../time.tsx'
import type { Visit } from '../visit.ts'
import { FAILURES, PER_PAGE, type ReadFilter, SHOWN_STATES } from './filter.ts'
import { providerName } from './parts.tsx'
import { LIST_WORDS } from './words.ts'

type Props = { readonly visit: Visit; readonly read: ReadFilter; readonly place: string }

/** The form of a list: everything stands in the address, so a copied link shows the same. */
export function Filters({ visit, read, place }: Props) {
  const words = LIST_WORDS[visit.lang]
  const { given, faults, per } = read
  const isUsed = Object.keys(given).length > 0
  return (
    <details class="panel" open={isUsed}>
      <summary>{words.filters}</summary>
      {faults.length === 0 ? null : (
        <p class="notice warn" role="alert">
          {fill(words.fault, { fields: faults.join(', ') })}
        </p>
      )}
      <Presets visit={visit} place={place} />
      <form action={`/dashboard/${place}`} class="filters">
        <Times visit={visit} read={read} />
        <Choices visit={visit} read={read} />
        <Typed visit={visit} read={read} />
        <Choice
          name="per"
          label={words.perPage}
          value={String(per)}
          options={PER_PAGE.map((count) => ({ value: String(count), text: String(count) }))}
        />
        <div class="row">
          <button type="submit" class="main">
            {words.apply}
          </button>
          <a href={`/dashboard/${place}?all`}>{words.clear}</a>
        </div>
      </form>
    </details>
  )
}

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

function Presets({ visit, place }: Omit<Props, 'read'>) {
  const words = LIST_WORDS[visit.lang]
  const now = visit.ctx.clock.now()
  const { timeZone } = visit.person.user
  const day = (ms: number): string => dayOf(ms, timeZone)
  const weekday = (new Date(`${day(now)}T00:00:00Z`).getUTCDay() + 6) % 7
  const presets = [
    [words.hour, { from: new Date(now - HOUR_MS).toISOString() }],
    [words.today, { from: day(now), to: day(now) }],
    [words.yesterday, { from: day(now - DAY_MS), to: day(now - DAY_MS) }],
    [words.week, { from: day(now - weekday * DAY_MS), to: day(now) }],
    [words.allTime, {}],
  ] as const
  return (
    <nav class="row" aria-label={words.presets}>
      {presets.map(([text, times]) => (
        <a
          key={text}
          href={`/dashboard/${place}?${new URLSearchParams(times).toString() || 'all'}`}
        >
          {text}
        </a>
      ))}
    </nav>
  )
}

type PartProps = Omit<Props, 'place'>

function Times({ visit, read: { given } }: PartProps) {
  const words = LIST_WORDS[visit.lang]
  return (
    <>
      <Field name="from" label={words.from} value={given.from} />
      <Field name="to" label={words.to} value={given.to} />
    </>
  )
}

function Choices({ visit, read: { given } }: PartProps) {
  const words = LIST_WORDS[visit.lang]
  const any = { value: '', text: words.any }
  const { catalog } = visit.ctx.providers
  const codes = [...visit.person.merchant.providers.keys()]
  const found = codes.map((code) => catalog.find(code)).filter((one) => one !== undefined)
  const unique = (values: readonly string[]) =>
    [...new Set(values)].toSorted().map((value) => ({ value, text: value }))
  return (
    <>
      <Choice
        name="status"
        label={words.status}
        value={given.status}
        options={[any, ...SHOWN_STATES.map((s) => ({ value: s, text: words[`state_${s}`] }))]}
      />
      <Choice
        name="provider"
        label={words.provider}
        value={given.provider}
        options={[
          any,
          ...codes.map((code) => ({ value: code, text: `${providerName(visit, code)} (${code})` })),
        ]}
      />
      <Choice
        name="country"
        label={words.country}
        value={given.country}
        options={[any, ...unique(found.map(({ country }) => country))]}
      />
      <Choice
        name="currency"
        label={words.currency}
        value={given.currency}
        options={[
          any,
          ...unique(found.flatMap(({ currencies }) => currencies.map(({ currency }) => currency))),
        ]}
      />
      <Choice
        name="failureCode"
        label={words.failureCode}
        value={given.failureCode}
        options={[any, ...FAILURES.map((code) => ({ value: code, text: code }))]}
      />
      <Choice
        name="source"
        label={words.source}
        value={given.source}
        options={[any, ...SOURCES.map((s) => ({ value: s, text: words[`source_${s}`] }))]}
      />
    </>
  )
}

function Typed({ visit, read: { given } }: PartProps) {
  const words = LIST_WORDS[visit.lang]
  const metadata = Object.entries(given).filter(([name]) => name.startsWith('meta.'))
  return (
    <>
      <Field name="min" label={words.min} value={given.min} inputMode="decimal" />
      <Field name="max" label={words.max} value={given.max} inputMode="decimal" />
      <Field name="phone" label={words.phone} value={given.phone} />
      <Field
        name="clientReferenceId"
        label={words.clientReferenceId}
        value={given.clientReferenceId}
      />
      {metadata.map(([name, value]) => (
        <Field key={name} name={name} label={`${words.metadata}: ${name.slice(5)}`} value={value} />
      ))}
    </>
  )
}
