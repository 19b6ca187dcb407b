import type { MerchantId, PaymentId, PaymentKey } from '../ids.ts'
import type { Generation, MetadataEntry, PaymentDetails } from '../payments/payment.ts'
import type { PaymentState } from '../payments/payment-state.ts'
import { LIFETIMES } from '../timing.ts'

/** A session of the Payment Page: the right of one customer to start one deposit. */
export type PageSession = {
  readonly merchantId: MerchantId
  readonly key: PaymentKey
  readonly depositId: PaymentId
  readonly depositIdAsSent: string
  readonly generation: Generation
  readonly createdAt: number
  readonly expiresAt: number
  readonly terms: PageTerms
}

/** What the merchant fixed; the customer says the rest. */
export type PageTerms = {
  readonly returnUrl: string
  readonly customerMessage?: string
  readonly amountDetails?: { readonly amount: string; readonly currency: string }
  readonly phoneNumber?: string
  readonly language?: 'EN' | 'FR'
  readonly country?: string
  readonly reason?: string
  readonly metadata?: readonly MetadataEntry[]
  /** Of the deposit; programs give it with metadata. */
  readonly clientReferenceId?: string
  /** A person made the link by hand. */
  readonly source?: NonNullable<PaymentDetails['source']>
}

export const SESSION_MS = LIFETIMES.pageSessionMs

/** How long after its end a customer can still read what came of a payment. */
export const READABLE_MS = LIFETIMES.pageReadableMs

/** What changes whenever a page about the deposit has to look different. */
export const pageVersion = (deposit: Seen | undefined): string => seenText(deposit) || 'NONE'

/** What a customer sees of a payment: its state, and whether there is a page to go on to. */
export type Seen = { readonly state: PaymentState; readonly authorizationUrl?: string }

/** A payment that was accepted looks like one under way, whichever of the two it is just now. */
export function seenText(payment: Seen | undefined): string {
  if (payment === undefined) return ''
  const { state, authorizationUrl } = payment
  const shown = state === 'ACCEPTED' ? 'PROCESSING' : state
  return shown + (authorizationUrl === undefined ? '' : '+')
}

/** Whether a page of that version, also one of a checkout, shows the payment as it is. */
export const isSeen = (version: string, payment: Seen): boolean =>
  version.split('.').at(-1) === seenText(payment)
