import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { VERSION } from '../src/package-root.ts'
import { startEmbedded } from '../src/store/embedded/server.ts'
import type { Effort } from './options.ts'
import { middle, type QueueRow, type QueueWork, rounded } from './results.ts'
import { NODE_FLAGS, ROOT, runFile } from './service.ts'
import { whole } from './words.ts'

/** Malipo beside job queues and durable execution from npm, on the work that all of them do. */
const CALLERS = 64
const PEERS = join(ROOT, 'bench', 'peers')
/** All get the settings of `npm start`; deprecation warnings of drivers are of no interest here. */
const FLAGS = [...NODE_FLAGS, '--no-deprecation']

type Settings = Readonly<Record<string, number>>
type Contender = {
  readonly library: string
  readonly program: string
  /** Possible settings; if there are several, the fastest in a short trial is measured. */
  readonly works: Readonly<Partial<Record<QueueWork, readonly Settings[]>>>
  /** Used in place of the settings. */
  readonly remarks?: Readonly<Partial<Record<QueueWork, string>>>
}

/** Their own default, that of their performance pages, and one for each caller. */
const POOLS = [{ pool: 10 }, { pool: 25 }, { pool: 64 }]
const BULK = [{ pool: 10, callers: 4, jobsPerCall: 1000 }]

/** The settings of graphile-worker's page on performance. */
const GRAPHILE = { concurrentJobs: 24, localQueue: 500, completeJobBatchDelay: 0 }

const CONTENDERS: readonly Contender[] = [
  {
    library: 'Malipo',
    program: join(ROOT, 'dist', 'bench', 'in-process.js'),
    works: { enqueue: [{}], work: [{}] },
    remarks: {
      enqueue: 'deposits accepted, with the settings of `npm start`',
      work: 'whole lives without callbacks, with the settings of `npm start`',
    },
  },
  {
    library: 'graphile-worker',
    program: join(PEERS, 'graphile-worker.mjs'),
    works: { enqueue: POOLS, bulk: BULK, work: POOLS.map((pool) => ({ ...pool, ...GRAPHILE })) },
  },
  {
    library: 'pg-boss',
    program: join(PEERS, 'pg-boss.mjs'),
    works: {
      enqueue: POOLS,
      bulk: BULK,
      work: [
        { pool: 25, batchSize: 100, localConcurrency: 8, pollingIntervalSeconds: 0.5 },
        { pool: 25, batchSize: 500, localConcurrency: 2, pollingIntervalSeconds: 0.5 },
        { pool: 64, batchSize: 1000, localConcurrency: 1, pollingIntervalSeconds: 0.5 },
      ],
    },
  },
  {
    library: '@dbos-inc/dbos-sdk',
    program: join(PEERS, 'dbos.mjs'),
    works: {
      enqueue: POOLS,
      work: [
        { pool: 10 },
        { pool: 25, minPollingIntervalMs: 100 },
        { pool: 64, minPollingIntervalMs: 100, workerConcurrency: 256 },
      ],
      steps: POOLS,
    },
  },
]

type Entry = {
  readonly contender: Contender
  readonly work: QueueWork
  readonly settings: Settings
  readonly rates: number[]
}
type Note = (text: string) => void
type Try = (
  contender: Contender,
  work: QueueWork,
  settings: Settings,
  seconds: number,
) => Promise<number>

/** Undefined if all libraries are installed; otherwise what to do. */
export function missingPeer(): string | undefined {
  const missing = CONTENDERS.slice(1).find(({ library }) => !existsSync(manifestOf(library)))
  return missing && `${missing.library} is not installed. Run: npm ci --prefix bench/peers`
}

export async function compareQueues(
  effort: Effort,
  note: Note,
): Promise<{ rows: readonly QueueRow[]; failed: readonly string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'malipo-bench-'))
  const server = await startEmbedded({ dataDir: folder, log: () => {} })
  try {
    return await compareOn(trialOn(server.url, effort), effort, note)
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function compareOn(
  attempt: Try,
  { rounds, seconds, warmUpSeconds }: Effort,
  note: Note,
): Promise<{ rows: readonly QueueRow[]; failed: readonly string[] }> {
  const failed = new Map<string, string>()
  const orFailed = async (contender: Contender, work: QueueWork, act: () => Promise<void>) => {
    const name = `${contender.library}, ${work}`
    if (failed.has(name)) return
    await act().catch((error: Error) => {
      note(`${name} failed: ${error.message}`)
      failed.set(name, `${name}: ${error.message}`)
    })
  }
  const entries: Entry[] = []
  for (const contender of CONTENDERS) {
    for (const work of Object.keys(contender.works) as QueueWork[]) {
      await orFailed(contender, work, async () => {
        const settings = await fastest(attempt, contender, work, warmUpSeconds)
        note(`${contender.library}, ${work}: ${settingsText(contender, work, settings)}`)
        entries.push({ contender, work, settings, rates: [] })
      })
    }
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const { contender, work, settings, rates } of entries) {
      await orFailed(contender, work, async () => {
        const rate = await attempt(contender, work, settings, seconds)
        note(`round ${round} of ${rounds}: ${contender.library}, ${work}: ${whole(rate)}/s`)
        rates.push(rate)
      })
    }
  }
  const complete = entries.filter(({ rates }) => rates.length === rounds)
  return { rows: complete.map(rowOf), failed: [...failed.values()] }
}

/** The fastest settings in a short trial of each; nothing is tried where there is no choice. */
async function fastest(
  attempt: Try,
  contender: Contender,
  work: QueueWork,
  seconds: number,
): Promise<Settings> {
  const choices = contender.works[work] ?? []
  let best = { settings: choices[0] ?? {}, rate: 0 }
  if (choices.length === 1) return best.settings
  for (const settings of choices) {
    const rate = await attempt(contender, work, settings, seconds)
    if (rate > best.rate) best = { settings, rate }
  }
  return best.settings
}

/** Each attempt has a database of its own on the one server, and begins after a checkpoint. */
function trialOn(serverUrl: string, { warmUpSeconds }: Effort): Try {
  let count = 0
  return async (contender, work, settings, seconds) => {
    count += 1
    const name = `queues_${count}`
    const url = new URL(serverUrl)
    url.pathname = `/${name}`
    await statements(serverUrl, [`create database ${name}`, 'checkpoint'])
    const job = { databaseUrl: url.href, work, settings, callers: CALLERS, seconds, warmUpSeconds }
    try {
      const result = await runFile<{ perSecond: number }>(contender.program, job, FLAGS)
      return result.perSecond
    } finally {
      await statements(serverUrl, [`drop database ${name} with (force)`])
    }
  }
}

async function statements(url: string, texts: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  for (const text of texts) await client.query(text)
  await client.end()
}

const rowOf = ({ contender, work, settings, rates }: Entry): QueueRow => ({
  library: contender.library,
  version: contender.library === 'Malipo' ? VERSION : installed(contender.library),
  work,
  perSecond: rounded(middle(rates)),
  rounds: rates.map(rounded),
  settings: settingsText(contender, work, settings),
})

const settingsText = ({ remarks }: Contender, work: QueueWork, settings: Settings): string =>
  remarks?.[work] ??
  Object.entries(settings)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')

const manifestOf = (library: string): string => join(PEERS, 'node_modules', library, 'package.json')

const installed = (library: string): string =>
  (JSON.parse(readFileSync(manifestOf(library), 'utf8')) as { version: string }).version
