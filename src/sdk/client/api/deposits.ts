// Made from the OpenAPI document by "npm run client-types". Do not edit.
import type { FailureReason, PaymentFailureReason } from './shared.ts'

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

export type DepositRecord = {
  /** as sent */
  readonly depositId: string
  /** the state of the payment; COMPLETED and FAILED are final */
  readonly status: 'ACCEPTED' | 'PROCESSING' | 'IN_RECONCILIATION' | 'COMPLETED' | 'FAILED'
  /** exactly as requested */
  readonly amount: string
  /** a currency as three capital letters (ISO 4217) */
  readonly currency: string
  /** a country as three capital letters (ISO 3166-1 alpha-3) */
  readonly country: string
  /** the wallet the money comes from */
  readonly payer: DepositRequest['payer']
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
  /**
   * only for providers that redirect the customer: wait for the final status, ask again for the
   * address, or send the customer to it
   */
  readonly nextStep?: 'FINAL_STATUS' | 'GET_AUTH_URL' | 'REDIRECT_TO_AUTH_URL'
  /** where to send the customer, with REDIRECT_TO_AUTH_URL */
  readonly authorizationUrl?: string
  readonly successfulUrl?: string
  readonly failedUrl?: string
}

export type DepositActionAnswer = {
  /** as sent */
  readonly depositId: string
  readonly status: 'ACCEPTED' | 'REJECTED'
  readonly failureReason?: FailureReason
}
