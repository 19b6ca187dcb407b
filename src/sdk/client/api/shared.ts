// Made from the OpenAPI document by "npm run client-types". Do not edit.

/** why the request was refused */
export type FailureReason = {
  /** one of the failure codes of the operation; more may be added */
  readonly failureCode: string
  /** the same for people, naming the field and the way out */
  readonly failureMessage: string
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

/** present when the payment is FAILED */
export type PaymentFailureReason = {
  /** one of the failure codes of its kind of payment; more may be added */
  readonly failureCode: string
  /** the same for people */
  readonly failureMessage: string
}
