/** What the page at `/` shows; read for every request. */
export type HomeInfo = {
  /** Public base of all addresses, without a slash at the end. */
  readonly baseUrl: string
  readonly environment: 'sandbox' | 'production'
  readonly version: string
  /** RFC 3339, real clock. */
  readonly readAt: string
  /** The counts are known only while the database answers. */
  readonly database:
    | {
        readonly isReachable: true
        readonly waitingPayments: number
        readonly waitingCallbacks: number
      }
    | { readonly isReachable: false }
  /** False where no operator is within reach, so that payments are refused. */
  readonly hasOperator: boolean
  /** How far the test clock was moved; 0 where it was not. */
  readonly clockOffsetSeconds: number
}
