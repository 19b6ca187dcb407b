import type { Failure } from '../failure.ts'
import type { MerchantId, PaymentId, PaymentKey } from '../ids.ts'
import type { AccountName } from './ledger.ts'
import type { PaymentKind, PaymentState } from './payment-state.ts'

/** The API generation a payment was started in; its callback speaks the same one. */
export type Generation = 'v1' | 'v2'

export type MetadataEntry = { readonly name: string; readonly value: string; readonly pii: boolean }

/** What the merchant sent beside the money; kept together because no rule looks at it. */
export type PaymentDetails = {
  readonly customerMessage?: string
  readonly clientReferenceId?: string
  readonly metadata?: readonly MetadataEntry[]
  readonly preAuthorisationCode?: string
  readonly successfulUrl?: string
  readonly failedUrl?: string
  /** The provider has a page of its own on which the customer approves. */
  readonly redirects?: true
  /** When the payment was started, in the merchant's words; the earlier generation asks for it. */
  readonly customerTimestamp?: string
  /** The key of the session or checkout on whose page the customer pressed Pay. */
  readonly pageKey?: PaymentKey
  /** Made by a person of the merchant: from a file of payouts, by a link, or as a refund. */
  readonly source?: 'BULK' | 'LINK' | 'DASHBOARD'
  /** The bulk payout that it is part of. */
  readonly bulkId?: string
  /** The deposit that a refund gives back, as the merchant wrote its identifier. */
  readonly depositId?: string
  /** Of a payment that is traced, and only of one: what its next spans are part of. */
  readonly traceparent?: string
  readonly tracestate?: string
  /** Who sends a remittance and who gets it, as sent. */
  readonly sender?: Readonly<Record<string, unknown>>
  readonly recipientDetails?: Readonly<Record<string, unknown>>
}

/** What an operator calls an order: its tokens, request and session identifiers, by name. */
export type OperatorIds = Readonly<Record<string, string>>

/**
 * What a payment gets on its way may be there without a value: copies of a new payment then keep its form,
 * which makes them many times cheaper in V8 than those that grow.
 */
export type Payment = {
  readonly merchantId: MerchantId
  readonly kind: PaymentKind
  readonly id: PaymentId
  /** The identifier as the merchant wrote it, letter case included. */
  readonly idAsSent: string
  readonly key: PaymentKey
  readonly generation: Generation
  readonly state: PaymentState
  /** Exactly the text that was requested; records repeat it. */
  readonly amount: string
  readonly currency: string
  readonly country: string
  readonly provider: string
  readonly phoneNumber: string
  readonly details: PaymentDetails
  readonly createdAt: number
  /** The wallet whose money is held for it; absent when the wallet held too little. */
  readonly heldFrom?: AccountName | undefined
  readonly refundOf?: PaymentId
  /** The split payment that it is part of. */
  readonly splitId?: PaymentId
  /** The checkout that it is an attempt of. */
  readonly checkoutId?: PaymentId
  /** Stored before the operator is asked, so that a crash is followed by a look-up. */
  readonly providerReference?: string | undefined
  readonly submittedAt?: number | undefined
  /** When the operator first had no answer, while it has none; stored for the next node. */
  readonly unknownSince?: number
  readonly providerTransactionId?: string | undefined
  /** The account with the operator that it was sent through; the simulated operator has none. */
  readonly operatorAccount?: string
  readonly operatorIds?: OperatorIds
  /** Where the customer approves it, once the operator has named it. */
  readonly authorizationUrl?: string
  readonly failure?: Failure | undefined
  /** When it became final. */
  readonly endedAt?: number | undefined
}

/** The answer to an initiation. It is not a state: a refused request leaves no payment behind. */
export type Initiation =
  | { readonly status: 'ACCEPTED'; readonly createdAt: number; readonly payment: Payment }
  | { readonly status: 'DUPLICATE_IGNORED'; readonly createdAt: number }
  | { readonly status: 'REJECTED'; readonly failure: Failure }
