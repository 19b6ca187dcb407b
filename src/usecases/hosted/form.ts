import type { Merchant } from '../../domain/accounts/merchant.ts'
import { parseAmount } from '../../domain/amount.ts'
import type { Failure } from '../../domain/failure.ts'
import { isNumberOf, isRefusal, type Offer, type OfferTerms } from '../../domain/hosted/offer.ts'
import { numberSpellings, typedDigits } from '../../domain/hosted/typed-text.ts'
import { hasTooManyDecimals, typedAmount } from '../../domain/payments/typed-amount.ts'
import { present } from '../../domain/present.ts'
import type { Context } from '../context.ts'
import { offersIn } from './create-page-session.ts'

/** What a customer sends with Pay. Whatever the merchant fixed is never taken from here. */
export type PayForm = {
  readonly country?: string | undefined
  readonly phoneNumber?: string | undefined
  readonly provider?: string | undefined
  readonly currency?: string | undefined
  readonly amount?: string | undefined
  readonly preAuthorisationCode?: string | undefined
}

type FormRule =
  | 'MISSING'
  | 'INVALID'
  | 'NOT_OFFERED'
  | 'UNAVAILABLE'
  | 'TOO_MANY_DECIMALS'
  | 'TOO_SMALL'
  | 'TOO_LARGE'
  | 'TOO_LONG'

/** Which field is refused by which rule, with what a page needs to say it. */
export type FormRefusal = {
  readonly field: keyof PayForm
  readonly rule: FormRule
  readonly limits?: FormLimits
  /** The name that customers know its wallet by. */
  readonly providerName?: string
}

type FormLimits = {
  readonly currency: string
  readonly min: string
  readonly max: string
  readonly decimals: number
}

/** A form that can be judged as a deposit. */
export type FilledForm = {
  readonly offer: Offer
  readonly amount: string
  readonly phoneNumber: string
  readonly preAuthorisationCode?: string
}

type ReadForm =
  | { readonly filled: FilledForm }
  | {
      readonly refusals: readonly FormRefusal[]
      /** Whose number it most likely is; a suggestion, never a choice. */
      readonly predicted?: string
    }

const CODE_MAX = 36

/** Reads every field and names each that cannot be used, so that a page shows them together. */
export function readForm(
  ctx: Context,
  merchant: Merchant,
  fixed: OfferTerms,
  form: PayForm,
): ReadForm {
  const offers = openOffers(ctx, merchant, fixed)
  if (offers.length === 0) return { refusals: [{ field: 'provider', rule: 'NOT_OFFERED' }] }
  const refusals: FormRefusal[] = []
  const country = countryOf(ctx, offers, form)
  if (country === undefined) {
    const rule = isBlank(form.country) ? 'MISSING' : 'NOT_OFFERED'
    return { refusals: [{ field: 'country', rule }] }
  }
  const there = offers.filter(({ provider }) => provider.country === country)
  const number = fixed.phoneNumber ?? readNumber(ctx, there, form.phoneNumber)?.phoneNumber
  if (number === undefined) refusals.push(unread('phoneNumber', form.phoneNumber))

  const wanted = fixed.provider ?? form.provider?.trim() ?? ''
  const ofProvider = there.filter(({ provider }) => provider.code === wanted)
  const currency = form.currency?.trim() ?? ''
  const offer = ofProvider.find((one) => one.currency.currency === currency) ?? ofProvider[0]
  if (offer === undefined) {
    refusals.push({ field: 'provider', rule: wanted === '' ? 'MISSING' : 'NOT_OFFERED' })
  }
  const sum = offer?.amount ?? typedAmount(form.amount ?? '')
  const isFixed = there.some(({ amount }) => amount !== undefined)
  if (!isFixed && (sum === undefined || parseAmount(sum) === undefined)) {
    refusals.push(...amountRefusals(form.amount ?? '', sum, offer))
  }
  const code = form.preAuthorisationCode?.trim() ?? ''
  if ([...code].length > CODE_MAX) {
    refusals.push({ field: 'preAuthorisationCode', rule: 'TOO_LONG' })
  }
  if (refusals.length > 0 || offer === undefined || number === undefined || sum === undefined) {
    const predicted =
      wanted === '' ? readNumber(ctx, there, form.phoneNumber)?.predicted : undefined
    return { refusals, ...present({ predicted }) }
  }
  const isAsked = offer.limits.authType === 'PREAUTH' && code !== ''
  const filled = { offer, amount: sum, phoneNumber: number }
  return { filled: isAsked ? { ...filled, preAuthorisationCode: code } : filled }
}

/** What can be paid with; nothing where the account may take no payments any more. */
export function openOffers(ctx: Context, merchant: Merchant, fixed: OfferTerms): readonly Offer[] {
  if (merchant.suspended) return []
  const offers = offersIn(ctx, merchant, fixed)
  return isRefusal(offers) ? [] : offers
}

/** The provider that the number most likely belongs to, typed or fixed, if the page offers it. */
export function predictFor(
  ctx: Context,
  merchant: Merchant,
  fixed: OfferTerms,
  form: Pick<PayForm, 'country' | 'phoneNumber'>,
): string | undefined {
  const offers = openOffers(ctx, merchant, fixed)
  const { phoneNumber } = fixed.phoneNumber === undefined ? form : fixed
  const country = countryOf(ctx, offers, { ...form, phoneNumber })
  const there = offers.filter(({ provider }) => provider.country === country)
  return readNumber(ctx, there, phoneNumber)?.predicted
}

/** The provider of a number that the merchant gave, if the page offers it. */
export function providerOf(
  ctx: Context,
  offers: readonly Offer[],
  phoneNumber: string | undefined,
): string | undefined {
  const found = phoneNumber === undefined ? 'NONE' : ctx.providers.predict(phoneNumber)
  if (typeof found === 'string') return undefined
  return offers.find(({ provider }) => provider.code === found.provider)?.provider.code
}

const isBlank = (text: string | undefined): boolean => (text ?? '').trim() === ''

const unread = (field: keyof PayForm, text: string | undefined): FormRefusal => ({
  field,
  rule: isBlank(text) ? 'MISSING' : 'INVALID',
})

/** Limits are those of a provider: without one, only what cannot be read at all is refused. */
function amountRefusals(
  text: string,
  sum: string | undefined,
  offer: Offer | undefined,
): readonly FormRefusal[] {
  const isLong = sum === undefined && hasTooManyDecimals(text)
  if (sum === undefined && !isLong) return [{ ...unread('amount', text), ...limitsOf(offer) }]
  if (offer === undefined) return []
  const rule = isLong ? 'TOO_MANY_DECIMALS' : 'TOO_LARGE'
  return [{ field: 'amount', rule, providerName: offer.provider.walletName, ...limitsOf(offer) }]
}

/** The only one there is, the chosen one, or the one that the number says by itself. */
function countryOf(
  ctx: Context,
  offers: readonly Offer[],
  { country, phoneNumber = '' }: PayForm,
): string | undefined {
  const countries = new Set(offers.map(({ provider }) => provider.country))
  if (countries.size === 1) return [...countries][0]
  if (!isBlank(country)) return countries.has(country?.trim() ?? '') ? country?.trim() : undefined
  const predicted = ctx.providers.predict(typedDigits(phoneNumber).replace(/^00/, ''))
  if (typeof predicted === 'string' || !countries.has(predicted.country)) return undefined
  return predicted.country
}

type TypedNumber = { readonly phoneNumber: string; readonly predicted?: string }

/** The first spelling that the number plan knows, else the first that has the right length. */
function readNumber(ctx: Context, offers: readonly Offer[], text = ''): TypedNumber | undefined {
  const [first] = offers
  if (first === undefined) return undefined
  const { country, callingCode } = first.provider
  const spellings = numberSpellings(text, callingCode)
  for (const one of spellings) {
    const found = ctx.providers.predict(one)
    if (typeof found === 'string' || found.country !== country) continue
    const isOffered = offers.some(({ provider }) => provider.code === found.provider)
    return { phoneNumber: found.phoneNumber, ...(isOffered ? { predicted: found.provider } : {}) }
  }
  const { withTestNumbers } = ctx.providers
  const fitting = spellings.find((one) =>
    offers.some(({ provider }) => isNumberOf(one, provider, withTestNumbers)),
  )
  return fitting === undefined ? undefined : { phoneNumber: fitting }
}

function limitsOf(offer: Offer | undefined): Pick<FormRefusal, 'limits'> {
  if (offer === undefined) return {}
  const { limits, currency } = offer
  const { min, max, decimals } = limits
  return { limits: { currency: currency.currency, min, max, decimals } }
}

/** A refusal of the deposit, as the field that the customer can change. */
export function asFormRefusal({ code, bound }: Failure, offer: Offer): FormRefusal {
  const providerName = offer.provider.walletName
  switch (code) {
    case 'PROVIDER_TEMPORARILY_UNAVAILABLE':
      return { field: 'provider', rule: 'UNAVAILABLE', providerName }
    case 'INVALID_PHONE_NUMBER':
      return { field: 'phoneNumber', rule: 'INVALID', providerName }
    case 'INVALID_AMOUNT':
      return { field: 'amount', rule: 'TOO_MANY_DECIMALS', providerName, ...limitsOf(offer) }
    case 'AMOUNT_OUT_OF_BOUNDS': {
      const rule = bound === 'MINIMUM' ? 'TOO_SMALL' : 'TOO_LARGE'
      return { field: 'amount', rule, providerName, ...limitsOf(offer) }
    }
    default:
      return { field: 'provider', rule: 'NOT_OFFERED', providerName }
  }
}
