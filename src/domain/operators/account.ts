import { OPERATION_TYPES, type OperationType } from '../provider.ts'

/**
 * What the company that runs the service has with an operator: this connector, at this address,
 * serves these operations of these providers.
 */
export type OperatorAccount = {
  readonly name: string
  readonly connector: string
  readonly baseUrl: string
  readonly providers: Readonly<Record<string, readonly OperationType[]>>
  /** Of two accounts that serve the same, the lower one comes first. */
  readonly priority: number
  readonly enabled: boolean
  readonly settings: Readonly<Record<string, string>>
  /** The part of the callback address that nobody can guess. */
  readonly callbackSecret: string
  /** Address ranges that the operator's callbacks come from; none means any. */
  readonly callbackSources: readonly string[]
  readonly limits: AccountLimits
}

/** For each node; what is absent is as the connector has it. */
export type AccountLimits = { readonly atOnce?: number; readonly perSecond?: number }

export type Secrets = Readonly<Record<string, string | Readonly<Record<string, string>>>>

/** What an account of a connector consists of, for the checks of `account-file.ts`. */
export type AccountForm = {
  readonly operations: readonly OperationType[]
  readonly settings: Readonly<Record<string, Field>>
  readonly secrets: Readonly<Record<string, SecretField>>
}

export type Field = {
  /** Needed always (`true`), never, or where the account serves one of these operations. */
  readonly needed: boolean | readonly OperationType[]
  readonly oneOf?: readonly string[]
  /** What a value looks like, for a message: "a short code of 5 to 7 digits". */
  readonly form?: { readonly pattern: RegExp; readonly words: string }
}

/** A secret with members is an object of these, all of them needed. */
export type SecretField = Field & { readonly members?: readonly string[] }

export const servedOperations = (
  providers: OperatorAccount['providers'],
): readonly OperationType[] =>
  OPERATION_TYPES.filter((operation) =>
    Object.values(providers).some((operations) => operations.includes(operation)),
  )

export const isNeeded = ({ needed }: Field, served: readonly OperationType[]): boolean =>
  typeof needed === 'boolean' ? needed : served.some((operation) => needed.includes(operation))
