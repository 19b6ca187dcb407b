import type { Book, Ending, Entry } from './book.ts'
import type { Target } from './faults.ts'

/** What the folder of an operator exports for its stand-in. */
export type StandInOperator = {
  readonly name: string
  /** What a request is about: its path says enough. */
  targetOf(request: StandInRequest): Target
  handle(request: StandInRequest, tools: Tools): StandInAnswer
  /** What the operator sends when an order has ended; undefined where it sends nothing. */
  callback(entry: Entry, ending: Ending): StandInCallback | undefined
  /** How an answer looks that a fault asks for. */
  readonly faulty: {
    tokenExpired(): StandInAnswer
    notFound(): StandInAnswer
    /** Changes the answer to a look-up. */
    unknownWord(answer: StandInAnswer): StandInAnswer
    otherAmount(answer: StandInAnswer): StandInAnswer
  }
  /** How an order to this party ends, by the operator's own test numbers. */
  endingOf?(party: string, what: string): Ending | undefined
}

export type StandInRequest = {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly text: string
  readonly json: unknown
}

export type StandInAnswer = {
  readonly status: number
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  /** An order that this request created. */
  readonly created?: Entry
}

export type StandInCallback = {
  readonly method: 'POST' | 'PUT'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type Tools = {
  readonly book: Book
  now(): number
  /** Writes an order into the book; undefined where the reference is known. */
  order(order: NewOrder): Entry | undefined
  /** How an order stands now. */
  stateOf(entry: Entry): 'pending' | 'success' | 'failure'
}

export type NewOrder = Pick<Entry, 'reference' | 'what' | 'amount' | 'currency' | 'party'> & {
  readonly callbackUrl?: string | undefined
  readonly more?: Readonly<Record<string, string>>
  readonly transactionId?: string
}
