/** How long a node was out of service: from a kill to the next payment accepted there. */
import { percentile, seconds, table } from './report.ts'

/** What was killed. Kills of the database are counted apart from those of nodes. */
type Victim = 'a node' | 'PostgreSQL, through each node that was up'

export type Recovery = {
  /** A kill that affects this node, now. */
  mark(place: string, victim: Victim): void
  /** A payment was accepted there; ends the outages that began before the request was sent. */
  accepted(place: string, sentAtMs: number): void
  /** Resolves when the node is back; false if that takes too long. */
  isBack(place: string, withinMs: number): Promise<boolean>
  /** Times that cannot be known are left out: the node was down, died first, or is not back. */
  table(): string
}

const HEAD = 'Until the next accepted payment, after the kill of'
const LEFT_OUT =
  'Every kill of PostgreSQL counts once for each node. Left out is a node that was not back from\n' +
  'an earlier kill, or was killed itself before it accepted again: its time is not the database’s.'
const AGAIN = 'a node that was killed again before it was back'
const DATABASE = 'PostgreSQL, through each node that was up'
const ROWS = ['a node', AGAIN, DATABASE] as const
type Row = (typeof ROWS)[number]
type Mark = { readonly row: Row; readonly atMs: number }

export function createRecovery(): Recovery {
  const marks = new Map<string, readonly Mark[]>()
  const times = new Map<Row, number[]>(ROWS.map((row) => [row, []]))
  const leftOut = new Map<Row, number>()
  const marksAt = (place: string): readonly Mark[] => marks.get(place) ?? []

  const leaveOut = (row: Row, count: number): void =>
    void leftOut.set(row, (leftOut.get(row) ?? 0) + count)

  /** A node that dies cannot show when a database that died before is back. */
  const killedAgain = (place: string): readonly Mark[] => {
    const ofNode = marksAt(place).filter(({ row }) => row !== DATABASE)
    leaveOut(DATABASE, marksAt(place).length - ofNode.length)
    return ofNode.map(({ atMs }) => ({ row: AGAIN, atMs }))
  }

  return {
    mark: (place, victim) => {
      // A node that is still out of service cannot show the effect of this kill alone.
      if (victim === DATABASE && marksAt(place).length > 0) return leaveOut(DATABASE, 1)
      marks.set(place, [...killedAgain(place), { row: victim, atMs: performance.now() }])
    },
    accepted: (place, sentAtMs) => {
      const found = marksAt(place)
      if (found.length === 0) return
      const over = found.filter(({ atMs }) => atMs <= sentAtMs)
      for (const { row, atMs } of over) times.get(row)?.push(performance.now() - atMs)
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
    table: () => {
      const pending = [...marks.values()].flat()
      const unseen = (row: Row): number =>
        (leftOut.get(row) ?? 0) + pending.filter((mark) => mark.row === row).length
      const rows = table(
        [HEAD, 'Times', 'p50', 'p99', 'Longest', 'Left out'],
        [...times]
          .filter(([row, all]) => all.length > 0 || unseen(row) > 0)
          .map(([row, all]) => [
            row,
            String(all.length),
            seconds(percentile(all, 0.5)),
            seconds(percentile(all, 0.99)),
            seconds(percentile(all, 1)),
            String(unseen(row)),
          ]),
      )
      return `${rows}\n${LEFT_OUT}`
    },
  }
}
