import type { Merchant } from '../../domain/accounts/merchant.ts'
import type { Failure } from '../../domain/failure.ts'
import type { PaymentId } from '../../domain/ids.ts'
import { isFinal, type PaymentKind } from '../../domain/payments/payment-state.ts'
import { oweAgain } from '../../store/callbacks/callbacks.ts'
import type { Context } from '../context.ts'
import { findPayment } from '../payments/find-payment.ts'
import { endPauseOf } from './endpoint-pause.ts'

/**
 * Owes a callback again, if the payment is over, and ends the pause of its endpoint. Undefined means
 * it will be sent.
 */
export async function resendCallback(
  ctx: Context,
  merchant: Merchant,
  kind: PaymentKind,
  id: PaymentId,
): Promise<Failure | undefined> {
  const payment = await findPayment(ctx, merchant, kind, id)
  if (payment === undefined) {
    return { code: 'NOT_FOUND', message: `No ${kind} with the id '${id}' was found.` }
  }
  if (!isFinal(kind, payment.state)) {
    return {
      code: 'INVALID_STATE',
      message:
        `The ${kind} '${id}' has not finished processing: it is ${payment.state}. ` +
        'Its callback is sent when it is COMPLETED or FAILED.',
    }
  }
  await endPauseOf(ctx, merchant.id, kind)
  await oweAgain(ctx.db, payment, ctx.clock.now())
  ctx.work.wake()
  return undefined
}
