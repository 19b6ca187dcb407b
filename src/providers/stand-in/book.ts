/**
 * What a stand-in has been asked to do, and what became of it. It is written to a file line by line,
 * so that a stand-in that is killed knows after its next start what it knew before.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'

export type Entry = {
  /** What the client calls it; unique. */
  readonly reference: string
  /** What the operator calls it. */
  readonly transactionId: string
  readonly what: string
  readonly amount: string
  readonly currency: string
  readonly party: string
  readonly createdAt: number
  /** When it ends, and how. */
  readonly endsAt: number
  readonly ending: Ending
  readonly callbackUrl?: string
  /** Whatever the wire of the operator needs besides. */
  readonly more: Readonly<Record<string, string>>
}

/** `pending`: never. A reason is a code of the operator. */
export type Ending =
  | { readonly says: 'success' }
  | { readonly says: 'failure'; readonly reason: string }
  | { readonly says: 'pending' }

/** Transactions are counted from here, where the operator has no form of its own. */
export const FIRST_TRANSACTION = 1_000_000

export type Book = {
  /** False where the reference is known: nothing is written then. */
  add(entry: Entry): boolean
  find(reference: string): Entry | undefined
  findBy(fits: (entry: Entry) => boolean): Entry | undefined
  /** Another end than the one that was planned, from now on. */
  change(reference: string, change: Partial<Pick<Entry, 'ending' | 'endsAt'>>): Entry | undefined
  all(): readonly Entry[]
  nextNumber(): number
}

export function openBook(file: string | undefined): Book {
  const entries = new Map<string, Entry>()
  for (const line of linesOf(file)) {
    // The last line may have been cut off by the end of the process.
    try {
      const entry = JSON.parse(line) as Entry
      entries.set(entry.reference, entry)
    } catch {}
  }
  // Numbers were used up by orders that were refused, too: none is given twice.
  let number = [...entries.values()].reduce(
    (most, { transactionId }) => Math.max(most, Number(transactionId) - FIRST_TRANSACTION || 0),
    entries.size,
  )
  // A line that was cut off must not swallow the next one.
  if (file !== undefined && isCutOff(file)) appendFileSync(file, '\n')
  const write = (entry: Entry): void => {
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(entry)}\n`)
    entries.set(entry.reference, entry)
  }
  return {
    add: (entry) => {
      if (entries.has(entry.reference)) return false
      write(entry)
      return true
    },
    find: (reference) => entries.get(reference),
    findBy: (fits) => [...entries.values()].find(fits),
    change: (reference, change) => {
      const entry = entries.get(reference)
      if (entry === undefined) return undefined
      const changed = { ...entry, ...change }
      write(changed)
      return changed
    },
    all: () => [...entries.values()],
    nextNumber: () => {
      number += 1
      return number
    },
  }
}

const isCutOff = (file: string): boolean => {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return text !== '' && !text.endsWith('\n')
}

const linesOf = (file: string | undefined): readonly string[] =>
  file === undefined || !existsSync(file)
    ? []
    : readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
