import type { MerchantId, PaymentId, PaymentKey } from '../ids.ts'
import type { MetadataEntry, Payment } from '../payments/payment.ts'
import { type Seen, seenText } from './page-session.ts'

/**
 * A payment that a customer may try several times and complete once. WAITING_PAYMENT and PROCESSING
 * alternate; the other states are final. It never ends under an attempt: see `store/hosted/checkouts.ts`.
 *
 * | From            | Event                                       | To              |
 * | --------------- | ------------------------------------------- | --------------- |
 * | WAITING_PAYMENT | the customer starts an attempt              | PROCESSING      |
 * | WAITING_PAYMENT | the time is up, or the merchant expires it  | EXPIRED         |
 * | WAITING_PAYMENT | the customer cancels                        | CANCELLED       |
 * | PROCESSING      | the attempt completes                       | COMPLETED       |
 * | PROCESSING      | it fails, the time is up or expiry was asked | EXPIRED         |
 * | PROCESSING      | it fails and was the last one allowed       | FAILED          |
 * | PROCESSING      | it fails otherwise                          | WAITING_PAYMENT |
 */
export const CHECKOUT_STATES = [
  'WAITING_PAYMENT',
  'PROCESSING',
  'COMPLETED',
  'FAILED',
  'EXPIRED',
  'CANCELLED',
] as const
export type CheckoutState = (typeof CHECKOUT_STATES)[number]

export const ATTEMPTS_MAX = 10
export const EXPIRES_AFTER_MINUTES = { least: 3, most: 60, usual: 15 } as const

export const RETURN_METHODS = ['INSTANT', 'COUNTDOWN', 'CUSTOMER_ACTION'] as const
export type ReturnMethod = (typeof RETURN_METHODS)[number]

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
  readonly endedAt?: number
  readonly terms: CheckoutTerms
  /** Deposits, oldest first. */
  readonly attempts: readonly Payment[]
}

/** The customer may still start an attempt; nobody may have noticed yet that the time is up. */
export function isPayable(checkout: Checkout, now: number): boolean {
  return checkout.state === 'WAITING_PAYMENT' && now < checkout.expiresAt
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
