import type { Merchant } from '../../domain/accounts/merchant.ts'
import { type Failure, paymentFailure } from '../../domain/failure.ts'
import type { PaymentId } from '../../domain/ids.ts'
import { nextState, type PaymentKind } from '../../domain/payments/payment-state.ts'
import { present } from '../../domain/present.ts'
import type { Recording } from '../../store/engine/database.ts'
import { advancePayment } from './advance-payment.ts'
import type { PaymentContext } from './context.ts'
import { findPayment } from './find-payment.ts'
import { orInterrupted } from './new-payment.ts'

/**
 * Takes a payment out of the line before it is sent. Sending is the other way out of ENQUEUED, and
 * both are a compare-and-set: exactly one of them wins. Undefined means it was cancelled.
 */
export async function cancelEnqueued(
  ctx: PaymentContext,
  merchant: Merchant,
  kind: PaymentKind,
  id: PaymentId,
  record?: Recording,
): Promise<Failure | undefined> {
  const payment = await findPayment(ctx, merchant, kind, id)
  if (payment === undefined) {
    return { code: 'NOT_FOUND', message: `No ${kind} with the id '${id}' was found.` }
  }
  if (nextState(kind, payment.state, 'cancel') === undefined)
    return tooLate(kind, id, payment.state)
  const failure = paymentFailure('MANUALLY_CANCELLED')
  // Cut off, it may have taken effect, with a callback that this node holds and does not know of.
  const write = advancePayment(ctx, payment, 'cancel', { failure, ...present({ record }) })
  const cancelled = await orInterrupted(ctx, write)
  if (cancelled !== undefined) return undefined
  const now = await findPayment(ctx, merchant, kind, id)
  return tooLate(kind, id, now?.state ?? 'gone')
}

function tooLate(kind: PaymentKind, id: PaymentId, state: string): Failure {
  return {
    code: 'INVALID_STATE',
    message:
      `The ${kind} '${id}' is not enqueued: it is ${state}. ` +
      'Only a payment that is ENQUEUED can be cancelled.',
  }
}
