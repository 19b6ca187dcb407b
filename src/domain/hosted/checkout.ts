import type { MerchantId, PaymentId, PaymentKey } from '../ids.ts'
import type { MetadataEntry, Payment } from '../payments/payment.ts'
import { type Seen, seenText } from './page-session.ts'

export const CHECKOUT_STATES = [
  'WAITING_PAYMENT',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
  'EXPIRED',
  'CANCELLED',
] as const
export type CheckoutState = (typeof CHECKOUT_STATES)[number]

/**
 * What can happen to a checkout. `start`: the customer starts an attempt. `expire`: the time is up,
 * or the merchant expires it. `retry`: the attempt failed and another one is allowed. `exhaust`: it
 * failed and was the last one. A checkout on hold waits until the doubt is over, and then takes the way
 * that was open before.
 */
type CheckoutEvent = 'start' | 'cancel' | 'expire' | 'complete' | 'retry' | 'exhaust'

/**
 * A payment that a customer may try several times and complete once. It never ends under an attempt:
 * whatever happens meanwhile, the attempt ends first and then decides. The statements in
 * `store/hosted/checkouts.ts` and `store/payments/advance-wholes.ts` take their states from here.
 */
export const CHECKOUT_MACHINE = {
  WAITING_PAYMENT: {
    start: 'PROCESSING',
    expire: 'EXPIRED',
    cancel: 'CANCELLED',
    complete: 'COMPLETED',
    exhaust: 'FAILED',
  },
  PROCESSING: {
    complete: 'COMPLETED',
    expire: 'EXPIRED',
    exhaust: 'FAILED',
    retry: 'WAITING_PAYMENT',
  },
  COMPLETED: {},
  FAILED: {},
  EXPIRED: {},
  CANCELLED: {},
} as const satisfies Readonly<
  Record<CheckoutState, Readonly<Partial<Record<CheckoutEvent, CheckoutState>>>>
>

/** A final state is one with no way out. */
export const isFinalCheckout = (state: CheckoutState): boolean =>
  Object.keys(CHECKOUT_MACHINE[state]).length === 0

export const ATTEMPTS_MAX = 10
export const EXPIRES_AFTER_MINUTES = { least: 3, most: 60, usual: 15 } as const

export const RETURN_METHODS = ['INSTANT', 'COUNTDOWN', 'CUSTOMER_ACTION'] as const
export type ReturnMethod = (typeof RETURN_METHODS)[number]
export const DEFAULT_RETURN_METHOD: ReturnMethod = 'INSTANT'

export const LANGUAGES = ['en', 'fr'] as const
export type Language = (typeof LANGUAGES)[number]

/** What the merchant asked for. Without `amounts` the customer says how much. */
export type CheckoutTerms = {
  readonly returnUrl: string
  readonly returnMethod?: ReturnMethod
  readonly defaultLanguage?: Language
  readonly countries?: readonly string[]
  readonly amounts?: readonly CheckoutAmount[]
  readonly payer?: CheckoutPayer
  readonly clientReferenceId?: string
  /** By language. */
  readonly reason?: Readonly<Record<string, string>>
  readonly metadata?: readonly MetadataEntry[]
  /** A person made the link by hand. */
  readonly source?: 'LINK'
}

export type CheckoutAmount = {
  readonly country: string
  readonly currency: string
  readonly amount: string
}

export type CheckoutPayer = {
  readonly phoneNumber?: string
  readonly provider?: string
  /** True: the customer may choose another wallet. */
  readonly allowCustomerToOverride: boolean
}

export type Checkout = {
  readonly kind: 'checkout'
  readonly merchantId: MerchantId
  readonly id: PaymentId
  readonly idAsSent: string
  readonly key: PaymentKey
  readonly generation: 'v2'
  readonly state: CheckoutState
  readonly createdAt: number
  readonly expiresAt: number
  readonly expiresAfterMinutes: number
  /** The merchant asked to expire it. */
  readonly isExpiryAsked: boolean
  /** An attempt that failed was paid after all, as its provider says now, and maybe rightly. */
  readonly isOnHold: boolean
  /** The attempt that failed and was corrected: it was paid. */
  readonly paidAttempt?: PaymentId
  readonly endedAt?: number
  readonly terms: CheckoutTerms
  /** Deposits, oldest first. */
  readonly attempts: readonly Payment[]
}

/** The customer may still start an attempt; nobody may have noticed yet that the time is up. */
export function isPayable(checkout: Checkout, now: number): boolean {
  const { state, isOnHold, isExpiryAsked, attempts, expiresAt } = checkout
  if (state !== 'WAITING_PAYMENT' || isOnHold || isExpiryAsked) return false
  return attempts.length < ATTEMPTS_MAX && now < expiresAt
}

/**
 * The attempt that the customer reads about. One that failed is in doubt while its provider says the
 * opposite, and paid once that was corrected, whatever the checkout came to: nobody who may have been
 * charged reads that they were not.
 */
export function shownAttempt(checkout: Checkout): Payment | undefined {
  const { state, attempts, paidAttempt, isOnHold } = checkout
  const last = attempts.at(-1)
  if (last?.state !== 'FAILED' || state === 'PROCESSING') return last
  const paid = attempts.find(({ id }) => id === paidAttempt)
  if (paid !== undefined) return { ...paid, state: 'COMPLETED' }
  return isOnHold ? { ...last, state: 'IN_RECONCILIATION' } : last
}

/** What changes whenever a page about it has to look different. */
export function checkoutVersion(
  state: CheckoutState,
  attempts: number,
  latest: Seen | undefined,
): string {
  return [state, attempts, seenText(latest)].join('.')
}

/** The text for the receipt: that of the default language, or the first there is. */
export function reasonFor({ reason, defaultLanguage }: CheckoutTerms): string | undefined {
  if (reason === undefined) return undefined
  return reason[defaultLanguage ?? 'en'] ?? reason.en ?? reason.fr ?? Object.values(reason)[0]
}
