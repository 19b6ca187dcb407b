// Made from the OpenAPI document by "npm run client-types". Do not edit.
import type { FailureReason, PaymentFailureReason } from './shared.ts'

export type PayoutRequest = {
  /** a UUID version 4, in any letter case */
  readonly payoutId: string
  /**
   * a positive amount as text, such as 15 or 15.50: no sign, no leading zeroes, up to four decimals
   */
  readonly amount: string
  /** a currency as three capital letters (ISO 4217) */
  readonly currency: string
  /** the wallet the money goes to */
  readonly recipient: {
    /** a mobile-money wallet */
    readonly type: 'MMO'
    readonly accountDetails: {
      /** a phone number as digits with the country code: no plus sign, no spaces */
      readonly phoneNumber: string
      /** a provider code in capital letters, digits and underscores */
      readonly provider: string
    }
  }
  /** your own reference, such as an invoice number */
  readonly clientReferenceId?: string
  /**
   * 4 to 22 letters (a to z, without accents), digits and spaces; the customer may see it on the
   * receipt
   */
  readonly customerMessage?: string
  /** values of your own, kept with the payment; the customer never sees them */
  readonly metadata?: readonly {
    /** the value is personal data */
    readonly isPII?: boolean
    readonly [name: string]: string | boolean | undefined
  }[]
}

export type PayoutAnswer = {
  /** as sent */
  readonly payoutId: string
  /** the answer to this request; not the state of the payment */
  readonly status: 'ACCEPTED' | 'DUPLICATE_IGNORED' | 'REJECTED'
  /** date and time in UTC (RFC 3339) */
  readonly created?: string
  readonly failureReason?: FailureReason
}

export type PayoutStatus = {
  /** whether the payout exists */
  readonly status: 'FOUND' | 'NOT_FOUND'
  readonly data?: PayoutRecord
}

export type PayoutRecord = {
  /** as sent */
  readonly payoutId: string
  /**
   * the state of the payment; COMPLETED and FAILED are final; ENQUEUED waits until the provider
   * works again
   */
  readonly status:
    | 'ACCEPTED'
    | 'ENQUEUED'
    | 'PROCESSING'
    | 'IN_RECONCILIATION'
    | 'COMPLETED'
    | 'FAILED'
  /** exactly as requested */
  readonly amount: string
  /** a currency as three capital letters (ISO 4217) */
  readonly currency: string
  /** a country as three capital letters (ISO 3166-1 alpha-3) */
  readonly country: string
  /** the wallet the money goes to */
  readonly recipient: PayoutRequest['recipient']
  /** your company name by default */
  readonly customerMessage?: string
  readonly clientReferenceId?: string
  /** date and time in UTC (RFC 3339) */
  readonly created: string
  /** the provider's own identifier, once the payment is COMPLETED */
  readonly providerTransactionId?: string
  readonly failureReason?: PaymentFailureReason
  /** the metadata of the request, as one object from name to value */
  readonly metadata?: {
    readonly [name: string]: string
  }
}

export type PayoutActionAnswer = {
  /** as sent */
  readonly payoutId: string
  readonly status: 'ACCEPTED' | 'REJECTED'
  readonly failureReason?: FailureReason
}
