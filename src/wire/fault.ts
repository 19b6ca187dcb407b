import type { FailureCode } from '../domain/failure.ts'

/** A request that does not fit the contract. Thrown at the edge, answered by the generation. */
export class RequestFault extends Error {
  readonly code: FailureCode
  /** The parameter that the message names in quotes, where it names one. */
  readonly parameter: string | undefined

  constructor(code: FailureCode, message: string, parameter?: string) {
    super(message)
    this.name = 'RequestFault'
    this.code = code
    this.parameter = parameter
  }

  /** The same fault in an entry of a list: `amount` in `[3]` is named `[3].amount`. */
  inside(entry: string): RequestFault {
    const { code, message, parameter } = this
    if (parameter === undefined) return new RequestFault(code, `${entry}: ${message}`)
    const path = parameter === 'body' ? entry : `${entry}.${parameter}`
    return new RequestFault(code, message.replace(`'${parameter}'`, `'${path}'`), path)
  }
}

export const missing = (name: string): RequestFault =>
  new RequestFault(
    'MISSING_PARAMETER',
    `The parameter '${name}' is required but was not given.`,
    name,
  )

export const invalid = (name: string, problem: string): RequestFault =>
  new RequestFault('INVALID_PARAMETER', `The parameter '${name}' is not valid: ${problem}.`, name)

export const unsupported = (name: string): RequestFault =>
  new RequestFault(
    'UNSUPPORTED_PARAMETER',
    `The parameter '${name}' is not known to this operation. Remove it or correct its name.`,
    name,
  )
