/** What the folder of an archived year holds. */
export type Manifest = {
  readonly format: number
  /** Which database it was written from. */
  readonly database: string
  readonly merchant: { readonly id: number; readonly slug: string; readonly name: string }
  readonly year: number
  readonly writtenAt: string
  readonly files: readonly ArchivedFile[]
  readonly accounts: readonly ArchivedAccount[]
}

export type ArchivedFile = {
  /** Within the folder of the year, with forward slashes. */
  readonly name: string
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
}

/** Of every account that existed by the end of the year, amounts as text. */
type ArchivedAccount = {
  readonly account: string
  readonly opening: string
  readonly change: string
  readonly closing: string
  readonly transfers: number
}

/** Raised when a reader of today could misunderstand the files. */
export const ARCHIVE_FORMAT = 1
export const MANIFEST_NAME = 'manifest.json'

/** What belongs to payments beside their movements; each is a file, and a table. */
export const COMPANIONS = ['events', 'callbacks', 'attempts', 'exchanges'] as const
export type Companion = (typeof COMPANIONS)[number]

export const companionFile = (companion: Companion): string => `${companion}.jsonl.gz`

/** Every transfer is in one file: that of its wallet, or this one where no wallet is touched. */
export const OTHER_MOVEMENTS = 'movements/no-wallet.jsonl.gz'
export const movementsFile = (wallet: string): string =>
  `movements/${wallet.replaceAll(':', '-')}.jsonl.gz`

/** The wallet that a transfer touches; there is at most one. */
export const walletIn = (debit: string, credit: string): string | undefined =>
  [debit, credit].find((account) => account.startsWith('wallet:'))

type Faulty = { readonly problem: string }

/** A manifest, or what is wrong with the text. */
export function readManifest(text: string): Manifest | Faulty {
  try {
    const read = JSON.parse(text) as Manifest
    if (read.format !== ARCHIVE_FORMAT) {
      return { problem: `has format ${read.format}; this version reads format ${ARCHIVE_FORMAT}` }
    }
    if (Array.isArray(read.files) && Array.isArray(read.accounts)) return read
  } catch {
    // Said below.
  }
  return { problem: 'is not a manifest' }
}

/** One transfer as a line of a file. */
export type ArchivedTransfer<Payment> = {
  readonly key: string
  readonly cause: string
  /** UTC, with microseconds. */
  readonly at: string
  readonly debit: string
  readonly credit: string
  readonly amount: string
  readonly paymentId?: string
  readonly payment?: Payment
}

/** Milliseconds, as everywhere else. */
export function momentOf(at: string): number {
  const micros = Number(at.slice(23, 26))
  return Date.parse(`${at.slice(0, 23)}Z`) + (micros >= 500 ? 1 : 0)
}
