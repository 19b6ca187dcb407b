import type { MerchantId } from '../ids.ts'
import type { MetadataEntry } from '../payments/payment.ts'

/** Many payouts from one file. Every rule about its states is read from here. */
export const BULK_STATES = [
  'DRAFT',
  'NEEDS_APPROVAL',
  'APPROVED',
  'SENDING',
  'DONE',
  'PARTLY_FAILED',
] as const
export type BulkState = (typeof BULK_STATES)[number]

/**
 * `submit` and `withdraw` are the maker's, `approve` and `reject` somebody else's, the others are
 * done by the nodes. `complete`: every payout completed; `fall_short`: all are final, and some did not.
 */
export type BulkEvent =
  | 'submit'
  | 'withdraw'
  | 'approve'
  | 'reject'
  | 'begin'
  | 'complete'
  | 'fall_short'

export const BULK_MACHINE: Readonly<
  Record<BulkState, Readonly<Partial<Record<BulkEvent, BulkState>>>>
> = {
  DRAFT: { submit: 'NEEDS_APPROVAL' },
  NEEDS_APPROVAL: { approve: 'APPROVED', reject: 'DRAFT', withdraw: 'DRAFT' },
  APPROVED: { begin: 'SENDING' },
  SENDING: { complete: 'DONE', fall_short: 'PARTLY_FAILED' },
  DONE: {},
  PARTLY_FAILED: {},
}

/** Approved and not over: the money of what is not sent yet is promised. */
export const PROMISED_BULK_STATES: readonly BulkState[] = ['APPROVED', 'SENDING']

/** Handed in, and not over. */
export const OPEN_BULK_STATES: readonly BulkState[] = ['NEEDS_APPROVAL', ...PROMISED_BULK_STATES]

/** What became of a row: the answer to its request, not the state of the payout. */
export const BULK_ROW_STATES = ['WAITING', 'ACCEPTED', 'REJECTED', 'DUPLICATE'] as const
export type BulkRowState = (typeof BULK_ROW_STATES)[number]

/** No payout came of the row. */
export const REFUSED_ROW_STATES: readonly BulkRowState[] = ['REJECTED', 'DUPLICATE']

export const BULK_LIMITS = {
  rows: 5000,
  bytes: 1_000_000,
  /** Sent in one step, so that one merchant's file does not keep others waiting. */
  perStep: 50,
  /** How many of them at once. */
  atOnce: 10,
} as const

export type BulkPayout = {
  readonly merchantId: MerchantId
  readonly id: string
  readonly name: string
  readonly state: BulkState
  readonly version: number
  readonly createdAt: number
  readonly createdBy: Person
  readonly submittedAt: number | null
  readonly decidedAt: number | null
  readonly decidedBy: Person | null
  readonly reason: string | null
  readonly endedAt: number | null
  readonly rowCount: number
  readonly totals: readonly BulkTotal[]
  /** Of the rows, as far as they are known. */
  readonly countries: readonly string[]
}

type Person = { readonly userId: number; readonly email: string; readonly name: string }

export type BulkTotal = { readonly currency: string; readonly amount: string }

/** What a row says, with numbers and codes spelt as the API takes them, as far as that is clear. */
export type RowFields = {
  readonly amount: string
  readonly currency: string
  readonly phoneNumber: string
  readonly provider: string
  /** The file did not say the provider: the number did. */
  readonly isPredicted?: true
  readonly customerMessage?: string
  readonly clientReferenceId?: string
  readonly metadata?: readonly MetadataEntry[]
}

export type DraftRow = {
  /** As spreadsheets count: the heading is row 1. */
  readonly number: number
  readonly payoutId: string
  readonly fields: RowFields
}

export type BulkRow = DraftRow & {
  readonly state: BulkRowState
  readonly failureCode: string | null
  readonly failureMessage: string | null
}

/** Every payout of it is final. */
export const isOverBulk = ({ state }: Pick<BulkPayout, 'state'>): boolean =>
  state === 'DONE' || state === 'PARTLY_FAILED'
