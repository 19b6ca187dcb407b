import type { FailureCode } from '../domain/failure.ts'

/** A request that does not fit the contract. Thrown at the edge, answered by the generation. */
export class RequestFault extends Error {
  readonly code: FailureCode

  constructor(code: FailureCode, message: string) {
    super(message)
    this.name = 'RequestFault'
    this.code = code
  }
}

export const missing = (name: string): RequestFault =>
  new RequestFault('MISSING_PARAMETER', `The parameter '${name}' is required but was not given.`)

export const invalid = (name: string, problem: string): RequestFault =>
  new RequestFault('INVALID_PARAMETER', `The parameter '${name}' is not valid: ${problem}.`)

export const unsupported = (name: string): RequestFault =>
  new RequestFault(
    'UNSUPPORTED_PARAMETER',
    `The parameter '${name}' is not known to this operation. Remove it or correct its name.`,
  )
