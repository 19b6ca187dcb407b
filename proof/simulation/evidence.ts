import type { Body, Generation, Kind } from './world.ts'

/**
 * All that the checker knows: what was asked and answered, what the operator has in its own book,
 * what arrived at the merchants' servers, and what the service says and has stored in the end.
 * Plain data, so that a run can be kept, read again and tampered with.
 */
export type Evidence = {
  readonly merchants: MerchantSeen[]
  /** The keys that verify callbacks, as published. */
  readonly keys: { readonly id: string; readonly key: string }[]
  readonly asks: Asked[]
  readonly pages: PageAsked[]
  readonly switches: Switched[]
  readonly looks: Look[]
  readonly orders: Ordered[]
  readonly callbacks: CallbackSeen[]
  readonly book: BookOrder[]
  readonly records: FinalRecord[]
  readonly payments: PaymentRow[]
  readonly splits: SplitRow[]
  readonly accounts: AccountRow[]
  readonly owed: OwedRow[]
}

export type Wallet = { readonly country: string; readonly currency: string; balance: string }
export type MerchantSeen = {
  /** Its number in the database. */
  readonly id: number
  readonly listens: readonly Kind[]
  readonly opening: readonly Wallet[]
  readonly closing: readonly Wallet[]
}

/** Moments are counted: whatever was sent after an answer came has the larger number. */
type Moments = { readonly sent: number; readonly answered?: number }

/** The same in real milliseconds, as callbacks have them: all is written down by one process. */
type Timed = Moments & { readonly at: number }

/** One request to start payments; without `status` its answer was lost. */
export type Asked = Timed & {
  readonly merchant: number
  readonly kind: Kind
  readonly generation: Generation
  readonly isBulk: boolean
  /** A customer's form on a page, which is answered with 303 when the payment has begun. */
  readonly isForm?: boolean
  /** In the words of the current generation. */
  readonly bodies: readonly Body[]
  readonly status?: number
  readonly answer?: unknown
  /** The last of many tries, none of which was answered. */
  readonly gaveUp?: boolean
}

/** What a merchant heard who asked for a payment page. */
export type PageAsked = {
  readonly merchant: number
  readonly id: string
  readonly status: number
  readonly answer?: unknown
}

/** A provider that was opened or closed for one kind of payment; it was so from `until` on. */
export type Switched = Timed & {
  readonly merchant: number
  readonly provider: string
  readonly operation: string
  readonly status: string
  readonly answered: number
  readonly until: number
}

/** A status check on the way; the record is null when there was none. */
export type Look = Moments & {
  readonly merchant: number
  readonly kind: Kind
  readonly id: string
  readonly generation: Generation
  readonly record?: Body | null
}

/** A resend or a cancellation. */
export type Ordered = Timed & {
  readonly what: 'resend' | 'cancel'
  readonly merchant: number
  readonly kind: Kind
  readonly id: string
  readonly said?: string
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
  /** What the receiver answered; without it the attempt was left hanging or cut off. */
  answered?: number
}

/** The operator's own book: one line for each order it ever got. */
export type BookOrder = {
  readonly merchant: number
  reference: string
  readonly operation: string
  readonly phoneNumber: string
  readonly provider: string
  readonly amount: string
  readonly currency: string
  /** How often it was sent this order. */
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

/** A callback that the service owes or owed: the state it tells of, and what became of it. */
export type OwedRow = {
  readonly merchant: number
  readonly kind: Kind
  readonly id: string
  readonly state: string
  readonly status: string
}
