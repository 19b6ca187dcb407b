import type { CsvStyle } from '../csv.ts'
import type { MerchantId } from '../ids.ts'
import { LIFETIMES } from '../timing.ts'
import type { StatementWallet } from './statement.ts'
import type { MovementType } from './statement-file.ts'

export const EXPORT_FORMATS = ['csv', 'csv.gz', 'pdf'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export const EXPORT_STATES = ['PROCESSING', 'COMPLETED', 'FAILED'] as const
export type ExportState = (typeof EXPORT_STATES)[number]

/**
 * NOT_WRITTEN: the node that began with it failed. TOO_LONG: more rows than the format is meant for.
 * ARCHIVED: movements of the period are in files alone.
 */
export type ExportFailure = 'NOT_WRITTEN' | 'TOO_LONG' | 'ARCHIVED'

/** Which movements of a wallet. */
export type MovementFilter = {
  readonly wallet: StatementWallet
  /** The period: the start belongs to it, the end does not. */
  readonly startAt: number
  readonly endAt: number
  readonly type?: MovementType
  readonly provider?: string
}

/** What every file has: how people know it, and how its rows are written. */
type Named = { readonly name: string; readonly csv: CsvStyle }

export type StatementSubject = Named &
  MovementFilter & {
    readonly kind: 'statement'
    /** How a PDF is written. */
    readonly language: 'en' | 'fr'
    readonly timeZone: string
  }

/** Lists of which there are files; the kind of payments is part of the filter. */
export type ListName = 'payments' | 'split-payments' | 'checkouts'

/** What a list shows, by its filter. */
export type PaymentsSubject = Named & {
  readonly kind: 'payments'
  /** Payments unless said otherwise. */
  readonly list?: ListName
  /** Newest first unless said otherwise. */
  readonly order?: 'newest' | 'oldest'
  readonly startAt?: number
  readonly endAt?: number
  /** The filter as use cases know it; stored, so it is plain data. */
  readonly filter: Readonly<Record<string, unknown>>
  /** The countries to which it is limited; none: all. */
  readonly countries: readonly string[]
}

/** What a file is about. */
export type ExportSubject = StatementSubject | PaymentsSubject

/** A file that a person asked for, written in the background. */
export type Export = {
  readonly merchantId: MerchantId
  readonly id: string
  readonly userId: number
  readonly askedBy: string
  readonly createdAt: number
  readonly subject: ExportSubject
  readonly format: ExportFormat
  /** Phone numbers and values that are marked as personal are written; otherwise masked. */
  readonly showsPii: boolean
  readonly state: ExportState
  readonly rows: number
  readonly fileSize?: number
  readonly endedAt?: number
  readonly failure?: ExportFailure
  readonly hasFile: boolean
}

/**
 * Until when the file can be fetched, which is as long as it is kept: its address is good only for
 * people who are signed in and may see what it is about. Undefined while there is none.
 */
export const fetchableUntil = ({ state, endedAt }: Export): number | undefined =>
  state === 'COMPLETED' && endedAt !== undefined ? endedAt + LIFETIMES.exportFileMs : undefined

export const isFetchable = (one: Export, now: number): boolean =>
  one.hasFile && now < (fetchableUntil(one) ?? 0)

export const exportName = ({ subject, format }: Pick<Export, 'subject' | 'format'>): string =>
  `${subject.name}.${format}`
