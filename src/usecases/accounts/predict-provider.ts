import type { Prediction, Unpredictable } from '../../domain/payments/prediction.ts'
import type { Context } from '../context.ts'

/** The number cleaned of whatever people write around it, with its most likely provider. */
export function predictProvider(ctx: Context, phoneNumber: string): Prediction | Unpredictable {
  return ctx.providers.predict(phoneNumber)
}
