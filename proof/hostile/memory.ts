import { readdirSync, readFileSync } from 'node:fs'
import { residentMegabytes } from '../../bench/service.ts'
import type { Database } from '../../src/store/database.ts'

/** At a share of the run, how much the node and the PostgreSQL server took. */
export type Sample = { readonly at: number; readonly node: number; readonly server: number }

/** By so much each of them may grow from the first sample to the last, as a straight line has it. */
export const GROWTH_MAX_MB = 30

/** In a shorter run the heap is still growing to its working size, so nothing is judged. */
const JUDGED_FROM = 200_000

/** Until then caches of tens of thousands of entries fill, and the heap grows to its working size. */
const WARM = 0.4
const SAMPLES = 10

/** Ten samples after the first two fifths. Each is the least of what was read: garbage comes and goes. */
export function samplesOf(readings: readonly Sample[]): readonly Sample[] {
  const width = (1 - WARM) / SAMPLES
  return Array.from({ length: SAMPLES }, (_, part) => {
    const from = WARM + part * width
    const read = readings.filter(({ at }) => at >= from && at < from + width + 1e-9)
    const least = (what: 'node' | 'server'): number => Math.min(...read.map((one) => one[what]))
    return { at: from + width / 2, node: least('node'), server: least('server'), read }
  })
    .filter(({ read }) => read.length > 0)
    .map(({ at, node, server }) => ({ at, node, server }))
}

/** By how much the line of least squares rises from the first sample to the last. */
export function growthOf(samples: readonly Sample[], what: 'node' | 'server'): number {
  const mean = (list: readonly number[]): number =>
    list.reduce((sum, one) => sum + one, 0) / list.length
  const [x, y] = [mean(samples.map(({ at }) => at)), mean(samples.map((one) => one[what]))]
  const spread = samples.reduce((sum, { at }) => sum + (at - x) ** 2, 0)
  const slope = samples.reduce((sum, one) => sum + (one.at - x) * (one[what] - y), 0) / spread
  const span = (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0)
  return spread === 0 ? 0 : slope * span
}

/** What is wrong with them; nothing where memory is flat. */
export function memoryFaults(samples: readonly Sample[], requests: number): readonly string[] {
  if (requests < JUDGED_FROM) return []
  return (['node', 'server'] as const)
    .map((what) => [what, growthOf(samples, what)] as const)
    .filter(([, growth]) => growth > GROWTH_MAX_MB)
    .map(
      ([what, growth]) =>
        `memory of the ${what} grew by ${growth.toFixed(0)} MB, more than ${GROWTH_MAX_MB} MB`,
    )
}

const PAGE_BYTES = 4096
const MEGABYTE = 1024 * 1024

/** Reads the memory of a node and of the server behind it. */
export async function memoryReader(
  nodePid: number,
  database: Database,
): Promise<() => Omit<Sample, 'at'>> {
  const [row] = await database.query<{ pid: number }>('select pg_backend_pid() as pid')
  const serverPid = parentOf(row?.pid ?? 0)
  return () => ({ node: residentMegabytes(nodePid), server: privateMegabytes(serverPid) })
}

/** Of the server's processes together, without what they share: its buffers fill by design. */
function privateMegabytes(serverPid: number): number {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
  const own = pids.filter((pid) => pid === serverPid || parentOf(pid) === serverPid)
  const pages = own.map((pid) => {
    const [, resident = 0, shared = 0] = (readIfThere(`/proc/${pid}/statm`) ?? '')
      .split(' ')
      .map(Number)
    return resident - shared
  })
  return (pages.reduce((sum, one) => sum + one, 0) * PAGE_BYTES) / MEGABYTE
}

/** Its name, in brackets, may hold anything. */
function parentOf(pid: number): number {
  const stat = readIfThere(`/proc/${pid}/stat`) ?? ''
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0)
}

/** A process may end between being listed and being read. */
function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
