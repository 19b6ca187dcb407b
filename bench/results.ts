/** The results as stored: the table and the charts are made from nothing else. */
type Unit = '/s' | 'ms' | 's' | 'MB' | 'bytes'

export type Figure = {
  readonly name: string
  readonly value: number
  readonly unit: Unit
  /** The number of payments in the table, if that is what varies. */
  readonly at?: number
  /** The bar, if each figure has its own. */
  readonly under?: number
}

/** One round: the figure, its peer in the same minutes, and their ratio. */
type Round = { readonly value?: number; readonly beside?: number; readonly ratio: number }

/** One line of the table. The first figure is the one compared with the peer. */
export type Row = {
  readonly id: string
  readonly measure: string
  readonly figures: readonly Figure[]
  readonly remark?: string
  readonly beside?: Figure
  readonly ratio?: number
  readonly bar: string
  readonly met: boolean
  readonly rounds?: readonly Round[]
}

/** Where and when something was measured. */
export type Run = {
  readonly date: string
  readonly version: string
  readonly machine: string
  readonly node: string
  /** Absent if it was not recorded. */
  readonly flushesPerSecond?: number
}

/** The work that job queues and Malipo both do; the order is that of the table. */
export const QUEUE_WORKS = {
  enqueue: 'stored durably, one job for each call, 64 callers',
  bulk: 'stored durably, many jobs for each call',
  work: 'stored by 64 callers and worked off, the handler does nothing',
  steps: 'a workflow of two steps from start to result, 64 callers',
} as const
export type QueueWork = keyof typeof QUEUE_WORKS

export type QueueRow = {
  readonly library: string
  readonly version: string
  readonly work: QueueWork
  readonly perSecond: number
  readonly rounds: readonly number[]
  readonly settings: string
}

export type Stored<T> = T & { readonly run: Run }
export type Results = {
  readonly rows: readonly Stored<Row>[]
  readonly queues: readonly Stored<QueueRow>[]
}

/** A measure replaces its stored result, whatever its name was then. */
export function mergeRows(results: Results, rows: readonly Row[], run: Run): Results {
  const measured = new Set(rows.map(({ id }) => id))
  const kept = results.rows.filter(({ id }) => !measured.has(id))
  const numberOf = ({ id }: Row): number => Number(id.slice(1))
  const merged = [...kept, ...rows.map((row) => ({ ...row, run }))]
  return { ...results, rows: merged.toSorted((a, b) => numberOf(a) - numberOf(b)) }
}

export function mergeQueues(results: Results, queues: readonly QueueRow[], run: Run): Results {
  const key = ({ library, work }: QueueRow): string => `${library} ${work}`
  const measured = new Set(queues.map(key))
  const kept = results.queues.filter((row) => !measured.has(key(row)))
  const merged = [...kept, ...queues.map((row) => ({ ...row, run }))]
  const works = Object.keys(QUEUE_WORKS)
  const order = (row: QueueRow): number => works.indexOf(row.work)
  const byRank = (a: QueueRow, b: QueueRow): number =>
    order(a) - order(b) || b.perSecond - a.perSecond
  return { ...results, queues: merged.toSorted(byRank) }
}

/** The median of the rounds, which one disturbed round does not affect. */
export function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}

/** Rounds of a figure and its peer; the median is taken of each column by itself. */
export function besides(
  values: readonly number[],
  peers: readonly number[],
): { value: number; beside: number; ratio: number; rounds: readonly Round[] } {
  const rounds = values.map((value, at) => {
    const beside = peers[at] ?? 0
    return { value: rounded(value), beside: rounded(beside), ratio: rounded(value / beside) }
  })
  return {
    value: middle(values),
    beside: middle(peers),
    ratio: middle(rounds.map(({ ratio }) => ratio)),
    rounds,
  }
}

/** Stored figures carry three decimals; nothing that is measured here has more. */
export const rounded = (value: number): number => Math.round(value * 1000) / 1000
