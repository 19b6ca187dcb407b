import type { Failure } from '../domain/failure.ts'
import type { MerchantId, PaymentId, PaymentKey } from '../domain/ids.ts'
import type { OperatorIds } from '../domain/payments/payment.ts'
import type { PaymentKind } from '../domain/payments/payment-state.ts'
import type { OperationType } from '../domain/provider.ts'

/** What an operator is asked to do. It holds everything needed; a connector keeps no state. */
export type ProviderOrder = {
  readonly merchantId: MerchantId
  readonly paymentId: PaymentId
  readonly paymentKey: PaymentKey
  readonly operation: OperationType
  readonly provider: string
  readonly amount: string
  readonly currency: string
  readonly phoneNumber: string
  readonly oneTimeCode?: string
  /** For the customer's receipt: letters, digits and spaces. */
  readonly message?: string
  /** Where the customer ends after a page of the operator, if the merchant gave an address. */
  readonly successfulUrl?: string
  readonly failedUrl?: string
  /** The address of that page, where it is known already. */
  readonly authorizationUrl?: string
  /** What the operator calls this order, as far as it has named it. */
  readonly ids?: OperatorIds
  /** The deposit that a refund gives back. */
  readonly original?: OriginalOrder
  /** What exchanges about it are part of, where it is traced. */
  readonly traceparent?: string
}

export type OriginalOrder = {
  readonly amount: string
  readonly account?: string
  readonly reference?: string
  readonly transactionId?: string
  readonly ids?: OperatorIds
}

/**
 * Every answer of an operator, folded into six. Only the core decides what a merchant sees.
 * `UNSENT` means that nothing has left this node; `REFUSED` means surely not executed; `UNKNOWN`
 * means the operator may or may not have acted.
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
      readonly ids?: OperatorIds
      /** Something that a person should look at, such as a word that no table knows. */
      readonly alert?: string
    }
  | {
      readonly kind: 'DONE'
      readonly transactionId?: string
      readonly ids?: OperatorIds
      /** What the operator says it moved, where it does. */
      readonly amount?: string
      readonly currency?: string
    }
  | {
      readonly kind: 'FAILED' | 'REFUSED'
      readonly failure: Failure
      /** In the operator's words. */
      readonly message?: string
      /** Credentials, float or settings: neither the merchant nor the customer can help it. */
      readonly isOurFault?: true
      /** Trying again by itself makes it worse: three wrong PINs lock a wallet. */
      readonly needsPerson?: true
    }
  | { readonly kind: 'UNSENT'; readonly why: string }
  | {
      readonly kind: 'UNKNOWN'
      readonly why:
        | 'TIMEOUT'
        | 'NOT_FOUND'
        | 'DUPLICATE'
        | 'UNREADABLE'
        | 'SERVER'
        | 'AMBIGUOUS'
        /** The answer comes by callback. */
        | 'ASKED'
      readonly ids?: OperatorIds
    }

export type Profile = Times & {
  /**
   * The operator refuses a reference it has seen and says so reliably when it has not, in all
   * operations or in these. Only then may an order that never arrived be sent, under the same reference.
   */
  readonly refusesKnownReferences: boolean | readonly OperationType[]
  /** Operations that take another way at the operator, with times of their own. */
  readonly timesOf?: Readonly<Partial<Record<OperationType, Times>>>
}

export type Times = {
  /** How long the outcome may stay unknown before the payment goes into reconciliation. */
  readonly unknownWindowMs: number
  /** How long it may say "pending" before the payment goes into reconciliation; absent: for ever. */
  readonly pendingWindowMs?: number
  /** The pauses between look-ups; the last one is repeated. */
  readonly lookUpPausesMs?: readonly number[]
}

export const timesFor = (profile: Profile, operation: OperationType): Times =>
  profile.timesOf?.[operation] ?? profile

export const refusesKnown = (
  { refusesKnownReferences }: Profile,
  operation: OperationType,
): boolean =>
  typeof refusesKnownReferences === 'boolean'
    ? refusesKnownReferences
    : refusesKnownReferences.includes(operation)

export type Connector = {
  readonly profile: Profile
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
