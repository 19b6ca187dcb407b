import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureEndpoints } from './endpoints.ts'
import { measureGrowth } from './growth.ts'
import { measureHotWallet } from './hot-wallet.ts'
import type { LivesResult } from './lives.ts'
import type { LoadResult } from './load.ts'
import { flushesPerSecond, type Peer, singleCommits } from './peer.ts'
import { type Row, writeReport } from './report.ts'
import {
  type BenchService,
  control,
  drained,
  residentMegabytes,
  runProgram,
  startService,
} from './service.ts'

/** All measures in one run. `--quick` shortens them; its figures are for a first look only. */
const quick = process.argv.includes('--quick')
const only = process.argv.find((argument) => /^P\d+$/.test(argument))
const wants = (id: string): boolean => only === undefined || only === id
const CONNECTIONS = 64
const ROUNDS = quick ? 1 : 3
const SECONDS = quick ? 5 : 10
const LIVES_SECONDS = quick ? 10 : 60
const RECEIVER_PORT = 19_411

const dataDir = mkdtempSync(join(tmpdir(), 'malipo-bench-'))
mkdirSync(dataDir, { recursive: true })
const rows: Row[] = []
const note = (text: string): void => {
  process.stderr.write(`${text}\n`)
}

try {
  note(`disk flush probe …`)
  const flushes = flushesPerSecond(dataDir)
  const started = await measureStart()
  const service = await startService(dataDir)
  const idle = wants('P4') ? await measureIdle(service) : undefined
  const needsBurst = ['P1', 'P2', 'P6', 'P10'].some(wants)
  const burst = needsBurst ? await measureBurst(service) : undefined
  const hot = wants('P3') ? await measureHotWallet(service, ROUNDS, SECONDS, note) : undefined
  const endpoints = wants('P5')
    ? await measureEndpoints(service, quick ? 3 : 5, quick ? 50 : 300, note)
    : undefined
  const lives = wants('P6') || wants('P10') ? await measureLives(service) : undefined
  const growth = wants('P7') ? await measureGrowth(service, dataDir, quick, note) : undefined
  await service.stop()
  if (burst !== undefined) rows.push(...burst.rows)
  if (hot !== undefined) rows.push(hot)
  if (idle !== undefined) rows.push(idle)
  if (endpoints !== undefined) rows.push(endpoints)
  if (lives !== undefined && burst !== undefined) {
    rows.push(livesRow(lives.result, burst.best), walRow(lives.walBytes))
  }
  if (growth !== undefined) rows.push(growth)
  rows.push(...started)
  writeReport(rows, {
    quick,
    flushes,
    machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
    node: process.version,
    write: only === undefined && !quick,
  })
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}

/** P9: a first start makes the folder; the second is measured. */
async function measureStart(): Promise<Row[]> {
  note('P9 start …')
  await (await startService(dataDir)).stop()
  const startedAt = performance.now()
  const service = await startService(dataDir)
  await post(service)
  const seconds = (performance.now() - startedAt) / 1000
  await new Promise((resolve) => setTimeout(resolve, 5000))
  const megabytes = residentMegabytes(service.pid)
  await service.stop()
  return [
    {
      id: 'P9',
      measure: 'start to first accepted payment, existing data folder',
      figure: `${seconds.toFixed(2)} s`,
      beside: '–',
      bar: 'under 2 s',
      met: seconds < 2,
    },
    {
      id: 'P9',
      measure: 'resident memory of the node, idle',
      figure: `${megabytes.toFixed(0)} MB`,
      beside: '–',
      bar: 'under 150 MB',
      met: megabytes < 150,
    },
  ]
}

async function post(service: BenchService): Promise<void> {
  await runProgram<LoadResult>('load', {
    port: service.port,
    token: service.token,
    connections: 1,
    seconds: 0.01,
    repeatEvery: 0,
  })
}

/** P1 and P2 take turns with their peer, and the middle of the rounds counts. */
async function measureBurst(service: BenchService): Promise<{ rows: Row[]; best: number }> {
  const peers: Peer[] = []
  const accepts: LoadResult[] = []
  const repeats: LoadResult[] = []
  const drains: number[] = []
  await load(service, 0, 3)
  await drained(service, 120)
  for (let round = 1; round <= ROUNDS; round += 1) {
    note(`P1, P2 round ${round} of ${ROUNDS} …`)
    peers.push(await singleCommits(service, CONNECTIONS, SECONDS))
    accepts.push(await load(service, 0, SECONDS))
    drains.push(await drained(service, 300))
    if (wants('P2')) {
      repeats.push(await load(service, 10, SECONDS))
      await drained(service, 300)
    }
    note(
      `  ${peers.at(-1)?.perSecond.toFixed(0)} single, ${accepts.at(-1)?.perSecond.toFixed(0)} accepted, drained in ${drains.at(-1)?.toFixed(0)} s`,
    )
  }
  const accept = middle(accepts.map((one) => one.perSecond))
  const ratio = middle(accepts.map((one, at) => one.perSecond / (peers[at]?.perSecond ?? 1)))
  const latency = accepts[0]
  const rows: Row[] = [
    {
      id: 'P1',
      measure: 'accepted deposits per second, 64 connections',
      figure: `${accept.toFixed(0)}/s (p50 ${latency?.p50Ms.toFixed(1)} ms, p99 ${latency?.p99Ms.toFixed(1)} ms)`,
      beside: `${middle(peers.map((one) => one.perSecond)).toFixed(0)}/s ${peers[0]?.name}`,
      ratio,
      bar: 'at least 0.8',
      met: ratio >= 0.8,
    },
  ]
  if (repeats.length > 0) {
    const share = middle(repeats.map((one, at) => one.perSecond / (accepts[at]?.perSecond ?? 1)))
    rows.push({
      id: 'P2',
      measure: 'the same with 10 % duplicates',
      figure: `${middle(repeats.map((one) => one.perSecond)).toFixed(0)}/s`,
      beside: 'P1',
      ratio: share,
      bar: 'at least 0.95',
      met: share >= 0.95,
    })
  }
  return { rows, best: accept }
}

function load(service: BenchService, repeatEvery: number, seconds: number): Promise<LoadResult> {
  return runProgram<LoadResult>('load', {
    port: service.port,
    token: service.token,
    connections: CONNECTIONS,
    seconds,
    repeatEvery,
  })
}

/** P4: one life at a time. */
async function measureIdle(service: BenchService): Promise<Row> {
  note('P4 idle latency …')
  const result = await lives(service, { connections: 1, window: 1, seconds: 60, lives: 500 })
  return {
    id: 'P4',
    measure: 'accept to signed callback received, idle, operator delay 0',
    figure: `p50 ${result.p50Ms.toFixed(1)} ms, p99 ${result.p99Ms.toFixed(1)} ms`,
    beside: '–',
    bar: 'p50 under 10 ms, p99 under 25 ms',
    met: result.p50Ms < 10 && result.p99Ms < 25,
  }
}

async function measureLives(
  service: BenchService,
): Promise<{ result: LivesResult; walBytes: number }> {
  note('P6 whole lives …')
  await lives(service, { connections: CONNECTIONS, window: 512, seconds: 5, lives: 1e9 })
  const before = await walPosition(service)
  const result = await lives(service, {
    connections: CONNECTIONS,
    window: 512,
    seconds: LIVES_SECONDS,
    lives: 1e9,
  })
  if (result.missing > 0) throw new Error(`${result.missing} callbacks never came`)
  await drained(service, 60)
  const walBytes = ((await walPosition(service)) - before) / result.lives
  return { result, walBytes }
}

async function lives(service: BenchService, job: object): Promise<LivesResult> {
  await control(service, '/sandbox/callbacks', {
    deposit: `http://127.0.0.1:${RECEIVER_PORT}/callbacks`,
  })
  const result = await runProgram<LivesResult>('lives', {
    port: service.port,
    token: service.token,
    receiverPort: RECEIVER_PORT,
    ...job,
  })
  await control(service, '/sandbox/callbacks', { deposit: null })
  return result
}

function livesRow(result: LivesResult, accept: number): Row {
  const ratio = result.perSecond / accept
  const halves = `${result.firstHalfPerSecond.toFixed(0)} then ${result.secondHalfPerSecond.toFixed(0)}`
  return {
    id: 'P6',
    measure: `whole lives per second over ${LIVES_SECONDS} s, 512 under way at any moment`,
    figure: `${result.perSecond.toFixed(0)}/s (halves ${halves}; p99 ${result.p99Ms.toFixed(0)} ms)`,
    beside: `P1 ${accept.toFixed(0)}/s`,
    ratio,
    bar: 'at least 0.25; aim 0.4',
    met: ratio >= 0.25,
  }
}

function walRow(bytes: number): Row {
  return {
    id: 'P10',
    measure: 'write-ahead log per whole life, during P6',
    figure: `${bytes.toFixed(0)} bytes`,
    beside: '–',
    bar: 'under 4096 bytes',
    met: bytes < 4096,
  }
}

async function walPosition(service: BenchService): Promise<number> {
  const [row] = await service.query<{ position: string }>(
    `select pg_current_wal_lsn() - '0/0'::pg_lsn as position`,
  )
  return Number(row?.position)
}

function middle(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
