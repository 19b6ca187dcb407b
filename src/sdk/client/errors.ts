/** What `malipo/client` throws. A refusal of a payment is no error: it is the answer. */
import type { FailureReason } from './api/shared.ts'

/** Of all errors of the client. */
export class MalipoError extends Error {
  override readonly name: string = 'MalipoError'
}

/**
 * No answer came, in as many attempts as were made. Whether the last request arrived is not known:
 * repeat it with the same identifier, or look the payment up.
 */
export class ConnectionError extends MalipoError {
  override readonly name = 'ConnectionError'
  readonly attempts: number

  constructor(attempts: number, cause: unknown) {
    super(
      `No answer after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}: ${reasonOf(cause)}`,
      {
        cause,
      },
    )
    this.attempts = attempts
  }
}

/** What all answers have in common that are not the one asked for. */
class AnsweredError extends MalipoError {
  readonly httpStatus: number
  /** Absent where the answer was not one of the service, such as a page of a proxy. */
  readonly failureReason: FailureReason | undefined

  constructor(httpStatus: number, failureReason: FailureReason | undefined) {
    const { failureCode, failureMessage } = failureReason ?? {}
    super(
      failureReason === undefined
        ? `The answer is HTTP ${httpStatus}, without a reason`
        : `${failureCode}: ${failureMessage} (HTTP ${httpStatus})`,
    )
    this.httpStatus = httpStatus
    this.failureReason = failureReason
  }
}

/** 401 or 403: the token or the signature is not accepted, or does not allow the call. */
export class AuthorisationError extends AnsweredError {
  override readonly name = 'AuthorisationError'
}

/** The request cannot be answered as it is, such as a look-up of something that is no identifier. */
export class RequestError extends AnsweredError {
  override readonly name = 'RequestError'
}

/**
 * The service, or something in front of it, is in trouble: 429, 5xx, or an answer that cannot be
 * read. What it says about a payment is not known, as with a `ConnectionError`.
 */
export class ServiceError extends AnsweredError {
  override readonly name = 'ServiceError'
  /** How long the answer asks to wait. */
  readonly retryAfterMs: number | undefined

  constructor(
    httpStatus: number,
    failureReason: FailureReason | undefined,
    retryAfterMs?: number | undefined,
  ) {
    super(httpStatus, failureReason)
    this.retryAfterMs = retryAfterMs
  }
}

/**
 * The answer to a signed request is not signed by the service. Do not believe it; whether the
 * payment was taken is not known.
 */
export class SignatureError extends MalipoError {
  override readonly name = 'SignatureError'
  /** One of the names in docs/signatures.md, NO_KEYS or OTHER_PAYMENT. */
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** What was waited for does not exist. */
export class NotFoundError extends MalipoError {
  override readonly name = 'NotFoundError'

  constructor(id: string) {
    super(`There is nothing with the id '${id}'`)
  }
}

/** It is not final yet. That says nothing about how it will end. */
export class WaitError<Found = unknown> extends MalipoError {
  override readonly name = 'WaitError'
  /** As it was seen last. */
  readonly last: Found | undefined

  constructor(withinMs: number, last: Found | undefined, cause?: unknown) {
    super(`Not final within ${withinMs} ms`, cause === undefined ? {} : { cause })
    this.last = last
  }
}

/** `fetch` says "fetch failed", and hides the reason in the cause. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const { cause: inner, message } = cause
  if (!(inner instanceof Error)) return message
  const { code } = inner as { code?: unknown }
  return inner.message || (typeof code === 'string' ? code : message)
}
