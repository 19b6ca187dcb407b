import type { NodeId } from '../../domain/ids.ts'
import { lookUpPauseMs, timesAskedAfter } from '../../domain/payments/look-up.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import { OPERATION_OF } from '../../domain/payments/payment-state.ts'
import { type Times, timesFor } from '../../providers/connector.ts'
import type { Route } from '../../providers/registry.ts'
import type { PaymentContext } from './context.ts'

/** A payment this node works on, with what it remembers between two steps. */
export type HeldPayment = {
  readonly payment: Payment
  readonly timesAsked: number
  readonly memo?: unknown
  /** The name under which this node holds it, while it has surely not been sent. */
  readonly unsentBy?: NodeId
  /**
   * The name under which the present step began. What follows from "nothing has left" counts only as
   * long as the payment is held under it: the node may lose its name while it waits for an operator.
   */
  readonly heldBy?: NodeId
  /** Accounts that could not be reached in this step. */
  readonly tried?: readonly string[]
}

/** What comes next: a look at a later time, or nothing (it is over, or no longer ours). */
export type NextStep = { readonly held: HeldPayment; readonly at: number } | undefined

/** An order that leaves. */
export type Sending = {
  readonly reference: string
  readonly holder: NodeId
  /** False: an earlier one of the same reference may have left, whatever becomes of this one. */
  readonly isFirst: boolean
}

/** A payment as it comes from the database: how often it was asked about follows from its age. */
export function held(payment: Payment, now: number, route: Route | undefined): HeldPayment {
  const { submittedAt } = payment
  if (submittedAt === undefined) return { payment, timesAsked: 0 }
  const { lookUpPausesMs } = route === undefined ? {} : timesOf(payment, route)
  return { payment, timesAsked: timesAskedAfter(now - submittedAt, lookUpPausesMs) }
}

/** How long the operator of a payment has for what. */
export const timesOf = ({ kind }: Payment, { connector }: Route): Times =>
  timesFor(connector.profile, OPERATION_OF[kind])

/** A look at a later time: as the operator says, or by the pauses of its connector. */
export function askAgain(
  ctx: PaymentContext,
  item: HeldPayment,
  route: Route,
  afterMs?: number,
  from = ctx.clock.now(),
): NextStep {
  const { lookUpPausesMs } = timesOf(item.payment, route)
  const pause = afterMs ?? lookUpPauseMs(item.timesAsked, lookUpPausesMs)
  const { heldBy, tried, ...kept } = item
  return { held: { ...kept, timesAsked: item.timesAsked + 1 }, at: from + pause }
}
