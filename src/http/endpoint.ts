import type { Access, ScopeGroup } from '../domain/accounts/token.ts'
import type { PaymentTrace } from '../domain/trace.ts'
import type { Caller } from '../usecases/accounts/merchant-directory.ts'
import type { SignableKind } from '../usecases/accounts/used-signatures.ts'
import type { TSchema } from '../wire/schema.ts'

/**
 * One operation of the API: what it is called, who may call it, what goes in and out, and what it
 * does. Routing, checking and the reference are all made from this one description.
 */
export type Endpoint = {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** With `:name` for a parameter. */
  readonly path: string
  readonly operationId: string
  readonly tag: string
  readonly summary: string
  readonly description: string
  /** Absent where no token is asked for. */
  readonly access?: {
    readonly group: ScopeGroup
    /** The scope of any of these is enough as well; what is shown is then what they permit. */
    readonly orAny?: readonly ScopeGroup[]
    readonly level: Access
  }
  /** Which shape a failure has: see `faults.ts` of the generation. */
  readonly failureShape: FailureShape
  readonly body?: TSchema
  /** Query parameters with their schemas; `Type.Optional` for those that may be left out. */
  readonly query?: Readonly<Record<string, TSchema>>
  readonly answer: TSchema | undefined
  /** What is answered with 201, where something can be made that has an address; see `created`. */
  readonly created?: TSchema
  /** Real answers for the reference, by what they show. */
  readonly examples?: Readonly<Record<string, object>>
  /** The HTTP statuses beside 200 and 201 that can occur, each with its reason. */
  readonly refusals: readonly (400 | 401 | 403 | 404)[]
  /** For a call of the earlier generation: the call that takes its place. */
  readonly replacement?: string
  /** Refused early while the service is at its limit. */
  readonly startsPayments?: true
  /** Waits for something to happen, so it does not count as a read. */
  readonly isLong?: true
  /**
   * Merchants may sign it, and must where they chose so; what is signed is answered signed. Names
   * what it starts: one, or several in an array.
   */
  readonly signable?: SignableKind
  /** A token names the caller, but none is needed; without one there is no caller. */
  readonly isTokenOptional?: true
  /** Served and left out of the reference: another name of an operation that is in it. */
  readonly isHidden?: true
  readonly handle: (call: Call) => Promise<Answer>
}

export type FailureShape =
  | { readonly kind: 'initiation'; readonly idField: string }
  /** One answer for a list of initiations, so no identifier. */
  | { readonly kind: 'bulk' }
  | { readonly kind: 'lookup' }
  /** `rejects`: a request that does not fit is REJECTED as well. */
  | { readonly kind: 'resource'; readonly rejects?: true }
  /** The earlier generation has one shape for all of its calls. */
  | { readonly kind: 'legacy' }

export type Call = {
  /** Present whenever the endpoint asks for a token. */
  readonly caller: Caller
  readonly params: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, unknown>>
  /** Parsed JSON; throws INVALID_INPUT where the body could not be parsed. */
  readonly body: () => unknown
  /** What the call is part of; absent where nothing is traced. */
  readonly trace: PaymentTrace | undefined
}

/** Undefined is an empty 204. */
type Answer = object | Created | undefined

const CREATED = Symbol('created')
type Created = { readonly [CREATED]: object }

/** An answer with 201. */
export const created = (body: object): Created => ({ [CREATED]: body })

export function statusAndBody(answer: Answer): [status: number, body: object | undefined] {
  if (answer === undefined) return [204, undefined]
  return CREATED in answer ? [201, answer[CREATED]] : [200, answer]
}
