// Made from the OpenAPI document by "npm run client-types". Do not edit.
import type { FailureReason, PaymentFailureReason } from './shared.ts'

export type RefundRequest = {
  /** a UUID version 4, in any letter case */
  readonly refundId: string
  /** a UUID version 4, in any letter case; the deposit to refund, which must be COMPLETED */
  readonly depositId: string
  /**
   * a positive amount as text, such as 15 or 15.50: no sign, no leading zeroes, up to four decimals
   */
  readonly amount?: string
  /** a currency as three capital letters (ISO 4217) */
  readonly currency?: string
  /** your own reference, such as an invoice number */
  readonly clientReferenceId?: string
  /** values of your own, kept with the payment; the customer never sees them */
  readonly metadata?: readonly {
    /** the value is personal data */
    readonly isPII?: boolean
    readonly [name: string]: string | boolean | undefined
  }[]
}

export type RefundAnswer = {
  /** as sent */
  readonly refundId: string
  /** the answer to this request; not the state of the payment */
  readonly status: 'ACCEPTED' | 'DUPLICATE_IGNORED' | 'REJECTED'
  /** date and time in UTC (RFC 3339) */
  readonly created?: string
  readonly failureReason?: FailureReason
}

export type RefundStatus = {
  /** whether the refund exists */
  readonly status: 'FOUND' | 'NOT_FOUND'
  readonly data?: RefundRecord
}

export type RefundRecord = {
  /** as sent */
  readonly refundId: string
  /** the deposit that is refunded */
  readonly depositId?: string
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
  /** as requested; what was left of the deposit when no amount was given */
  readonly amount: string
  /** a currency as three capital letters (ISO 4217) */
  readonly currency: string
  /** a country as three capital letters (ISO 3166-1 alpha-3) */
  readonly country: string
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

export type RefundActionAnswer = {
  /** as sent */
  readonly refundId: string
  readonly status: 'ACCEPTED' | 'REJECTED'
  readonly failureReason?: FailureReason
}
