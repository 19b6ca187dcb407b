import type { Body, Generation, Kind } from './world.ts'

/**
 * All that the judge knows: requests and answers, the operator's own records, the callbacks that
 * merchants received, and what the service shows and has stored in the end. Plain data, so that a
 * run can be kept, judged again and falsified.
 */
export type Evidence = {
  readonly merchants: MerchantSeen[]
  /** The keys that verify callbacks, as published. */
  readonly keys: { readonly id: string; readonly key: string }[]
  readonly asks: Asked[]
  readonly pages: PageAsked[]
  readonly damaged: DamageSeen[]
  readonly checkouts: CheckoutSeen[]
  readonly usage: UsageSeen[]
  readonly switches: Switched[]
  readonly leaps: Leapt[]
  readonly looks: Look[]
  readonly orders: Ordered[]
  readonly callbacks: CallbackSeen[]
  readonly book: BookOrder[]
  readonly records: FinalRecord[]
  readonly payments: PaymentRow[]
  readonly splits: SplitRow[]
  readonly accounts: AccountRow[]
  readonly owed: OwedRow[]
  readonly cases: CaseRow[]
  readonly outages: Outage[]
  readonly unserved: Unserved[]
}

export type Wallet = { readonly country: string; readonly currency: string; balance: string }
export type MerchantSeen = {
  /** Its number in the database. */
  readonly id: number
  readonly listens: readonly Kind[]
  readonly opening: readonly Wallet[]
  readonly closing: readonly Wallet[]
  /** The balances as both generations list them at the end. */
  readonly listed: { readonly current: readonly Body[]; readonly earlier: readonly Body[] }
}

/** Whether an answer has the deprecation headers; null if it has only one of them. */
type Marked = { readonly deprecated?: boolean | null }

/** A request that can never be accepted; without `status` its answer was lost. */
export type DamageSeen = Marked & {
  readonly merchant: number
  readonly kind: Kind
  readonly generation: Generation
  readonly body: Body | string
  readonly status?: number
  readonly answer?: unknown
}

export type CheckoutSeen = {
  readonly merchant: number
  readonly id: string
  readonly body: Body
  /** The statuses of all answers to the request that makes it. */
  readonly answers: string[]
  /** The codes of its link, as they were answered. */
  readonly codes: string[]
  /** Phone numbers with which somebody pressed Pay. */
  readonly pressed: string[]
  wasLeft: boolean
  readonly looks: (Moments & { readonly record: Body | null })[]
  /** The record at the end. */
  final: Body | null
}

/** How often a merchant made a call of the earlier generation, and how often that was counted. */
export type UsageSeen = {
  readonly merchant: number
  readonly call: string
  readonly made: number
  /** Calls that were answered after all outages were over. */
  readonly answeredLast: number
  counted: number
}

/** Moments are counted: what was sent after an answer arrived has a larger number. */
type Moments = { readonly sent: number; readonly answered?: number }

/** The same in real milliseconds, as in callbacks: one process records everything. */
type Timed = Moments & { readonly at: number }

/** One request to start payments; without `status` its answer was lost. */
export type Asked = Timed &
  Marked & {
    /** An attempt that the service lists for a checkout. */
    readonly isAttempt?: boolean
    readonly merchant: number
    readonly kind: Kind
    readonly generation: Generation
    readonly isBulk: boolean
    /** A customer's form on a page: 303 if the payment has started, 410 if it was too late. */
    readonly isForm?: boolean
    /** In the form of the current generation. */
    readonly bodies: readonly Body[]
    readonly status?: number
    readonly answer?: unknown
    /** The last of many tries, none of which was answered. */
    readonly gaveUp?: boolean
  }

/** The answer to a request for a payment page. */
export type PageAsked = {
  readonly merchant: number
  readonly id: string
  readonly status: number
  readonly answer?: unknown
}

/** A provider was opened or closed for one kind of payment, which is in effect from `until` on. */
export type Switched = Timed & {
  readonly merchant: number
  readonly provider: string
  readonly operation: string
  readonly status: string
  readonly answered: number
  readonly until: number
}

/** The test clock was moved, and is this far ahead since. */
export type Leapt = { readonly at: number; readonly until: number; readonly aheadSeconds: number }

/** A status check during the run; the record is null if there was none. */
export type Look = Moments &
  Marked & {
    readonly merchant: number
    readonly kind: Kind
    readonly id: string
    readonly generation: Generation
    readonly record?: Body | null
  }

/** A resend or a cancellation. */
export type Ordered = Timed &
  Marked & {
    readonly what: 'resend' | 'cancel'
    readonly merchant: number
    readonly kind: Kind
    readonly id: string
    readonly generation?: Generation
    readonly reply?: string
    readonly answer?: Body
  }

export type CallbackSeen = {
  readonly merchant: number
  readonly kind: string
  /** Real time in milliseconds. */
  readonly at: number
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** What the receiver answered; absent if it hung or reset the connection. */
  answered?: number
}

/** The operator's own records: one for each order it ever got. */
export type BookOrder = {
  readonly merchant: number
  reference: string
  readonly operation: string
  readonly phoneNumber: string
  readonly provider: string
  readonly amount: string
  readonly currency: string
  /** How often it got this order. */
  asked: number
}

/** What a status check says in the end, null for NOT_FOUND; undefined where there is no such call. */
export type FinalRecord = {
  readonly merchant: number
  readonly kind: Kind
  readonly id: string
  current: Body | null
  readonly earlier?: Body | null
}

export type PaymentRow = {
  readonly merchant: number
  readonly kind: Kind
  readonly id: string
  state: string
  readonly amount: string
  readonly currency: string
  readonly phoneNumber: string
  readonly reference: string | null
  readonly failureCode: string | null
}

export type SplitRow = { readonly merchant: number; readonly id: string; readonly state: string }

export type AccountRow = {
  readonly merchant: number
  readonly account: string
  readonly type: string
  balance: string
}

/** A callback as the service has stored it: the state it reports, and its status. */
export type OwedRow = {
  readonly merchant: number
  readonly kind: Kind
  readonly id: string
  readonly state: string
  readonly status: string
}

/** A case that the service has opened about a payment. */
export type CaseRow = {
  readonly merchant: number
  readonly kind: Kind
  readonly id: string
  /** The service's own key of the payment. */
  readonly key: string
  readonly cause: string
  /** The contradicting outcome that the operator reported. */
  readonly reported: string | null
  /** How it was closed; null while open. */
  readonly resolution: string | null
  /** When it was first seen, in real milliseconds; absent if it was opened after the plan. */
  readonly seenAt?: number
}

/** The outage after a kill of a node, or else of the database; in real milliseconds. */
export type Outage = { readonly node?: number; readonly from: number; until?: number }

/** A call that was answered with 5xx, or not at all although its client waited. */
export type Unserved = {
  readonly node: number
  readonly call: string
  readonly status?: number
  /** Real milliseconds from the request to its answer or end. */
  readonly at: number
  readonly until: number
}
