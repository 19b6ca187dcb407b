import { SOURCES } from '../../../usecases/payments/browse-payments.ts'
import { CATALOGUES, fill, type Lang } from '../../words.ts'
import { codeMeaning } from '../failure-words.ts'
import { ApplyFilters, byText, Choice, Field } from '../fields.tsx'
import { countryName, providerName } from '../payments/parts.tsx'
import { LIST_WORDS, type ListWords } from '../payments/words.ts'
import { dayType, presetsAt } from '../period.ts'
import type { Visit } from '../visit.ts'
import { addressOf, FAILURES, PER_PAGE, type ReadList } from './filter.ts'
import type { FieldName } from './shape.ts'

type Props = { readonly visit: Visit; readonly read: ReadList }

/** The form of a list: everything stands in the address, so a copied link shows the same. */
export function Filters({ visit, read }: Props) {
  const words = LIST_WORDS[visit.lang]
  const { given, faults, per, shape, order, columns } = read
  const isUsed = Object.keys(given).length > 0
  return (
    <details class="panel" open={isUsed}>
      <summary>{words.filters}</summary>
      {faults.length === 0 ? null : (
        <p class="notice warn" role="alert">
          {fill(words.fault, { fields: faults.map((name) => words[name]).join(', ') })}
        </p>
      )}
      <Presets visit={visit} read={read} />
      <form action={`/dashboard/${shape.place}`} class="filters">
        <Times visit={visit} read={read} />
        <Choices visit={visit} read={read} />
        <Typed visit={visit} read={read} />
        <Choice
          name="per"
          label={words.perPage}
          value={String(per)}
          options={PER_PAGE.map((count) => ({ value: String(count), text: String(count) }))}
        />
        {order === 'newest' ? null : <input type="hidden" name="order" value={order} />}
        {columns === undefined ? null : <input type="hidden" name="columns" value={columns} />}
        <ApplyFilters visit={visit} clearAt={`/dashboard/${shape.place}?all`} />
      </form>
    </details>
  )
}

/** Another period, and the same filter otherwise. */
function Presets({ visit, read }: Props) {
  const words = LIST_WORDS[visit.lang]
  const { from, to } = read.given
  const presets = presetsAt(visit.ctx.clock.now(), visit.person.user.timeZone)
  return (
    <nav class="row" aria-label={words.presets}>
      {presets.map((preset) => (
        <a
          key={preset.name}
          href={addressOf(read, { from: preset.from, to: preset.to })}
          aria-current={preset.from === from && preset.to === to ? 'true' : undefined}
        >
          {words[preset.name]}
        </a>
      ))}
    </nav>
  )
}

function Times({ visit, read: { given } }: Props) {
  const words = LIST_WORDS[visit.lang]
  const { from, to } = given
  const type = dayType(from, to)
  return (
    <>
      <Field name="from" label={words.from} value={from} type={type} />
      <Field name="to" label={words.to} value={to} type={type} />
    </>
  )
}

function Choices({ visit, read: { given, shape } }: Props) {
  const words = LIST_WORDS[visit.lang]
  const { colon } = CATALOGUES[visit.lang]
  const any = { value: '', text: words.any }
  const found = providersFor(visit)
  const named = (values: readonly string[], textOf: (value: string) => string) =>
    byText(
      visit.lang,
      [...new Set(values)].map((value) => ({ value, text: textOf(value) })),
    )
  const options: Readonly<
    Partial<Record<FieldName, readonly { readonly value: string; readonly text: string }[]>>
  > = {
    status: shape.states.map((s) => ({ value: s, text: words[`state_${s}` as keyof ListWords] })),
    provider: named(
      found.map(({ code }) => code),
      (code) => `${providerName(visit, code)} (${code})`,
    ),
    country: named(
      found.map(({ country }) => country),
      (code) => countryName(visit, code),
    ),
    currency: named(
      found.flatMap(({ currencies }) => currencies.map((one) => one.currency)),
      (code) => code,
    ),
    failureCode: FAILURES.map((code) => ({
      value: code,
      text: `${code}${colon}${codeMeaning(code, visit.lang)}`,
    })),
    source: SOURCES.map((s) => ({ value: s, text: words[`source_${s}`] })),
  }
  return (
    <>
      {shape.fields.map((name) => {
        const some = options[name]
        return some === undefined ? null : (
          <Choice
            key={name}
            name={name}
            label={words[name]}
            value={given[name]}
            options={withGiven([any, ...some], given[name], visit.lang)}
          />
        )
      })}
    </>
  )
}

/** The merchant’s, of the countries that the person sees. */
function providersFor({ ctx, person }: Visit) {
  const { merchant, countries } = person
  return ctx.providers.catalog.all.filter(
    ({ code, country }) =>
      merchant.providers.has(code) && (countries.length === 0 || countries.includes(country)),
  )
}

type Option = { readonly value: string; readonly text: string }

/** Several states at once come by a link; the form must not lose them. */
function withGiven(
  options: readonly Option[],
  given: string | undefined,
  lang: Lang,
): readonly Option[] {
  if (given === undefined || options.some(({ value }) => value === given)) return options
  const textOf = (one: string) => options.find(({ value }) => value === one)?.text ?? one
  const texts = [...new Set(given.split(',').map(textOf))]
  const list = new Intl.ListFormat(lang, { type: 'disjunction' })
  return [...options, { value: given, text: list.format(texts) }]
}

const TYPED = ['min', 'max', 'phone', 'clientReferenceId'] as const

function Typed({ visit, read: { given, shape } }: Props) {
  const words = LIST_WORDS[visit.lang]
  const metadata = Object.entries(given).filter(([name]) => name.startsWith('meta.'))
  return (
    <>
      {TYPED.filter((name) => shape.fields.includes(name)).map((name) => (
        <Field
          key={name}
          name={name}
          label={words[name]}
          value={given[name]}
          inputMode={name === 'min' || name === 'max' ? 'decimal' : 'text'}
        />
      ))}
      {metadata.map(([name, value]) => (
        <Field key={name} name={name} label={`${words.metadata}: ${name.slice(5)}`} value={value} />
      ))}
      <Field name="metaName" label={words.metaName} />
      <Field name="metaValue" label={words.metaValue} />
    </>
  )
}
