import { request as send } from 'undici'
import { present } from '../../domain/present.ts'
import { type Book, type Ending, type Entry, FIRST_TRANSACTION } from './book.ts'
import type { Faults } from './faults.ts'
import type { StandInOperator, Tools } from './operator.ts'

/** The orders of a stand-in: how they end, and what it reports of them by itself. */
export type Orders = {
  readonly tools: Tools
  /** Called when an order was created, before it is answered. */
  begun(entry: Entry): void
  /** How orders of a party end from now on. */
  setEnding(party: string, ending: Ending): void
  /** Where callbacks go about orders that name no address, as set in the portal of an operator. */
  setCallbackUrl(url: string): void
  /** The end of an order, now, whatever was set for it before. False where there is no such order. */
  end(reference: string, ending: Ending): boolean
  later(ms: number, work: () => void): void
  stop(): void
}

export function createOrders(
  operator: StandInOperator,
  book: Book,
  faults: Faults,
  endsAfterMs: number,
): Orders {
  const endings = new Map<string, Ending>()
  const { later, stop } = createTimers()
  let callbackUrl: string | undefined
  const tools = toolsOf(operator, book, endings, endsAfterMs, () => callbackUrl)
  const { now } = tools

  const announce = (entry: Entry): void => {
    if (entry.ending.says === 'pending' || faults.meetCallback('no-callback')) return
    const count = faults.meetCallback('callback-thrice') ? 3 : 1
    for (let at = 0; at < count; at += 1) call(operator, entry, entry.ending)
  }

  return {
    tools,
    later,
    stop,
    begun: (entry) => {
      if (faults.meetCallback('callback-forged')) call(operator, entry, oppositeOf(entry.ending))
      if (faults.meetCallback('callback-early')) announce(entry)
      else if (entry.ending.says !== 'pending') {
        later(entry.endsAt - now(), () => announce(book.find(entry.reference) ?? entry))
      }
    },
    setEnding: (party, ending) => void endings.set(party, ending),
    setCallbackUrl: (url) => {
      callbackUrl = url
    },
    end: (reference, ending) => {
      const entry = book.change(reference, { ending, endsAt: now() })
      if (entry !== undefined) announce(entry)
      return entry !== undefined
    },
  }
}

/** The name for all parties that nothing else was set for. */
const ANYBODY = '*'

function toolsOf(
  operator: StandInOperator,
  book: Book,
  endings: ReadonlyMap<string, Ending>,
  endsAfterMs: number,
  portalUrl: () => string | undefined,
): Tools {
  const now = (): number => Date.now()
  const endingOf = (party: string, what: string): Ending =>
    endings.get(party) ??
    operator.endingOf?.(party, what) ??
    endings.get(ANYBODY) ?? { says: 'success' }
  return {
    book,
    now,
    stateOf: ({ endsAt, ending }) =>
      ending.says === 'pending' || now() < endsAt ? 'pending' : ending.says,
    order: ({ more = {}, callbackUrl = portalUrl(), ...order }) => {
      const entry: Entry = {
        transactionId: String(FIRST_TRANSACTION + book.nextNumber()),
        ...order,
        createdAt: now(),
        endsAt: now() + endsAfterMs,
        ending: endingOf(order.party, order.what),
        more,
        ...present({ callbackUrl }),
      }
      return book.add(entry) ? entry : undefined
    },
  }
}

const oppositeOf = ({ says }: Ending): Ending =>
  says === 'success' ? { says: 'failure', reason: 'FORGED' } : { says: 'success' }

/** Nobody may be there: an operator does not mind. */
function call(operator: StandInOperator, entry: Entry, ending: Ending): void {
  const callback = operator.callback(entry, ending)
  if (callback === undefined) return
  const { url, ...rest } = callback
  send(url, { ...rest, headersTimeout: 5000, bodyTimeout: 5000 })
    .then(({ body }) => body.dump())
    .catch(() => {})
}

function createTimers() {
  const timers = new Set<NodeJS.Timeout>()
  return {
    later: (ms: number, work: () => void): void => {
      const timer = setTimeout(
        () => {
          timers.delete(timer)
          work()
        },
        Math.max(0, ms),
      )
      timers.add(timer)
    },
    stop: () => {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}
