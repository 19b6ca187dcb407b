// Made from the OpenAPI document by "npm run client-types". Do not edit.

export type CallbackList = {
  /** newest payment first */
  readonly callbacks: readonly {
    /** what the callback is about */
    readonly kind:
      | 'deposit'
      | 'payout'
      | 'refund'
      | 'remittance'
      | 'splitPayment'
      | 'checkout'
      | 'statement'
    /** the identifier of what it is about */
    readonly paymentId: string
    /** the state that it reports */
    readonly status: string
    readonly delivery: 'PENDING' | 'DELIVERED' | 'GIVEN_UP' | 'PAUSED' | 'NO_ADDRESS'
    /** how often it was sent */
    readonly tries: number
    /** where it was sent, or will be */
    readonly url?: string
    /** of the last attempt */
    readonly httpStatus?: number
    /** date and time in UTC (RFC 3339) */
    readonly nextAttempt?: string
    /** where one payment is asked for */
    readonly attempts?: readonly {
      /** date and time in UTC (RFC 3339) */
      readonly at: string
      readonly url: string
      readonly durationMs: number
      readonly httpStatus?: number
      /** why it was not delivered */
      readonly reason?: string
    }[]
  }[]
  /** where to go on; a page before the last one may be empty */
  readonly next?: string
}

export type CallbackFeed = {
  /** whose callbacks these are */
  readonly account: string
  /** send it as `after` to go on from here */
  readonly cursor: string
  readonly callbacks: readonly {
    /** to go on after this one */
    readonly cursor: string
    readonly kind:
      | 'deposit'
      | 'payout'
      | 'refund'
      | 'remittance'
      | 'split payment'
      | 'checkout'
      | 'statement'
    readonly id: string
    readonly status: string
    /** signed now, for `address`; the signature lives for a minute */
    readonly headers: {
      readonly [name: string]: string
    }
    /** the very text that is signed */
    readonly body: string
  }[]
}
