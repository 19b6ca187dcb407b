import type { Payment } from '../../domain/payments/payment.ts'
import type { PaymentKind } from '../../domain/payments/payment-state.ts'
import type { TraceContext } from '../../domain/trace.ts'
import type { NotificationSource } from '../../providers/connector.ts'
import type { Group } from '../../store/engine/group.ts'
import type { AcceptGroup } from '../../store/payments/accept.ts'
import type { Advance, Moved } from '../../store/payments/advance.ts'
import type { Authorisation } from '../../store/payments/authorisations.ts'
import type { Doubt } from '../../store/payments/doubts.ts'
import type { Parking } from '../../store/payments/enqueued.ts'
import type { FundsHold, HoldResult } from '../../store/payments/hold.ts'
import type { RefundRequest, RefundResult } from '../../store/payments/refunds.ts'
import type { Routing } from '../../store/payments/routing.ts'
import type { Context } from '../context.ts'
import type { ChangeWatch } from '../hosted/change-watch.ts'

/** What initiating payments and taking them from step to step needs besides. */
export type PaymentContext = Context & {
  readonly writes: PaymentWrites
  readonly measure: PaymentMeasure
  /** What operators report without being asked. */
  readonly notifications: NotificationSource
  readonly operators: OperatorWatch
  /** Notifies customers who wait on a page that something happened. */
  readonly changes: ChangeWatch
  /** Where traces are made: begins that of a payment which no call of the API starts. */
  readonly beginTrace?: (kind: PaymentKind) => TraceContext | undefined
}

/** What payments need of the accounts with operators besides their connectors. */
export type OperatorWatch = {
  /** Whether there are any; the sandbox mostly has none. */
  hasAny(): boolean
  /** The hosted page that a customer came from, and goes back to from a page of the operator. */
  returnUrlOf(payment: Payment): string | undefined
  /** Something that a person has to look at. */
  alert(payment: Payment, words: string): void
  /** The operator refuses for a reason that is ours: its account rests for this operation. */
  refused(payment: Payment, message: string, needsPerson: boolean): Promise<void>
}

/** Writes that concurrent callers share. */
export type PaymentWrites = {
  readonly accept: AcceptGroup
  readonly hold: Group<FundsHold, HoldResult>
  readonly refund: Group<RefundRequest, RefundResult>
  readonly park: Group<Parking, boolean>
  readonly advance: Group<Advance, Moved | undefined>
  readonly authorise: Group<Authorisation, boolean>
  readonly doubt: Group<Doubt, boolean>
  readonly route: Group<Routing, boolean>
}

/** What is counted; the names that others see are given where the counters are made. */
export type PaymentMeasure = {
  payment(event: 'accepted' | 'duplicate' | 'rejected' | 'completed' | 'failed'): void
  /** With the trace, if the payment has one. */
  acceptToFinal(ms: number, traceparent: string | undefined): void
}
