import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../../bench/service.ts'
import type { Database } from '../../src/store/engine/database.ts'

/**
 * At a point of the run, in MB: the live memory of the node after a collection, its resident memory
 * then, and that of the PostgreSQL processes.
 */
export type Sample = {
  readonly at: number
  readonly live: number
  readonly node: number
  readonly server: number
}

type Measure = 'live' | 'node' | 'server'

/** Each with how much it may grow from the first sample to the last, by linear regression. */
export const MEASURES: Readonly<
  Record<Measure, { readonly name: string; readonly maxMb: number }>
> = {
  live: { name: 'live memory of the node', maxMb: 10 },
  node: { name: 'memory of the node', maxMb: 30 },
  server: { name: 'memory of the server', maxMb: 30 },
}

/** In a shorter run the heap is still growing to its working size, so nothing is judged. */
export const JUDGED_FROM = 200_000

/** Until then caches of tens of thousands of entries fill, and the heap grows to its working size. */
const WARM = 0.4
const SAMPLES = 10

/** Ten samples after the first two fifths. Each is the least of what was read: work comes and goes. */
export function samplesOf(readings: readonly Sample[]): readonly Sample[] {
  const width = (1 - WARM) / SAMPLES
  return Array.from({ length: SAMPLES }, (_, part) => {
    const from = WARM + part * width
    const read = readings.filter(({ at }) => at >= from && at < from + width + 1e-9)
    const least = (what: Measure): number => Math.min(...read.map((one) => one[what]))
    const at = from + width / 2
    return { at, live: least('live'), node: least('node'), server: least('server') }
  }).filter(({ live }) => live < Number.POSITIVE_INFINITY)
}

/** How much the line of least squares rises from the first sample to the last. */
export function growthOf(samples: readonly Sample[], what: Measure): number {
  const mean = (list: readonly number[]): number =>
    list.reduce((sum, one) => sum + one, 0) / list.length
  const [x, y] = [mean(samples.map(({ at }) => at)), mean(samples.map((one) => one[what]))]
  const spread = samples.reduce((sum, { at }) => sum + (at - x) ** 2, 0)
  const slope = samples.reduce((sum, one) => sum + (one.at - x) * (one[what] - y), 0) / spread
  const span = (samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0)
  return spread === 0 ? 0 : slope * span
}

/** What is wrong with them; empty if memory is flat. */
export function memoryFaults(samples: readonly Sample[], requests: number): readonly string[] {
  if (requests < JUDGED_FROM) return []
  return MEASURE_NAMES.flatMap((what) => {
    const { name, maxMb } = MEASURES[what]
    const growth = growthOf(samples, what)
    return growth > maxMb ? [`${name} grew by ${growth.toFixed(0)} MB, more than ${maxMb} MB`] : []
  })
}

export const MEASURE_NAMES = Object.keys(MEASURES) as Measure[]

const PAGE_BYTES = 4096
const MEGABYTE = 1024 * 1024
const POLL_MS = 20
const COLLECTED_WITHIN_MS = 20_000

/** How a node is started so that its live memory can be measured. */
export function askable(dataDir: string): {
  readonly file: string
  readonly flags: readonly string[]
  readonly settings: Readonly<Record<string, string>>
} {
  const file = join(dataDir, 'live-memory.json')
  const preload = pathToFileURL(join(ROOT, 'dist', 'proof', 'fuzz', 'live-memory.js')).href
  return {
    file,
    flags: ['--expose-gc', '--import', preload],
    settings: { LIVE_MEMORY_FILE: file },
  }
}

/** Reads the memory of a node and of the server behind it. */
export async function memoryReader(
  nodePid: number,
  file: string,
  database: Database,
): Promise<() => Promise<Omit<Sample, 'at'>>> {
  const [row] = await database.query<{ pid: number }>('select pg_backend_pid() as pid')
  const serverPid = parentOf(row?.pid ?? 0)
  return async () => {
    const { live, resident } = await liveMemory(nodePid, file)
    return {
      live: live / MEGABYTE,
      node: resident / MEGABYTE,
      server: privateMegabytes(serverPid),
    }
  }
}

async function liveMemory(
  pid: number,
  file: string,
): Promise<{ readonly live: number; readonly resident: number }> {
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  for (let waited = 0; waited < COLLECTED_WITHIN_MS; waited += POLL_MS) {
    await pause(POLL_MS)
    const text = readIfThere(file)
    if (text !== undefined) return JSON.parse(text)
  }
  throw new Error(`the node did not report its memory within ${COLLECTED_WITHIN_MS / 1000} s`)
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
