// Made from the OpenAPI document by "npm run client-types". Do not edit.

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
