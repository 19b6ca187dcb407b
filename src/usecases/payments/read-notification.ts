import { isFinal } from '../../domain/payments/payment-state.ts'
import { traceFacts } from '../../domain/trace.ts'
import type { OperatorNotification, Outcome } from '../../providers/connector.ts'
import { findWithDispute, lockForDispute, openContradiction } from '../../store/payments/cases.ts'
import type { Log } from '../context.ts'
import { advancePayment } from './advance-payment.ts'
import type { PaymentContext } from './context.ts'

/**
 * An operator speaks without being asked: for the first time, once more, or against what it reported
 * before. The first final answer stands; one that says the opposite opens a case for a person, and so
 * does every change of mind after that case was closed.
 */
export async function readNotification(
  ctx: PaymentContext,
  log: Log,
  notification: OperatorNotification,
): Promise<void> {
  for (const outcome of notification.outcomes) await take(ctx, log, notification, outcome)
}

async function take(
  ctx: PaymentContext,
  log: Log,
  notification: OperatorNotification,
  outcome: Outcome,
  isSecondTry = false,
): Promise<void> {
  const { merchantId, paymentId, reference } = notification
  const reported = reportedBy(outcome)
  const found = await findWithDispute(ctx.db, merchantId, notification.kind, paymentId)
  if (reported === undefined || found?.payment.providerReference !== reference) return
  const { payment, wasDisputed } = found
  const { kind, state } = payment
  if (!isFinal(kind, state)) {
    const { submittedAt = ctx.clock.now() } = payment
    const moved =
      outcome.kind === 'DONE'
        ? await advancePayment(ctx, payment, 'confirm', { submittedAt, ...transactionOf(outcome) })
        : await advancePayment(ctx, payment, 'decline', { submittedAt, ...failureOf(outcome) })
    // Another report was faster: this one is now about a payment that is over.
    if (moved === undefined && !isSecondTry) await take(ctx, log, notification, outcome, true)
    return
  }
  if (reported === state && !wasDisputed) return
  const isNew = await ctx.db.inTransaction(async (tx) => {
    await lockForDispute(tx, payment)
    return openContradiction(tx, payment, reported, ctx.clock.now())
  })
  if (isNew) {
    const facts = { paymentKey: payment.key, merchantId: payment.merchantId, kind, state, reported }
    const traced = traceFacts(payment.details.traceparent)
    log.warn(
      { ...facts, ...traced },
      'the operator takes back its word about a payment that is over',
    )
  }
}

function reportedBy({ kind }: Outcome): 'COMPLETED' | 'FAILED' | undefined {
  if (kind === 'DONE') return 'COMPLETED'
  return kind === 'FAILED' || kind === 'REFUSED' ? 'FAILED' : undefined
}

const transactionOf = (outcome: Outcome) =>
  outcome.kind === 'DONE' && outcome.transactionId !== undefined
    ? { providerTransactionId: outcome.transactionId }
    : {}

const failureOf = (outcome: Outcome) =>
  outcome.kind === 'FAILED' || outcome.kind === 'REFUSED' ? { failure: outcome.failure } : {}
