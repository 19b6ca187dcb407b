import type { Environment } from '../domain/accounts/token.ts'
import type { Breaker } from '../domain/callbacks/breaker.ts'
import type { MerchantId, NodeId, PaymentKey } from '../domain/ids.ts'
import type { Payment } from '../domain/payments/payment.ts'
import type { NodeTiming } from '../domain/timing.ts'
import type { Registry } from '../providers/registry.ts'
import type { OwedCallback } from '../store/callbacks/callbacks.ts'
import type { Database } from '../store/engine/database.ts'
import type { MerchantDirectory } from './accounts/merchant-directory.ts'

/**
 * What every use case may touch; nothing else reads the clock, makes a key or finds another node. A
 * subject that needs more extends it in a `context.ts` of its own.
 */
export type Context = {
  readonly environment: Environment
  readonly db: Database
  readonly clock: Clock
  readonly newKey: () => PaymentKey
  /** A number from 0 up to 1, for jitter. */
  readonly random: () => number
  readonly merchants: MerchantDirectory
  readonly providers: Registry
  readonly node: Membership
  readonly work: WorkIntake
  /** How long this node waits for itself and for other nodes. */
  readonly timing: NodeTiming
}

/** Milliseconds. The sandbox moves `now`; signatures and network time-outs follow `realNow`. */
export type Clock = {
  now(): number
  realNow(): number
  offsetMs(): number
  /** What an older version of the settings says changes nothing any more. */
  setOffset(ms: number, configVersion: number): void
}

/** This process among the nodes that share the database. */
export type Membership = {
  /** The name under which this node holds payments; nobody's while it has not joined. */
  id(): NodeId
  /** False when others may already believe this node dead: it must not ask an operator then. */
  mayAct(): boolean
  /** When the database lost a part of the past: what is older may have been sent already. */
  restoredAt(): number
  /** Where the data are, as far as this node knows: elsewhere it must claim nothing. */
  lineage(): string
}

/** Where accepted payments and owed callbacks go on from memory, without a look at the database. */
export type WorkIntake = {
  hasRoom(): boolean
  /** One that was just accepted under this name of the node, and has not been sent. */
  takePayment(payment: Payment, acceptedBy: NodeId): void
  takeCallback(owed: OwedCallback): void
  /** The endpoint is healthy, and few callbacks wait for it. */
  deliversAtOnce(merchantId: MerchantId, url: string): boolean
  /** How this node gets on with an endpoint. */
  breakerOf(merchantId: MerchantId, url: string): Breaker
  /** Something became due in the database that this node may claim at once. */
  wake(): void
  /** The clock went back: what is in memory was planned by the old one, and is dropped. */
  startOver(): void
  /** A write was cut off, and what became of it is not known: it is found in the database later. */
  interrupted(error: unknown): void
}

/** Structured lines: facts first, then what happened, in words. */
export type Log = {
  debug(facts: object, message: string): void
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}
