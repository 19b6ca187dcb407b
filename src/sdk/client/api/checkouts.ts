// Made from the OpenAPI document by "npm run client-types". Do not edit.
import type { DepositRecord, FailureReason } from './shared.ts'

export type CheckoutRequest = {
  /** a UUID version 4, in any letter case */
  readonly checkoutId: string
  /**
   * an absolute https address to which the customer comes back, or one of an app whose scheme the
   * account allows; in the sandbox also http to this machine or a private address
   */
  readonly returnUrl: string
  /**
   * how the customer returns once the checkout is final: at once (default), after a short
   * countdown, or by a button. After a failed attempt that can be repeated the customer stays, and
   * has a link back
   */
  readonly returnMethod?: 'INSTANT' | 'COUNTDOWN' | 'CUSTOMER_ACTION'
  /** of the page; the customer can choose another */
  readonly defaultLanguage?: 'en' | 'fr'
  /** where the wallet may be; every country of the account by default */
  readonly countries?: readonly string[]
  /** minutes until no new attempt can be started; 15 by default */
  readonly expiresAfter?: number
  /** what is to be paid, for each country; without it the customer says how much */
  readonly amounts?: readonly {
    /** a country as three capital letters (ISO 3166-1 alpha-3) */
    readonly country: string
    /** a currency as three capital letters (ISO 4217) */
    readonly currency: string
    /**
     * a positive amount as text, such as 15 or 15.50: no sign, no leading zeroes, up to four
     * decimals
     */
    readonly amount: string
  }[]
  /** the wallet that pays, as far as you know it */
  readonly payer?: {
    /** a mobile-money wallet */
    readonly type: 'MMO'
    readonly accountDetails: {
      /** a phone number as digits with the country code: no plus sign, no spaces */
      readonly phoneNumber?: string
      /** a provider code in capital letters, digits and underscores */
      readonly provider?: string
      /** true: a suggestion; false: the customer cannot change what you gave */
      readonly allowCustomerToOverride: boolean
    }
  }
  /** your own reference, such as an invoice number */
  readonly clientReferenceId?: string
  /**
   * what is paid for, by language; the customer sees it on the page and may see it on the receipt
   */
  readonly reason?: {
    /** a text of reason with 4 to 22 letters (a to z, without accents), digits and spaces */
    readonly en?: string
    /** a text of reason with 4 to 22 letters (a to z, without accents), digits and spaces */
    readonly fr?: string
    readonly [name: string]: string | undefined
  }
  /** values of your own, kept with the payment; the customer never sees them */
  readonly metadata?: readonly {
    /** the value is personal data */
    readonly isPII?: boolean
    readonly [name: string]: string | boolean | undefined
  }[]
}

export type CheckoutAnswer = {
  /** as sent */
  readonly checkoutId: string
  /** the answer to this request; not the state of the payment */
  readonly status: 'ACCEPTED' | 'DUPLICATE_IGNORED' | 'REJECTED'
  /** date and time in UTC (RFC 3339) */
  readonly created?: string
  readonly failureReason?: FailureReason
  /** where to send the customer */
  readonly redirectUrl?: string
  /** date and time in UTC (RFC 3339) */
  readonly expiresAt?: string
  /** the last part of the link; the customer comes back with it */
  readonly checkoutCode?: string
}

export type CheckoutStatus = {
  /** whether the checkout exists */
  readonly status: 'FOUND' | 'NOT_FOUND'
  readonly data?: CheckoutRecord
}

export type CheckoutRecord = {
  /** as sent */
  readonly checkoutId: string
  /**
   * WAITING_PAYMENT: an attempt can be started; PROCESSING: one is under way; the others are final.
   * FAILED: every attempt that is allowed failed; CANCELLED: by the customer
   */
  readonly status:
    | 'WAITING_PAYMENT'
    | 'PROCESSING'
    | 'COMPLETED'
    | 'FAILED'
    | 'EXPIRED'
    | 'CANCELLED'
  /** where to send the customer */
  readonly redirectUrl: string
  /** the last part of the link; the customer comes back with it */
  readonly checkoutCode: string
  /** date and time in UTC (RFC 3339) */
  readonly expiresAt: string
  /** date and time in UTC (RFC 3339) */
  readonly created: string
  /**
   * an absolute https address to which the customer comes back, or one of an app whose scheme the
   * account allows; in the sandbox also http to this machine or a private address
   */
  readonly returnUrl: string
  /** INSTANT by default */
  readonly returnMethod: 'INSTANT' | 'COUNTDOWN' | 'CUSTOMER_ACTION'
  /** of the page; the customer can choose another */
  readonly defaultLanguage?: 'en' | 'fr'
  /** as requested; empty for every country of the account */
  readonly countries: readonly string[]
  /** minutes until no new attempt can be started; 15 by default */
  readonly expiresAfter?: number
  /** what is to be paid, for each country; without it the customer says how much */
  readonly amounts?: readonly {
    /** a country as three capital letters (ISO 3166-1 alpha-3) */
    readonly country: string
    /** a currency as three capital letters (ISO 4217) */
    readonly currency: string
    /**
     * a positive amount as text, such as 15 or 15.50: no sign, no leading zeroes, up to four
     * decimals
     */
    readonly amount: string
  }[]
  /** the wallet that pays, as far as you know it */
  readonly payer?: {
    /** a mobile-money wallet */
    readonly type: 'MMO'
    readonly accountDetails: {
      /** a phone number as digits with the country code: no plus sign, no spaces */
      readonly phoneNumber?: string
      /** a provider code in capital letters, digits and underscores */
      readonly provider?: string
      /** true: a suggestion; false: the customer cannot change what you gave */
      readonly allowCustomerToOverride: boolean
    }
  }
  /** your own reference, such as an invoice number */
  readonly clientReferenceId?: string
  /** as sent */
  readonly reason?: {
    readonly [name: string]: string
  }
  /** the status of the latest attempt */
  readonly depositStatus?: string
  readonly deposit?: DepositRecord
  /** every attempt, oldest first */
  readonly depositsHistory: readonly DepositRecord[]
  /** of the attempt that completed */
  readonly providerTransactionId?: string
  /** the metadata of the request, as one object from name to value */
  readonly metadata?: {
    readonly [name: string]: string
  }
}

export type CheckoutExpiry = {
  /** as sent when it was created */
  readonly checkoutId: string
  /**
   * WAITING_PAYMENT: an attempt can be started; PROCESSING: one is under way; the others are final.
   * FAILED: every attempt that is allowed failed; CANCELLED: by the customer
   */
  readonly status:
    | 'WAITING_PAYMENT'
    | 'PROCESSING'
    | 'COMPLETED'
    | 'FAILED'
    | 'EXPIRED'
    | 'CANCELLED'
  /** date and time in UTC (RFC 3339) */
  readonly expiredAt?: string
  readonly reason?: 'MANUAL_EXPIRY'
  readonly expiredBy?: 'API'
}

export type CheckoutActionAnswer = {
  /** as sent */
  readonly checkoutId: string
  readonly status: 'ACCEPTED' | 'REJECTED'
  readonly failureReason?: FailureReason
}
