import type { Failure } from '../../domain/failure.ts'
import { Type } from '../schema.ts'

/** The one shape in which this generation says that something did not go through. */
export const FailureReason = Type.Object(
  {
    failureCode: Type.String({
      description: 'one of the failure codes of the operation; more may be added',
      examples: ['INVALID_AMOUNT'],
    }),
    failureMessage: Type.String({
      description: 'the same for people, naming the field and the way out',
    }),
  },
  { $id: 'FailureReason', description: 'why the request was refused' },
)

export const PaymentFailureReason = Type.Object(
  {
    failureCode: Type.String({
      description: 'one of the failure codes of its kind of payment; more may be added',
      examples: ['PAYMENT_NOT_APPROVED'],
    }),
    failureMessage: Type.String({ description: 'the same for people' }),
  },
  { $id: 'PaymentFailureReason', description: 'present when the payment is FAILED' },
)

type FailureReasonBody = { readonly failureCode: string; readonly failureMessage: string }

export function fromFailure(failure: Failure): FailureReasonBody {
  return { failureCode: failure.code, failureMessage: failure.message }
}
