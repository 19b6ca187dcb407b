import { PAGES } from '../../domain/client-timing.ts'
import type { CheckoutView } from '../../usecases/hosted/checkout.ts'
import type { FormRefusal, PayForm } from '../../usecases/hosted/form.ts'
import type { PageView } from '../../usecases/hosted/page.ts'
import type { CountryChoice, PaymentView } from '../../usecases/hosted/view.ts'
import type { Lang } from '../words.ts'

/** One visit of a customer to a page, apart from what the page is about. */
export type Visit = {
  readonly lang: Lang
  /** In the address: shown again in links, so that a choice lasts without a cookie as well. */
  readonly chosenLang?: Lang | undefined
  readonly now: number
  readonly isSandbox: boolean
  readonly kind: 'page' | 'checkout'
  /** The customer was here when it happened, and did not come back to read what came of it. */
  readonly isLive: boolean
  /** Wants the form again after a failed attempt. */
  readonly wantsForm: boolean
  readonly country?: string | undefined
  /** Went on without having chosen a country. */
  readonly wantsCountry?: boolean
  /** Shown to the merchant as a sample: nothing moves, and no form leads anywhere. */
  readonly isPreview?: true
}

/** What the customer sent and why it cannot be taken as it is. */
export type Typed = {
  readonly form: PayForm
  readonly refusals: readonly FormRefusal[]
  /** Suggested by the number. */
  readonly predicted?: string | undefined
  /** The choice contradicts the number; asked once. */
  readonly asks?: boolean
  /** The code was asked for before. */
  readonly sentCode?: boolean
  /** The service takes no new payments at this moment; what was typed is kept for the next try. */
  readonly isBusy?: boolean
  /** The provider that the customer holds to although the number looks like another's. */
  readonly asked?: string | undefined
}

export type HostedView = PageView | CheckoutView
export type KnownView = Exclude<HostedView, { screen: 'UNKNOWN' }>
/** About a payment that was started. */
export type StartedView = Extract<HostedView, { readonly payment: PaymentView }>
export type DetailsView = Extract<HostedView, { screen: 'DETAILS' }>

export type Screen =
  | 'unknown'
  | 'expired'
  | 'cancelled'
  | 'closed'
  | 'country'
  | 'details'
  | 'code'
  | 'waiting'
  | 'slow'
  | 'processing'
  | 'go'
  | 'confirming'
  | 'paid'
  | 'failed'

/** Which screen is shown; decided only here. */
export function screenOf(view: HostedView, visit: Visit): Screen {
  switch (view.screen) {
    case 'UNKNOWN':
      return 'unknown'
    case 'EXPIRED':
      return 'expired'
    case 'CANCELLED':
      return 'cancelled'
    case 'ENDED':
      return view.payment.state === 'COMPLETED' ? 'paid' : 'failed'
    case 'RUNNING':
      return runningScreen(view.payment, visit.now)
    case 'DETAILS':
      return openScreen(view, visit)
  }
}

function runningScreen(payment: PaymentView, now: number): Screen {
  const age = now - payment.createdAt
  if (payment.state === 'IN_RECONCILIATION' || age >= PAGES.confirmingMs) return 'confirming'
  if (payment.provider.authType === 'REDIRECT_AUTH') return 'go'
  // The code was the approval: nothing comes to the phone any more.
  if (payment.provider.authType === 'PREAUTH') return 'processing'
  return age >= PAGES.slowMs ? 'slow' : 'waiting'
}

function openScreen(view: DetailsView, visit: Visit): Screen {
  const failed = failedAttempt(view)
  if (failed !== undefined && !visit.wantsForm) {
    return isWrongCode(failed) && knowsNumber(view) ? 'code' : 'failed'
  }
  const providers = view.choices.flatMap((one) => one.providers)
  if (!providers.some(({ isAvailable }) => isAvailable)) return 'closed'
  return chosenCountry(view, visit) === undefined ? 'country' : 'details'
}

/** Only the browser that sent the number sees it again; any other starts at the form. */
const knowsNumber = (view: DetailsView): boolean =>
  view.fixed.phoneNumber !== undefined || view.prefilled.phoneNumber !== undefined

export function failedAttempt(view: HostedView): PaymentView | undefined {
  const last = view.screen === 'DETAILS' && 'lastAttempt' in view ? view.lastAttempt : undefined
  return last?.state === 'FAILED' ? last : undefined
}

/** What a provider of one-time codes says of a code that does not work. */
export const isWrongCode = ({ failureCode, provider }: PaymentView): boolean =>
  provider.authType === 'PREAUTH' && failureCode === 'PAYMENT_NOT_APPROVED'

/** It failed, but the provider did not say so clearly: money may have moved. */
export const isUnseen = ({ failureCode }: PaymentView): boolean => failureCode === 'UNKNOWN_ERROR'

/** What is paid for, in the customer's language if the merchant said it in that one. */
export function reasonOf({ reason }: KnownView, lang: Lang): string | undefined {
  if (reason === undefined || typeof reason === 'string') return reason
  return reason[lang] ?? Object.values(reason)[0]
}

/** The only one, the chosen one, or that of the prefilled wallet. */
export function chosenCountry(
  view: DetailsView,
  { country }: Pick<Visit, 'country'>,
): CountryChoice | undefined {
  const { choices, prefilled } = view
  if (choices.length === 1) return choices[0]
  const wanted = country ?? prefilled.country
  if (wanted !== undefined) return choices.find((one) => one.country === wanted)
  const { phoneNumber, provider } = prefilled
  if (phoneNumber !== undefined) return choices.find((one) => isOf(phoneNumber, one))
  return choices.find(({ providers }) => providers.some((one) => one.provider === provider))
}

/** A number may be suggested that is of none of the countries, or not of the one chosen. */
export const isOf = (phoneNumber: string, { callingCode }: CountryChoice): boolean =>
  phoneNumber.startsWith(callingCode)

/** Changes whenever the customer has to see something else. */
export function markOf(view: HostedView, visit: Visit): string {
  return view.screen === 'UNKNOWN' ? '' : `${view.version}-${screenOf(view, visit)}`
}

/**
 * Seconds until the page leads back by itself; undefined where it waits for the customer, as it does
 * after a failed attempt of a checkout that is still open, and where the customer may need the
 * reference of a payment that nobody saw the outcome of.
 */
export function returnsAfter(view: HostedView, visit: Visit): number | undefined {
  if (!visit.isLive || (view.screen !== 'ENDED' && view.screen !== 'CANCELLED')) return undefined
  if (screenOf(view, visit) === 'failed' && 'payment' in view && isUnseen(view.payment)) {
    return undefined
  }
  return RETURNS_AFTER['returnMethod' in view ? view.returnMethod : 'COUNTDOWN']
}

/** Long enough to read a receipt, or to save it. */
const RETURNS_AFTER = { INSTANT: 0, COUNTDOWN: 10, CUSTOMER_ACTION: undefined } as const
