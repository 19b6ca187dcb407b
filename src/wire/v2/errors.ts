import Type from 'typebox'
import { FAILURE_CODES, type Failure, type FailureCode, occursIn } from '../../domain/failure.ts'

/** The one shape in which this generation says that something did not go through. */
const codesOf = (where: 'request' | 'payment'): FailureCode[] =>
  (Object.keys(FAILURE_CODES) as FailureCode[]).filter((code) => occursIn(code, where))

export const FailureReason = Type.Object(
  {
    failureCode: Type.String({
      description: `why: ${codesOf('request').join(', ')}`,
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
      description: `why the payment failed: ${codesOf('payment').join(', ')}`,
      examples: ['PAYMENT_NOT_APPROVED'],
    }),
    failureMessage: Type.String({ description: 'the same for people' }),
  },
  { $id: 'PaymentFailureReason', description: 'present when the payment is FAILED' },
)

export type FailureReasonBody = { readonly failureCode: string; readonly failureMessage: string }

export function fromFailure(failure: Failure): FailureReasonBody {
  return { failureCode: failure.code, failureMessage: failure.message }
}
