// Made from the OpenAPI document by "npm run client-types". Do not edit.
import type { DepositRecord, FailureReason } from './shared.ts'

export type DepositRequest = {
  /** a UUID version 4, in any letter case */
  readonly depositId: string
  /**
   * a positive amount as text, such as 15 or 15.50: no sign, no leading zeroes, up to four decimals
   */
  readonly amount: string
  /** a currency as three capital letters (ISO 4217) */
  readonly currency: string
  /** the wallet the money comes from */
  readonly payer: {
    /** a mobile-money wallet */
    readonly type: 'MMO'
    readonly accountDetails: {
      /** a phone number as digits with the country code: no plus sign, no spaces */
      readonly phoneNumber: string
      /** a provider code in capital letters, digits and underscores */
      readonly provider: string
    }
  }
  /** the one-time code of the customer, where the provider asks for one */
  readonly preAuthorisationCode?: string
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
  /**
   * an absolute https address to which the customer comes back, or one of an app whose scheme the
   * account allows; in the sandbox also http to this machine or a private address; only for
   * providers that redirect the customer
   */
  readonly successfulUrl?: string
  /**
   * an absolute https address to which the customer comes back, or one of an app whose scheme the
   * account allows; in the sandbox also http to this machine or a private address; only for
   * providers that redirect the customer
   */
  readonly failedUrl?: string
}

export type DepositAnswer = {
  /** as sent */
  readonly depositId: string
  /** the answer to this request; not the state of the payment */
  readonly status: 'ACCEPTED' | 'DUPLICATE_IGNORED' | 'REJECTED'
  /** date and time in UTC (RFC 3339) */
  readonly created?: string
  readonly failureReason?: FailureReason
  /** with ACCEPTED: wait for the final status, or first get the address to visit */
  readonly nextStep?: 'FINAL_STATUS' | 'GET_AUTH_URL'
}

export type DepositStatus = {
  /** whether the deposit exists */
  readonly status: 'FOUND' | 'NOT_FOUND'
  readonly data?: DepositRecord
}

export type DepositActionAnswer = {
  /** as sent */
  readonly depositId: string
  readonly status: 'ACCEPTED' | 'REJECTED'
  readonly failureReason?: FailureReason
}
