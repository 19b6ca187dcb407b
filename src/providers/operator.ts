/**
 * What the folder of an operator exports. Everything in it is a pure function: an order becomes a
 * request, an answer becomes an outcome. `driver.ts` does the rest, the same for all: tokens,
 * limits, time-outs, answers that cannot be read, and the record of every exchange.
 */
import type { AccountForm, OperatorAccount, Secrets } from '../domain/operators/account.ts'
import type { OperatorIds } from '../domain/payments/payment.ts'
import type { AuthorisationType } from '../domain/provider.ts'
import type { Catalog } from './catalog.ts'
import type { Outcome, Profile, ProviderOrder } from './connector.ts'
import type { ReferenceOf } from './reference.ts'

export type OperatorKind = {
  readonly name: string
  readonly form: AccountForm
  /** How customers approve a deposit, whatever the catalogue says of their provider. */
  readonly authType: AuthorisationType
  /** What customers dial for a one-time code, where they need one. */
  readonly codeShortCode?: string
  open(account: OpenAccount): Operator
}

/** An account with all that its operator needs. */
export type OpenAccount = OperatorAccount & {
  readonly secrets: Secrets
  readonly catalog: Catalog
  readonly referenceOf: ReferenceOf
  /** Where the operator reports what became of an order. */
  readonly callbackUrl: (reference: string) => string
  /** By the clock of the service, which the sandbox can move: for what is planned. */
  readonly now: () => number
  /** By the clock of the world: for what the operator compares with its own. */
  readonly realNow: () => number
}

export type Operator = {
  readonly profile: Profile & {
    /** For a whole exchange. */
    readonly answersWithinMs: number
    readonly limits: { readonly atOnce: number; readonly perSecond: number }
  }
  prepare(order: ProviderOrder): { readonly reference: string }
  submit(order: ProviderOrder, reference: string): Step | Outcome
  query(order: ProviderOrder, reference: string): Step | Outcome
  /** How each token is obtained that steps name. */
  readonly tokens: Readonly<Record<string, TokenSource>>
  /** The operator does not take the token any more; nothing was done. */
  isTokenRefused(answer: Answer): boolean
  readCallback(request: CallbackRequest): Claim
  /** A look that moves no money, for `malipo operator test`; without one, the tokens are the test. */
  readonly probe?: Look<string>
  readonly balances?: readonly Look<Balance>[]
}

/** One request, and what its answer means: an outcome, or a further step. */
export type Step = {
  /** Names of tokens, handed to `request` in this order. */
  readonly tokens: readonly string[]
  request(...tokens: readonly string[]): OperatorRequest
  read(answer: Answer): Step | Outcome
}

export type OperatorRequest = {
  readonly method: 'GET' | 'POST' | 'PUT'
  /** Added to the base address. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export type Answer = {
  readonly status: number
  readonly text: string
  /** Undefined where the body is empty. What is neither empty nor JSON never gets here. */
  readonly json: unknown
}

type TokenSource = {
  /** Names of tokens that this request itself needs. */
  readonly tokens?: readonly string[]
  request(...tokens: readonly string[]): OperatorRequest
  /** Undefined: refused. */
  read(answer: Answer): Token | undefined
}

export type Token = {
  readonly value: string
  readonly livesMs: number
  /** For so long after it was made, the operator may not take it yet. */
  readonly settlesMs?: number
}

/** A question about the account itself; undefined where the answer says nothing of use. */
export type Look<Found> = {
  readonly name: string
  readonly tokens: readonly string[]
  request(...tokens: readonly string[]): OperatorRequest
  read(answer: Answer): Found | undefined
}

export type Balance = {
  readonly product: string
  readonly amount: string
  readonly currency: string
}

export type CallbackRequest = {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly raw: Buffer
}

/**
 * What a callback says, for what it is worth: the operator is asked. Where it cannot be, its report
 * is kept in `ids`, and the look-up weighs that against the order. The reply is what it expects.
 */
export type Claim = {
  readonly reference?: string
  readonly ids?: OperatorIds
  /** False where it fails the operator's own check: signature, key or token. */
  readonly isGenuine: boolean
  readonly reply: { readonly status: number; readonly body?: unknown }
}
