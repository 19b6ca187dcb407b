import type { EnabledCountry } from '../accounts/configuration.ts'
import { type Amount, hasAtMostDecimals, parseAmount } from '../amount.ts'
import type { Failure } from '../failure.ts'
import { invariant } from '../invariant.ts'
import { providerHint } from '../meant-provider.ts'
import { invalidAmount, outOfBounds } from '../payments/admission.ts'
import { fitsProvider, isTestNumber } from '../phone-number.ts'
import type { ListedCurrency, ListedProvider, OperationLimits } from '../provider.ts'

/**
 * What a customer can pay with on a hosted page: the deposits that the account may take, narrowed by
 * what the merchant fixed. The same narrowing judges the merchant's request: nothing left means that
 * no customer could ever pay, and the first rule that left nothing says why.
 */
export type Offer = {
  readonly provider: ListedProvider
  readonly currency: ListedCurrency
  readonly limits: OperationLimits
  /** Fixed by the merchant, as sent. */
  readonly amount?: string
}

export type OfferTerms = {
  readonly countries?: readonly string[]
  readonly provider?: string
  /** A fixed amount without a country holds wherever its currency does. */
  readonly amounts?: readonly FixedAmount[]
  readonly phoneNumber?: string
}

type FixedAmount = {
  readonly country?: string
  readonly currency: string
  readonly amount: string
}

type Narrow = (
  offers: readonly Offer[],
  terms: OfferTerms,
  sandbox: boolean,
) => readonly Offer[] | Failure

/** `enabled` lists deposits only. `sandbox` lets test numbers pass that no number plan has. */
export function offersFor(
  enabled: readonly EnabledCountry[],
  terms: OfferTerms,
  sandbox: boolean,
): readonly Offer[] | Failure {
  let offers: readonly Offer[] = enabled.flatMap(({ providers }) =>
    providers.flatMap(({ provider }) => offersOf(provider)),
  )
  for (const narrow of RULES) {
    const left = narrow(offers, terms, sandbox)
    if ('code' in left) return left
    offers = left
  }
  return offers
}

export function isRefusal(result: readonly Offer[] | Failure): result is Failure {
  return 'code' in result
}

function offersOf(provider: ListedProvider): readonly Offer[] {
  return provider.currencies.flatMap((currency) => {
    const limits = currency.operations.DEPOSIT
    return limits === undefined ? [] : [{ provider, currency, limits }]
  })
}

const allowed: Narrow = (offers) => {
  if (offers.length > 0) return offers
  const message =
    'No provider that this service reaches takes a DEPOSIT for this account. Ask the operator of ' +
    'this service to enable one.'
  return { code: 'DEPOSITS_NOT_ALLOWED', message }
}

const inCountries: Narrow = (offers, { countries }) => {
  if (countries === undefined) return offers
  const left = offers.filter(({ provider }) => countries.includes(provider.country))
  const none = countries.find((one) => !left.some(({ provider }) => provider.country === one))
  if (none === undefined) return left
  const message =
    `This account takes no deposits in '${none}'. Use a country that the active configuration ` +
    'lists.'
  return { code: 'INVALID_COUNTRY', message }
}

const ofProvider: Narrow = (offers, { provider: code, amounts = [], phoneNumber }) => {
  if (code === undefined) return offers
  const left = offers.filter(({ provider }) => provider.code === code)
  if (left.length > 0) return left
  const providers = [...new Set(offers.map(({ provider }) => provider))]
  const clues = { currencies: amounts.map(({ currency }) => currency), phoneNumber }
  const message =
    `The provider '${code}' cannot be used for a DEPOSIT here. Use a provider code that the ` +
    `active configuration lists for the country.${providerHint(code, providers, clues)}`
  return { code: 'INVALID_PROVIDER', message }
}

const inCurrencies: Narrow = (offers, { amounts }) => {
  if (amounts === undefined) return offers
  const fixed: Offer[] = []
  for (const { country, currency, amount } of amounts) {
    const fitting = offers.filter(
      (offer) =>
        offer.currency.currency === currency &&
        (country === undefined || offer.provider.country === country),
    )
    if (fitting.length === 0) return noCurrency(currency, country)
    fixed.push(...fitting.map((offer) => ({ ...offer, amount })))
  }
  return fixed
}

function noCurrency(currency: string, country: string | undefined): Failure {
  const where = country === undefined ? '' : ` in '${country}'`
  const message =
    `The currency '${currency}' is not supported by any provider that could take this deposit` +
    `${where}. Use a currency that the active configuration lists.`
  return { code: 'INVALID_CURRENCY', message }
}

const forNumber: Narrow = (offers, { phoneNumber, amounts = [] }, sandbox) => {
  if (phoneNumber === undefined) return offers
  const left = offers.filter(({ provider }) => isNumberOf(phoneNumber, provider, sandbox))
  if (left.length > 0) return left
  const codes = [...new Set(offers.map(({ provider }) => provider.code))]
  const takers =
    codes.length === 1 ? `the provider '${codes[0]}'` : 'any provider that could take this deposit'
  const currencies = [...new Set(amounts.map(({ currency }) => `'${currency}'`))]
  const message =
    `The phone number '${phoneNumber}' is not valid for ${takers}` +
    (currencies.length === 0 ? '.' : ` in ${currencies.join(' or ')}.`) +
    ' It takes the country code followed by as many digits as the country uses' +
    (currencies.length === 0 ? '.' : ', of a country that has the currency.')
  return { code: 'INVALID_PHONE_NUMBER', message }
}

/** A number that a provider takes: by the plan of its country, or as a test number. */
export function isNumberOf(
  phoneNumber: string,
  provider: ListedProvider,
  sandbox: boolean,
): boolean {
  return fitsProvider(phoneNumber, provider) || (sandbox && isTestNumber(phoneNumber, provider))
}

const ofAmounts: Narrow = (offers, { amounts = [] }) => {
  const left: Offer[] = []
  for (const { country, currency, amount: text } of amounts) {
    const group = offers.filter(
      (offer) =>
        offer.currency.currency === currency &&
        (country === undefined || offer.provider.country === country),
    )
    // A number that is fixed as well may belong to another country.
    if (group.length === 0) continue
    const fitting = withinLimits(group, text)
    if ('code' in fitting) return fitting
    left.push(...fitting)
  }
  return amounts.length === 0 ? offers : left
}

/** Those that take the amount; else why none does. */
export function withinLimits(offers: readonly Offer[], text: string): readonly Offer[] | Failure {
  const amount = parseAmount(text)
  invariant(amount !== undefined, `the amount ${text} passed the schema`)
  const precise = offers.filter(({ limits }) => hasAtMostDecimals(amount, limits.decimals))
  if (precise.length === 0) {
    const most = widest(offers, ({ limits }) => BigInt(limits.decimals))
    const order = { amount: text, provider: most.provider.code }
    return { code: 'INVALID_AMOUNT', message: invalidAmount(order, most.limits) }
  }
  const inside = precise.filter(
    ({ limits }) => amount >= limits.minAmount && amount <= limits.maxAmount,
  )
  return inside.length > 0 ? inside : beyondBounds(precise, text, amount)
}

/** The message names the limits nearest to the amount. */
function beyondBounds(offers: readonly Offer[], text: string, amount: Amount): Failure {
  const isSmall = offers.every(({ limits }) => amount < limits.minAmount)
  const nearest = widest(offers, ({ limits }) => (isSmall ? -limits.minAmount : limits.maxAmount))
  const order = { amount: text, provider: nearest.provider.code }
  const message = outOfBounds(order, nearest.limits)
  return { code: 'AMOUNT_OUT_OF_BOUNDS', message, bound: isSmall ? 'MINIMUM' : 'MAXIMUM' }
}

function widest(offers: readonly Offer[], measure: (offer: Offer) => bigint): Offer {
  const found = offers.reduce((best, one) => (measure(one) > measure(best) ? one : best))
  return found
}

/** In the order in which a deposit is judged. */
const RULES: readonly Narrow[] = [
  allowed,
  inCountries,
  ofProvider,
  inCurrencies,
  forNumber,
  ofAmounts,
]
