import type { Failure } from '../domain/failure.ts'
import type { MerchantId, PaymentId } from '../domain/ids.ts'
import type { PaymentKind } from '../domain/payments/payment-state.ts'
import type { OperationType } from '../domain/provider.ts'

/** What an operator is asked to do. It holds everything needed; a connector keeps no state. */
export type ProviderOrder = {
  readonly merchantId: MerchantId
  readonly paymentId: PaymentId
  readonly operation: OperationType
  readonly provider: string
  readonly amount: string
  readonly currency: string
  readonly phoneNumber: string
  readonly oneTimeCode?: string
  /** Where the customer ends after a page of the operator, if the merchant gave an address. */
  readonly successfulUrl?: string
  readonly failedUrl?: string
  /** The address of that page, where it is known already. */
  readonly authorizationUrl?: string
}

/**
 * Every answer of an operator, folded into five. Only the core decides what a merchant sees.
 * `REFUSED` means surely not executed; `UNKNOWN` means the operator may or may not have acted.
 */
export type Outcome =
  | {
      readonly kind: 'PENDING'
      /** When asking again makes sense, if the operator says so. */
      readonly checkAfterMs?: number
      /** Whatever spares the connector work on the next look-up; may be lost at any time. */
      readonly memo?: unknown
      /** The page on which the customer approves, where the operator has one. */
      readonly authorizationUrl?: string
    }
  | { readonly kind: 'DONE'; readonly transactionId?: string }
  | { readonly kind: 'FAILED'; readonly failure: Failure }
  | { readonly kind: 'REFUSED'; readonly failure: Failure }
  | { readonly kind: 'UNKNOWN'; readonly why: 'TIMEOUT' | 'NOT_FOUND' | 'DUPLICATE' | 'UNREADABLE' }

export type Connector = {
  readonly profile: {
    /** How long the outcome may stay unknown before the payment goes into reconciliation. */
    readonly unknownWindowMs: number
    /**
     * The operator refuses a reference it has seen and says so reliably when it has not. Only
     * then may an order that never arrived be sent, under the same reference.
     */
    readonly refusesKnownReferences: boolean
  }
  /** Pure, and the same whenever it is asked: see `reference.ts`. Stored before anything is sent. */
  prepare(order: ProviderOrder): { readonly reference: string }
  /**
   * After any wait before the order leaves, a connector checks again whether this node may still
   * send: see `maySend` in provider-set.ts.
   */
  submit(order: ProviderOrder, reference: string): Promise<Outcome>
  query(order: ProviderOrder, reference: string, memo?: unknown): Promise<Outcome>
}

/** What an operator reports without being asked, in its order. */
export type OperatorNotification = {
  readonly merchantId: MerchantId
  readonly kind: PaymentKind
  readonly paymentId: PaymentId
  readonly reference: string
  readonly outcomes: readonly Outcome[]
}

/** Where such messages come in. One that was not acknowledged comes again. */
export type NotificationSource = {
  waiting(): Promise<readonly OperatorNotification[]>
  acknowledge(notifications: readonly OperatorNotification[]): Promise<void>
}
