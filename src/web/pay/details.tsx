/** C-1: what to pay, from which wallet. */
import { PAGES } from '../../domain/client-timing.ts'
import { spacedNumber } from '../../domain/phone-number.ts'
import type { PayForm } from '../../usecases/hosted/form.ts'
import type { CountryChoice, ProviderChoice } from '../../usecases/hosted/view.ts'
import { fill } from '../words.ts'
import { AmountField, type AmountOptions, amountOptions, BigAmount } from './amount.tsx'
import { BusyNotice, described, FieldError, Fixed, Hidden, Summary } from './fields.tsx'
import { here, ReturnLink } from './parts.tsx'
import { problemsOf } from './refusal-text.ts'
import { Tile } from './tile.tsx'
import { type DetailsView, failedAttempt, isOf, reasonOf, type Typed, type Visit } from './visit.ts'
import { PAY_WORDS } from './words.ts'

type DetailsProps = {
  readonly view: DetailsView
  readonly visit: Visit
  readonly country: CountryChoice
  readonly typed: Typed | undefined
}

export function Details(props: DetailsProps) {
  const { view, visit, country, typed } = props
  const words = PAY_WORDS[visit.lang]
  const problems = problemsOf(typed, country, visit.lang)
  const problemOf = (field: keyof PayForm) => problems.find((one) => one.field === field)
  const values = valuesOf(props)
  const options = amountOptions(country, values.provider, visit.lang)
  const suggested = country.providers.find((one) => one.provider === typed?.predicted)
  const isSuggested = suggested !== undefined && problems.length === 0
  return (
    <>
      <BusyNotice visit={visit} typed={typed} />
      <Summary visit={visit} problems={problems} />
      {isSuggested ? (
        <p class="summary asks" role="status" tabIndex={-1} autofocus>
          {fill(words.confirmSelected, { provider: suggested.name })}
        </p>
      ) : null}
      <h1 class={options.fixed.length === 1 ? 'small' : ''}>
        {fill(words.payHeading, { name: view.merchant })}
      </h1>
      <BigAmount options={options} />
      <Reason view={view} visit={visit} />
      <form
        id="pay"
        method="post"
        action={here(visit)}
        novalidate
        data-selected={words.selected}
        data-begins={typed === undefined ? '' : undefined}
      >
        <Hidden
          values={{
            country: country.country,
            asked: typed?.asked,
          }}
        />
        <CountryLine view={view} visit={visit} country={country} />
        <AmountField
          options={options}
          visit={visit}
          values={values}
          problem={problemOf('amount') ?? problemOf('currency')}
        />
        <NumberField {...props} value={values.phoneNumber} problem={problemOf('phoneNumber')} />
        <Providers {...props} value={values.provider} problem={problemOf('provider')} />
        <PayButton view={view} visit={visit} options={options} />
        <Leave view={view} visit={visit} />
      </form>
      <TimeLeft view={view} visit={visit} />
    </>
  )
}

/** What the form shows: what was typed, else what it was prefilled with. */
function valuesOf({ view, typed, country }: DetailsProps): PayForm {
  const { fixed } = view
  const fixedProvider = 'provider' in fixed ? fixed.provider : undefined
  if (typed !== undefined) {
    const { form, predicted } = typed
    const provider = fixedProvider ?? (form.provider || predicted)
    return { ...form, provider }
  }
  const { phoneNumber = '', provider } = view.prefilled
  return {
    // The calling code is shown before the field. What a customer types is not changed.
    phoneNumber: isOf(phoneNumber, country) ? phoneNumber.slice(country.callingCode.length) : '',
    provider: fixedProvider ?? provider,
  }
}

export function Reason({ view, visit }: Pick<DetailsProps, 'view' | 'visit'>) {
  const text = reasonOf(view, visit.lang)
  return text === undefined ? null : <p class="reason">{text}</p>
}

function CountryLine({ view, visit, country }: Pick<DetailsProps, 'view' | 'visit' | 'country'>) {
  const words = PAY_WORDS[visit.lang]
  const isFixed = 'country' in view.fixed && view.fixed.country !== undefined
  if (view.choices.length === 1 && !isFixed) return null
  return (
    <div class="line">
      <Fixed label={words.country}>{country.name[visit.lang]}</Fixed>
      {view.choices.length > 1 ? (
        <a href={here(visit, { country: '' })}>{words.changeCountry}</a>
      ) : null}
    </div>
  )
}

type FieldProps = DetailsProps & {
  readonly value: string | undefined
  readonly problem: ReturnType<typeof problemsOf>[number] | undefined
}

/** The number that the merchant fixed, as the page shows it: masked once it was paid from. */
export function fixedNumber(view: DetailsView, { callingCode }: CountryChoice): string | undefined {
  const { phoneNumber } = view.fixed
  if (phoneNumber === undefined) return undefined
  return failedAttempt(view)?.maskedNumber ?? spacedNumber(phoneNumber, callingCode)
}

function NumberField({ view, visit, country, value = '', problem }: FieldProps) {
  const words = PAY_WORDS[visit.lang]
  const fixed = fixedNumber(view, country)
  if (fixed !== undefined) return <Fixed label={words.number}>{fixed}</Fixed>
  return (
    <div class="field">
      <label for="phoneNumber">{words.number}</label>
      <FieldError visit={visit} field="phoneNumber" problem={problem} />
      <div class="boxed">
        <bdi id="prefix">+{country.callingCode}</bdi>
        <input
          id="phoneNumber"
          name="phoneNumber"
          type="tel"
          inputmode="tel"
          autocomplete="tel"
          dir="ltr"
          value={value}
          {...described('phoneNumber', problem !== undefined, ['prefix'])}
        />
      </div>
    </div>
  )
}

function Providers({ view, visit, country, value, problem }: FieldProps) {
  const words = PAY_WORDS[visit.lang]
  const [only, second] = country.providers
  const isFixed = 'provider' in view.fixed && view.fixed.provider !== undefined
  if (only !== undefined && (isFixed || second === undefined) && only.isAvailable) {
    return (
      <>
        <Hidden values={{ provider: only.provider }} />
        <Fixed label={words.provider}>{only.name}</Fixed>
      </>
    )
  }
  const first = country.providers.find(({ isAvailable }) => isAvailable)
  return (
    <fieldset class="field" {...described('provider', problem !== undefined)}>
      <legend>{words.provider}</legend>
      <FieldError visit={visit} field="provider" problem={problem} />
      <div class="rows">
        {country.providers.map((one) => (
          <ProviderRow key={one.provider} visit={visit} choice={one} value={value} first={first} />
        ))}
      </div>
    </fieldset>
  )
}

type RowProps = {
  readonly visit: Visit
  readonly choice: ProviderChoice
  readonly value: string | undefined
  readonly first: ProviderChoice | undefined
}

function ProviderRow({ visit, choice, value, first }: RowProps) {
  const { provider, name, isAvailable } = choice
  return (
    <label class="row">
      <input
        type="radio"
        name="provider"
        value={provider}
        checked={isAvailable && provider === value}
        disabled={!isAvailable}
        {...(choice === first ? { id: 'provider' } : {})}
      />
      <Tile name={name} />
      <span>
        <bdi>{name}</bdi>
        {isAvailable ? null : <small>{PAY_WORDS[visit.lang].notAvailable}</small>}
      </span>
    </label>
  )
}

export function PayButton(props: {
  readonly view: DetailsView
  readonly visit: Visit
  readonly options: AmountOptions
}) {
  const { view, visit, options } = props
  const words = PAY_WORDS[visit.lang]
  const [amount, second] = options.fixed
  const isOne = amount !== undefined && second === undefined
  return (
    <button type="submit" class="button" name="do" value="pay">
      {isOne ? fill(words.payAmount, { amount: amount.text }) : words.pay}{' '}
      <small>{fill(words.toName, { name: view.merchant })}</small>
    </button>
  )
}

/** A checkout is cancelled; before Pay a Payment Page has nothing that could be. */
export function Leave({ view, visit }: Pick<DetailsProps, 'view' | 'visit'>) {
  const { cancelAndReturn } = PAY_WORDS[visit.lang]
  if (visit.kind === 'page') return <ReturnLink view={view} visit={visit} text={cancelAndReturn} />
  return (
    <button type="submit" class="plain" name="do" value="cancel">
      {cancelAndReturn}
    </button>
  )
}

export function TimeLeft({ view, visit }: Pick<DetailsProps, 'view' | 'visit'>) {
  const words = PAY_WORDS[visit.lang]
  const left = view.expiresAt - visit.now
  const isShort = left <= PAGES.shortMs
  const warnsIn = isShort ? {} : { 'data-warns': Math.round((left - PAGES.shortMs) / 1000) }
  return (
    <p class={isShort ? 'time short' : 'time'} id="time" {...warnsIn} data-text={words.timeShort}>
      {isShort ? words.timeShort : fill(words.timeLeft, { minutes: Math.ceil(left / 60_000) })}
    </p>
  )
}
