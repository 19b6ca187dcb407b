import type { FailureCode } from '../domain/failure.ts'

/** A request that does not fit the contract. Thrown at the edge, answered by the generation. */
export class RequestFault extends Error {
  readonly code: FailureCode
  /** The parameter that the message names in quotes; absent where it is the body as a whole. */
  readonly parameter: string | undefined
  /** The piece of the message that repeats free text of the caller, with its quotes. */
  readonly repeats: string | undefined

  constructor(code: FailureCode, message: string, parameter?: string, repeats?: string) {
    super(message)
    this.name = 'RequestFault'
    this.code = code
    this.parameter = parameter
    this.repeats = repeats
  }

  /** The same fault in an entry of a list: `amount` in `[3]` is named `[3].amount`. */
  inside(entry: string): RequestFault {
    const { code, message, parameter, repeats } = this
    const path = parameter === undefined ? entry : `${entry}.${parameter}`
    const named = `'${parameter ?? BODY}'`
    // A text as replacement would be searched for patterns, and names of fields may hold any.
    return new RequestFault(
      code,
      message.replace(named, () => `'${path}'`),
      path,
      repeats === named ? `'${path}'` : repeats,
    )
  }
}

const BODY = 'body'

export const missing = (name: string): RequestFault =>
  new RequestFault(
    'MISSING_PARAMETER',
    `The parameter '${name}' is required but was not given.`,
    name,
  )

export const invalid = (name: string, problem: string): RequestFault =>
  new RequestFault('INVALID_PARAMETER', `The parameter '${name}' is not valid: ${problem}.`, name)

/** For a body that is not of the kind asked for; a field may well be called `body` too. */
export const invalidBody = (problem: string): RequestFault =>
  new RequestFault('INVALID_PARAMETER', invalid(BODY, problem).message)

export const unsupported = (name: string): RequestFault =>
  new RequestFault(
    'UNSUPPORTED_PARAMETER',
    `The parameter '${name}' is not known to this operation. Remove it or correct its name.`,
    name,
    `'${name}'`,
  )
