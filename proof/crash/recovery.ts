/** How long a place was without service: from a kill to the next payment accepted there. */
import { percentile, seconds, table } from '../support/report.ts'

export const VICTIMS = [
  'a node',
  'a node that was killed again before it was back',
  'PostgreSQL, through each node that was up',
] as const
export type Victim = (typeof VICTIMS)[number]

type Mark = { victim: Victim; readonly atMs: number }

export type Recovery = {
  /** A kill at this place, in this moment. */
  mark(place: string, victim: Victim): void
  /** Accepted there; counts for kills before the request was sent. */
  accepted(place: string, sentAtMs: number): void
  /** Resolves when nothing is awaited there any more; false when that takes too long. */
  isBack(place: string, withinMs: number): Promise<boolean>
  isAwaited(place: string): boolean
  table(): string
}

export function createRecovery(): Recovery {
  const marks = new Map<string, readonly Mark[]>()
  const times = new Map<Victim, number[]>(VICTIMS.map((victim) => [victim, []]))
  const marksAt = (place: string): readonly Mark[] => marks.get(place) ?? []

  return {
    isAwaited: (place) => marksAt(place).length > 0,
    mark: (place, victim) => {
      const isNode = victim === 'a node'
      // A place that is down says nothing about the database; one killed twice is told apart.
      if (!isNode && marksAt(place).length > 0) return
      const before = isNode
        ? marksAt(place)
            .filter((mark) => mark.victim !== 'PostgreSQL, through each node that was up')
            .map((mark): Mark => ({ ...mark, victim: VICTIMS[1] }))
        : []
      marks.set(place, [...before, { victim, atMs: performance.now() }])
    },
    accepted: (place, sentAtMs) => {
      const found = marksAt(place)
      if (found.length === 0) return
      const over = found.filter(({ atMs }) => atMs <= sentAtMs)
      for (const { victim, atMs } of over) times.get(victim)?.push(performance.now() - atMs)
      marks.set(
        place,
        found.filter((mark) => !over.includes(mark)),
      )
    },
    isBack: async (place, withinMs) => {
      const deadline = performance.now() + withinMs
      while (marksAt(place).length > 0) {
        if (performance.now() > deadline) return false
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      return true
    },
    table: () =>
      table(
        ['Until the next accepted payment, after the kill of', 'Times', 'p50', 'p99', 'Longest'],
        [...times].map(([victim, all]) => [
          victim,
          String(all.length),
          seconds(percentile(all, 0.5)),
          seconds(percentile(all, 0.99)),
          seconds(percentile(all, 1)),
        ]),
      ),
  }
}
