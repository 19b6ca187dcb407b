/** The amount: fixed by the merchant, one of several, or typed. */
import { typedAmount } from '../../domain/payments/typed-amount.ts'
import type { PayForm } from '../../usecases/hosted/form.ts'
import type { CountryChoice, CurrencyChoice } from '../../usecases/hosted/view.ts'
import { money, moneyLimits } from '../money.ts'
import { fill, type Lang } from '../words.ts'
import { described, FieldError } from './fields.tsx'
import type { Problem } from './refusal-text.ts'
import type { Visit } from './visit.ts'
import { PAY_WORDS } from './words.ts'

export type AmountOptions = {
  readonly fixed: readonly { readonly currency: string; readonly text: string }[]
  /** Of a free amount. */
  readonly currencies: readonly string[]
  /** The same with every provider of the country, else not known before one is chosen. */
  readonly limits?: CurrencyChoice | undefined
}

/** Reads what the country's providers take; with a provider chosen, what that one takes. */
export function amountOptions(
  country: CountryChoice,
  chosen: string | undefined,
  lang: Lang,
): AmountOptions {
  const ofChosen = country.providers.filter(({ provider }) => provider === chosen)
  const all = country.providers.flatMap(({ currencies }) => currencies)
  const fixed = unique(all.filter(({ amount }) => amount !== undefined)).map(
    ({ currency, amount = '' }) => ({ currency, text: money(amount, currency, lang) }),
  )
  if (fixed.length > 0) return { fixed, currencies: [] }
  const currencies = unique(all).map(({ currency }) => currency)
  const known = ofChosen.length > 0 ? ofChosen.flatMap((one) => one.currencies) : all
  const [limits] = known
  const isSame = known.every(
    ({ currency, min, max }) =>
      currency === limits?.currency && min === limits.min && max === limits.max,
  )
  return { fixed, currencies, limits: isSame ? limits : undefined }
}

const unique = (all: readonly CurrencyChoice[]): readonly CurrencyChoice[] => [
  ...new Map(all.map((one) => [one.currency, one])).values(),
]

/** What is paid, if only one amount is possible. */
export function BigAmount({
  options: { fixed },
}: {
  readonly options: Pick<AmountOptions, 'fixed'>
}) {
  const [amount, second] = fixed
  return amount === undefined || second !== undefined ? null : <Amount text={amount.text} />
}

export const Amount = ({ text }: { readonly text: string }) => (
  <p class="amount">
    <bdi>{text}</bdi>
  </p>
)

/** What the form says so far, for a screen that follows it: a chosen amount, or a typed one. */
export function amountSoFar(options: AmountOptions, form: PayForm, lang: Lang): AmountOptions {
  const currency = form.currency || options.currencies[0]
  const fixed =
    options.fixed.length > 0
      ? options.fixed.filter((one, at) => (currency ? one.currency === currency : at === 0))
      : typedAmounts(form.amount, currency, lang)
  return { fixed, currencies: [] }
}

/** Only what can be read as an amount is repeated. */
function typedAmounts(amount = '', currency: string | undefined, lang: Lang) {
  const plain = typedAmount(amount)
  if (currency === undefined || plain === undefined) return []
  return [{ currency, text: money(plain, currency, lang) }]
}

type AmountProps = {
  readonly options: AmountOptions
  readonly visit: Visit
  readonly values: PayForm
  readonly problem: Problem | undefined
}

export function AmountField(props: AmountProps) {
  const { options } = props
  if (options.fixed.length === 1) return null
  return options.fixed.length > 1 ? <AmountChoice {...props} /> : <FreeAmount {...props} />
}

function AmountChoice({ options, visit, values }: AmountProps) {
  const words = PAY_WORDS[visit.lang]
  const chosen = values.currency ?? options.fixed[0]?.currency
  return (
    <fieldset class="field">
      <legend>{words.amount}</legend>
      <div class="rows">
        {options.fixed.map(({ currency, text }) => (
          <label key={currency} class="row">
            <input type="radio" name="currency" value={currency} checked={currency === chosen} />
            <bdi>{text}</bdi>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

function FreeAmount({ options, visit, values, problem }: AmountProps) {
  const words = PAY_WORDS[visit.lang]
  const { limits, currencies } = options
  const hint = limits && moneyLimits(limits, visit.lang)
  const hints = [...(hint === undefined ? [] : ['amount-hint']), 'amount-currency']
  return (
    <div class="field">
      <label for="amount">{words.amount}</label>
      {hint === undefined ? null : (
        <p class="hint" id="amount-hint">
          {fill(words.between, hint)}
        </p>
      )}
      <FieldError visit={visit} field="amount" problem={problem} />
      <div class="boxed">
        <input
          id="amount"
          name="amount"
          inputmode="decimal"
          autocomplete="off"
          dir="ltr"
          value={values.amount ?? ''}
          {...described('amount', problem !== undefined, hints)}
        />
        {currencies.length === 1 ? (
          <bdi id="amount-currency">{currencies[0]}</bdi>
        ) : (
          <select id="amount-currency" name="currency" aria-label={words.currency}>
            {currencies.map((one) => (
              <option key={one} selected={one === values.currency}>
                {one}
              </option>
            ))}
          </select>
        )}
      </div>
    </div>
  )
}
