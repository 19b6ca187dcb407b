import type { Outage } from './evidence.ts'

/** What was killed, when, and how long it was down, in real milliseconds. */
type Outages = {
  readonly all: readonly Outage[]
  /** Begins an outage of that node, or of the database; the returned function ends it. */
  begin(node?: number): () => void
}

export function createOutages(): Outages {
  const all: Outage[] = []
  return {
    all,
    begin: (node) => {
      const outage: Outage = { ...(node === undefined ? {} : { node }), from: Date.now() }
      all.push(outage)
      return () => {
        outage.until = Date.now()
      }
    },
  }
}
