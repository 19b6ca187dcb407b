import assert from 'node:assert/strict'
import type { Body } from '../../../harness/random/requests.ts'
import type { Generation, Kind } from '../../../harness/random/world.ts'

/** What a client was told about one identifier, and nothing else: the model knows only this. */
export type Entry = {
  readonly merchant: number
  readonly kind: Kind
  readonly id: string
  readonly answers: Told[]
  /** The split payments that name it, as their deposit or as one of their payouts. */
  readonly splits: Set<string>
  /** How often its callback was asked for again, and whether it was taken out of the line. */
  resends: number
  cancelled: 'no' | 'perhaps' | 'yes'
  /** The first final record that anybody saw, in each generation. */
  readonly final: Partial<Record<Generation, Body>>
}

/** `body` in the words of the current generation, whatever it was said in. */
export type Told = {
  readonly body: Body
  readonly generation: Generation
  readonly said: Flash
  /** When the payment began, as the answer says. */
  readonly created?: string
}
/** UNKNOWN: no answer, or HTTP 500; it may have been accepted. REFUSED: HTTP 4xx. */
export type Flash = 'ACCEPTED' | 'DUPLICATE_IGNORED' | 'REJECTED' | 'REFUSED' | 'UNKNOWN'

export type Journal = {
  readonly entries: ReadonlyMap<string, Entry>
  entry(merchant: number, kind: Kind, id: string): Entry
  find(merchant: number, kind: Kind, id: string): Entry | undefined
}

export function createJournal(): Journal {
  const entries = new Map<string, Entry>()
  const nameOf = (merchant: number, kind: Kind, id: string): string =>
    `${merchant}/${kind}/${id.toLowerCase()}`
  return {
    entries,
    find: (merchant, kind, id) => entries.get(nameOf(merchant, kind, id)),
    entry: (merchant, kind, id) => {
      const name = nameOf(merchant, kind, id)
      const known = entries.get(name)
      if (known !== undefined) return known
      const made: Entry = {
        merchant,
        kind,
        id,
        answers: [],
        splits: new Set(),
        resends: 0,
        cancelled: 'no',
        final: {},
      }
      entries.set(name, made)
      return made
    },
  }
}

export const heard = ({ answers }: Entry, ...words: readonly Flash[]): readonly Told[] =>
  answers.filter(({ said }) => words.includes(said))

const FINAL = ['COMPLETED', 'FAILED', 'PAYOUT_FAILED']
export const isOver = (record: Body): boolean => FINAL.includes(String(record.status))

/** A record that is final is the same for ever, whoever is asked. */
export function observe(entry: Entry, generation: Generation, record: Body): void {
  const known = entry.final[generation]
  if (known !== undefined) assert.deepEqual(record, known)
  else if (isOver(record)) entry.final[generation] = record
}
