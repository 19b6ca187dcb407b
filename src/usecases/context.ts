import type { CallbackSender } from '../callbacks/send.ts'
import type { Environment } from '../domain/accounts/token.ts'
import type { Breaker } from '../domain/callbacks/breaker.ts'
import type { MerchantId, NodeId, PaymentKey } from '../domain/ids.ts'
import type { Payment } from '../domain/payments/payment.ts'
import type { NotificationSource } from '../providers/connector.ts'
import type { Registry } from '../providers/registry.ts'
import type {
  Attempt,
  CallbackRelease,
  OwedCallback,
  Recorded,
} from '../store/callbacks/callbacks.ts'
import type { Begun, Sending } from '../store/callbacks/sendings.ts'
import type { Database } from '../store/engine/database.ts'
import type { Group } from '../store/engine/group.ts'
import type { Turns } from '../store/engine/turns.ts'
import type { AcceptGroup } from '../store/payments/accept.ts'
import type { Advance } from '../store/payments/advance.ts'
import type { Authorisation } from '../store/payments/authorisations.ts'
import type { Parking } from '../store/payments/enqueued.ts'
import type { FundsHold, HoldResult } from '../store/payments/hold.ts'
import type { RefundRequest, RefundResult } from '../store/payments/refunds.ts'
import type { LegacyUsage } from './accounts/legacy-usage.ts'
import type { MerchantDirectory } from './accounts/merchant-directory.ts'
import type { SignatureChecks } from './accounts/signature-checks.ts'
import type { SigningKeys } from './accounts/signing-keys.ts'
import type { ChangeWatch } from './hosted/change-watch.ts'
import type { HostedLinks } from './hosted/links.ts'
import type { PhoneWatch } from './sandbox/phone-watch.ts'
import type { WalletLinks } from './sandbox/wallet-links.ts'
import type { StatementLinks } from './statements/statement-links.ts'

/** Everything a use case may touch. Nothing else reads the clock, makes a key or finds a peer. */
export type Context = {
  readonly environment: Environment
  readonly db: Database
  readonly writes: Writes
  readonly clock: Clock
  readonly newKey: () => PaymentKey
  /** A number from 0 up to 1, for jitter. */
  readonly random: () => number
  readonly merchants: MerchantDirectory
  readonly providers: Registry
  /** What operators say without being asked. */
  readonly notifications: NotificationSource
  readonly callbacks: CallbackSender
  readonly signingKeys: SigningKeys
  readonly statementLinks: StatementLinks
  readonly walletLinks: WalletLinks
  /** What happens on phones of the sandbox, for those who wait for it. */
  readonly phones: PhoneWatch
  readonly hostedLinks: HostedLinks
  /** Tells customers who wait on a page that something happened. */
  readonly changes: ChangeWatch
  readonly legacyUsage: LegacyUsage
  readonly signatureChecks: SignatureChecks
  readonly node: Membership
  readonly work: WorkIntake
  /** Changes of settings: many at once would take all connections and wait for each other. */
  readonly inTurn: Turns
  readonly measure: Measure
}

/** Writes that concurrent callers share. */
export type Writes = {
  readonly accept: AcceptGroup
  readonly hold: Group<FundsHold, HoldResult>
  readonly refund: Group<RefundRequest, RefundResult>
  readonly park: Group<Parking, boolean>
  readonly advance: Group<Advance, boolean>
  readonly authorise: Group<Authorisation, boolean>
  readonly attempts: Group<Attempt, Recorded>
  readonly release: Group<CallbackRelease, undefined>
  readonly sendings: Group<Sending, Begun>
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
  takePayment(payment: Payment): void
  takeCallback(owed: OwedCallback): void
  /** How this node gets on with an endpoint. */
  breakerOf(merchantId: MerchantId, url: string): Breaker
  /** Something became due in the database that this node may claim at once. */
  wake(): void
  /** The clock went back: what is in memory was planned by the old one, and is dropped. */
  startOver(): void
  /** A write was cut off, and what became of it is not known: it is found in the database later. */
  interrupted(error: unknown): void
}

/** What is counted; the names that others see are given where the counters are made. */
export type Measure = {
  payment(event: 'accepted' | 'duplicate' | 'rejected' | 'completed' | 'failed'): void
  acceptToFinal(ms: number): void
  callback(result: 'delivered' | 'failed' | 'given_up' | 'paused', ms: number): void
}

/** Structured lines: facts first, then what happened, in words. */
export type Log = {
  debug(facts: object, message: string): void
  info(facts: object, message: string): void
  warn(facts: object, message: string): void
  error(facts: object, message: string): void
}
