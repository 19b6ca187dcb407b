import type { FailureCode } from '../../domain/failure.ts'
import { fromFailure } from '../../wire/v2/errors.ts'
import type { FailureShape } from '../endpoint.ts'

/** Any failure of a call, as this generation answers it. The only place that knows HTTP statuses. */
export const HTTP_STATUS: Readonly<Partial<Record<FailureCode, number>>> = {
  AUTHENTICATION_ERROR: 401,
  AUTHORISATION_ERROR: 403,
  DEPOSITS_NOT_ALLOWED: 403,
  PAYOUTS_NOT_ALLOWED: 403,
  REFUNDS_NOT_ALLOWED: 403,
  REMITTANCES_NOT_ALLOWED: 403,
  SPLIT_PAYMENTS_NOT_ALLOWED: 403,
  INVALID_INPUT: 400,
  MISSING_PARAMETER: 400,
  INVALID_PARAMETER: 400,
  UNSUPPORTED_PARAMETER: 400,
  DUPLICATE_METADATA_FIELD: 400,
  NOT_FOUND: 404,
  UNKNOWN_ERROR: 500,
}

export function failureBody(
  shape: FailureShape,
  status: number,
  code: FailureCode,
  message: string,
  id: string | undefined,
): object {
  const failureReason = fromFailure({ code, message })
  // After a 5xx the outcome is not known, so no status is claimed.
  const isClaimed = shape.kind === 'resource' ? status === 400 && shape.rejects : status < 500
  const claimed = isClaimed ? { status: 'REJECTED' } : {}
  const named = shape.kind === 'initiation' && id !== undefined ? { [shape.idField]: id } : {}
  return { ...named, ...claimed, failureReason }
}
