// Made from the OpenAPI document by "npm run client-types". Do not edit.
import type { FailureReason } from './shared.ts'

export type PaymentPageRequest = {
  /**
   * a UUID version 4, in any letter case; the deposit that exists once the customer has pressed Pay
   */
  readonly depositId: string
  /**
   * an absolute https address to which the customer comes back, or one of an app whose scheme the
   * account allows; in the sandbox also http to this machine or a private address
   */
  readonly returnUrl: string
  /**
   * 4 to 22 letters (a to z, without accents), digits and spaces; the customer may see it on the
   * receipt
   */
  readonly customerMessage?: string
  /** what is to be paid; without it the customer says how much */
  readonly amountDetails?: {
    /**
     * a positive amount as text, such as 15 or 15.50: no sign, no leading zeroes, up to four
     * decimals
     */
    readonly amount: string
    /** a currency as three capital letters (ISO 4217) */
    readonly currency: string
  }
  /** a phone number as digits with the country code: no plus sign, no spaces */
  readonly phoneNumber?: string
  /** of the page; the customer can choose another */
  readonly language?: 'EN' | 'FR'
  /** a country as three capital letters (ISO 3166-1 alpha-3) */
  readonly country?: string
  /** what is paid for, shown to the customer */
  readonly reason?: string
  /** values of your own, kept with the payment; the customer never sees them */
  readonly metadata?: readonly {
    /** the value is personal data */
    readonly isPII?: boolean
    readonly [name: string]: string | boolean | undefined
  }[]
}

/** no page was made */
export type PaymentPageAnswer = {
  /** as sent */
  readonly depositId: string
  /** DUPLICATE_IGNORED: this is a deposit already, so there is nothing to pay */
  readonly status: 'DUPLICATE_IGNORED' | 'REJECTED'
  readonly failureReason?: FailureReason
}

export type PaymentPageCreated = {
  /** where to send the customer; valid for 15 minutes */
  readonly redirectUrl: string
}
