import type { MerchantId, PaymentId, PaymentKey } from '../../domain/ids.ts'
import type { OperationType } from '../../domain/provider.ts'
import type { Story } from '../../domain/sandbox/stories.ts'
import type { Approval, AskedOn } from './approval.ts'

/** The operator's own records, kept apart from ours; a restart of the service loses none. */
export type OperatorBook = {
  /**
   * Answers how often this reference has been asked for, this time included; undefined when the
   * order was not sent: this node may no longer act, or its payment was wiped.
   */
  write(entry: BookEntry): Promise<Booking | undefined>
  /** The order waits for the customer, unless the phone already asks about another one. */
  ask(entry: BookEntry, question: Question): Promise<Booking | undefined>
  /** The order ends by whether the phone has made this code. It is used up then. */
  redeem(entry: BookEntry, code: CodeCheck): Promise<Booking | undefined>
  find(merchantId: MerchantId, reference: string): Promise<FoundEntry | undefined>
  /** Nobody answered in time. Does nothing where somebody did. */
  expire(merchantId: MerchantId, reference: string, now: number): Promise<void>
}

export type BookEntry = {
  readonly merchantId: MerchantId
  readonly paymentKey: PaymentKey
  readonly reference: string
  readonly operation: OperationType
  readonly phoneNumber: string
  readonly provider: string
  readonly amount: string
  readonly currency: string
  readonly receivedAt: number
  readonly story: Story | undefined
  readonly paymentId: PaymentId
  /** Whether the payment is notified, or shown on a phone; not for a number that nobody uses. */
  readonly isFollowed: boolean
  /** When the operator speaks by itself. */
  readonly notifyAt: number | undefined
}

export type Question = {
  readonly askedOn: AskedOn
  readonly shownAt: number | undefined
  readonly expiresAt: number
  /** What becomes of the order while the phone asks about another one. */
  readonly whenBusy: Story
}

type CodeCheck = {
  readonly code: string
  readonly whenRight: Story
  readonly whenWrong: Story
}

export type Booking = { readonly asked: number; readonly receivedAt: number }

export type FoundEntry = {
  readonly receivedAt: number
  readonly story: Story | undefined
  readonly approval: Approval | undefined
}
