import { availabilityOf, type Merchant } from '../../domain/accounts/merchant.ts'
import type { FailureCode } from '../../domain/failure.ts'
import type { Instructions, Localised } from '../../domain/hosted/instructions.ts'
import type { Offer } from '../../domain/hosted/offer.ts'
import { flagPath, logoPath } from '../../domain/hosted/picture-paths.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import type { PaymentState } from '../../domain/payments/payment-state.ts'
import { shortReference } from '../../domain/payments/short-reference.ts'
import { fitsProvider, numberHint, spacedNumber } from '../../domain/phone-number.ts'
import { present } from '../../domain/present.ts'
import type { AuthorisationType, ListedProvider, OperationLimits } from '../../domain/provider.ts'
import type { Context } from '../context.ts'

/** What a page shows, without a table or a rule in it. */
export type CountryChoice = {
  readonly country: string
  readonly name: Localised
  readonly callingCode: string
  /** A number as people there write it, shown as an example. */
  readonly exampleNumber: string
  readonly flag: string
  readonly providers: readonly ProviderChoice[]
}

export type ProviderChoice = ProviderView & {
  /** False: it stays in the list and cannot be chosen now. */
  readonly isAvailable: boolean
  readonly currencies: readonly CurrencyChoice[]
}

export type CurrencyChoice = {
  readonly currency: string
  readonly symbol: string
  readonly min: string
  readonly max: string
  readonly decimals: number
  /** Fixed by the merchant. */
  readonly amount?: string
}

/** What a form begins with. */
export type Wallet = {
  readonly phoneNumber?: string
  readonly provider?: string
  readonly country?: string
}

export type ProviderView = {
  readonly provider: string
  /** What its customers call it. */
  readonly name: string
  readonly logo: string
  readonly authType: AuthorisationType
  readonly pinPrompt?: 'AUTOMATIC' | 'MANUAL'
  readonly pinPromptRevivable?: boolean
  readonly instructions?: Instructions
}

/** A deposit as its customer may see it. */
export type PaymentView = {
  /** Short enough to read out; the merchant's people find the payment by it. */
  readonly reference: string
  readonly state: PaymentState
  readonly amount: string
  readonly currency: string
  readonly symbol: string
  readonly country: string
  readonly maskedNumber: string
  readonly provider: ProviderView
  readonly createdAt: number
  readonly endedAt?: number
  readonly providerTransactionId?: string
  /** Where the customer approves it, with a provider that has a page for that. */
  readonly authorizationUrl?: string
  /** Why it failed, for a text of the page's own; never the message, which is for staff. */
  readonly failureCode?: FailureCode
}

export function choicesOf(merchant: Merchant, offers: readonly Offer[]): readonly CountryChoice[] {
  const countries = new Map<string, CountryChoice>()
  for (const offer of offers) {
    const { country, countryName: name, callingCode } = offer.provider
    const before = countries.get(country)?.providers ?? []
    const providers = withOffer(before, merchant, offer)
    const exampleNumber = countries.get(country)?.exampleNumber || exampleOf(offer.provider)
    const flag = flagPath(country)
    countries.set(country, { country, name, callingCode, exampleNumber, flag, providers })
  }
  return [...countries.values()]
}

/** A test number that looks like any other there; empty where the catalogue has none. */
function exampleOf(provider: ListedProvider): string {
  const numbers = provider.testNumbers.DEPOSIT ?? []
  const example = numbers.findLast(({ phoneNumber }) => fitsProvider(phoneNumber, provider))
  return example === undefined ? '' : spacedNumber(example.phoneNumber, provider.callingCode)
}

function withOffer(
  choices: readonly ProviderChoice[],
  merchant: Merchant,
  offer: Offer,
): readonly ProviderChoice[] {
  const { provider, limits } = offer
  const known = choices.find((one) => one.provider === provider.code)
  if (known !== undefined) {
    const currencies = [...known.currencies, currencyOf(offer)]
    return choices.map((one) => (one === known ? { ...known, currencies } : one))
  }
  const isAvailable = availabilityOf(merchant, provider.code, 'DEPOSIT') === 'OPERATIONAL'
  const choice = { ...providerView(provider, limits), isAvailable, currencies: [currencyOf(offer)] }
  return [...choices, choice]
}

function currencyOf({ currency, limits, amount }: Offer): CurrencyChoice {
  const { min, max, decimals } = limits
  return {
    currency: currency.currency,
    symbol: currency.symbol,
    min,
    max,
    decimals,
    ...present({ amount }),
  }
}

function providerView(provider: ListedProvider, limits: OperationLimits | undefined): ProviderView {
  const { authType = 'PROVIDER_AUTH', pinPrompt, pinPromptRevivable, instructions } = limits ?? {}
  return {
    provider: provider.code,
    name: provider.walletName,
    logo: logoPath(provider.displayName),
    authType,
    ...present({ pinPrompt, pinPromptRevivable, instructions }),
  }
}

/** Undefined only where the catalogue has lost the provider of the payment. */
export function paymentView(ctx: Context, payment: Payment): PaymentView | undefined {
  const { find, catalog } = ctx.providers
  const provider = find(payment.provider) ?? catalog.find(payment.provider)
  if (provider === undefined) return undefined
  const currency = provider.currencies.find((one) => one.currency === payment.currency)
  return {
    reference: shortReference(payment.key),
    state: payment.state,
    amount: payment.amount,
    currency: payment.currency,
    symbol: currency?.symbol ?? payment.currency,
    country: payment.country,
    maskedNumber: numberHint(payment.phoneNumber, provider.callingCode),
    provider: providerView(provider, currency?.operations.DEPOSIT),
    createdAt: payment.createdAt,
    ...present({
      endedAt: payment.endedAt,
      providerTransactionId: payment.providerTransactionId,
      authorizationUrl: payment.authorizationUrl,
      failureCode: payment.failure?.code,
    }),
  }
}
