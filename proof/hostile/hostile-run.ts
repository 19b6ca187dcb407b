import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { residentMegabytes, runProgram, startService } from '../../bench/service.ts'
import { OPEN_CALLBACKS } from '../../harness/open-callbacks.ts'
import { startProcess } from '../../harness/process.ts'
import { type Database, openDatabase } from '../../src/store/engine/database.ts'
import { helpOf } from '../proofs.ts'
import { readOptions } from '../support/options.ts'
import { endOnSignals, reportChecked } from '../support/report.ts'
import { watchStolen } from '../support/stolen.ts'
import type { AttackJob } from './attack-program.ts'
import type { AttackReport } from './connection-attacks.ts'
import type { FloodJob, FloodResult } from './flood.ts'
import {
  FLOOD_BOUND_MS,
  QUIET_BOUND_MS,
  type Recovery,
  type Row,
  reportRows,
  summaryOf,
  writtenCounts,
} from './hostile-report.ts'
import { type Attack, costlyRequests, payPageAt } from './large-bodies.ts'
import { watchNode } from './node-watch.ts'
import {
  calmAfter,
  type Latency,
  latencyOf,
  type Watch,
  type WatchOptions,
  watchOtherMerchant,
} from './other-merchant.ts'
import { addMerchant } from './stage.ts'

const { switches, texts } = readOptions(helpOf('hostile'), {
  numbers: {},
  switches: ['quick'],
  texts: ['only'],
})
const isQuick = switches.has('quick')
endOnSignals()

const BACKLOG_WITHIN_MS = 120_000
const LOOK_EVERY_MS = 500
const SECONDS = isQuick ? 6 : 15
const IDLE_CONNECTIONS = isQuick ? 1000 : 5000
/** Fewer than usual, so that attacker and node both stay within the limit of open files. */
const MAX_CONNECTIONS = isQuick ? 2000 : 6000
/** A node may close connections before it is full, as long as it comes close. */
const FULL_FROM = 0.85
/** Meanwhile the other merchant keeps few connections, and opens a new one this often. */
const KEEPS = 4
const NEW_EVERY = 25

const dataDir = mkdtempSync(join(tmpdir(), 'malipo-hostile-'))
const rows: Row[] = []
try {
  const service = await startService(dataDir, [], {
    MALIPO_LOG_LEVEL: 'error',
    MALIPO_MAX_CONNECTIONS: String(MAX_CONNECTIONS),
  })
  const { port, pid } = service
  const database = openDatabase({ connectionString: service.databaseUrl }, 2)
  const [flooder, other] = [
    await addMerchant(database, 'flooder'),
    await addMerchant(database, 'other'),
  ]
  const measure = async <T>(
    work: () => Promise<T>,
    options?: WatchOptions,
  ): Promise<readonly [Latency, T]> => {
    const watch = watchOtherMerchant(port, other.token, options)
    const stolen = watchStolen()
    const result = await work()
    await watch.stop()
    return [{ ...latencyOf(watch.asked), stolen: stolen() }, result]
  }
  const flood = (job: Omit<FloodJob, 'port' | 'token' | 'seconds'>): Promise<FloodResult> =>
    runProgram('../proof/hostile/flood', { port, token: flooder.token, seconds: SECONDS, ...job })

  // A second node, which would take over if it took the attacked one for dead.
  const watcher = await startProcess({ DATABASE_URL: service.databaseUrl })
  const node = await watchNode(database, pid)
  const link = await payPageAt(service)
  await measure(() => pause(3000))
  const [before] = await measure(() => pause(SECONDS * 1000))
  const head = `POST /v2/deposits HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n`
  const auth = `Authorization: Bearer ${flooder.token}\r\n`

  const only = (texts.only ?? '').split('|')
  const isWanted = (attack: string): boolean => only.some((words) => attack.includes(words))
  const bytesIn = join(dataDir, 'attack')
  writeFileSync(bytesIn, '')
  const runAttack = (
    how: AttackJob['how'],
    count: number,
    seconds: number,
  ): Promise<AttackReport> =>
    runProgram('../proof/hostile/attack-program', { how, port, count, seconds, bytesIn })
  const measureAttack = async (attack: Attack, besides: () => Promise<void> = async () => {}) => {
    const { name, how, count, seconds = SECONDS, bytes, wanted } = attack
    if (!isWanted(name)) return
    note(name)
    writeFileSync(bytesIn, bytes)
    const [during, [result]] = await measure(() =>
      Promise.all([runAttack(how, count, seconds), besides()]),
    )
    const answered = wanted.reduce((sum, status) => sum + (result.statuses[status] ?? 0), 0)
    const isAnswered = answered >= result.due * 0.95
    const { megabytes, trouble } = await node.seen()
    const problem =
      trouble ?? (isAnswered ? undefined : `not all were answered with ${wanted.join(' or ')}`)
    const found = problem === undefined ? {} : { problem }
    const outcome = `${summaryOf(result)}; the node used up to ${megabytes.toFixed(0)} MB`
    rows.push({ attack: name, outcome, before, during, boundMs: QUIET_BOUND_MS, ...found })
  }
  await measureAttack({
    name: 'headers, a byte a second',
    how: 'dribble',
    count: 1000,
    seconds: 16,
    bytes: `${head}X-Slow: `,
    wanted: ['408'],
  })
  await measureAttack({
    name: 'bodies, a byte a second',
    how: 'dribble',
    count: 500,
    seconds: isQuick ? 36 : 38,
    bytes: `${head}${auth}Content-Length: 900\r\n\r\n{`,
    wanted: ['408'],
  })
  await measureAttack({
    name: 'headers of 60 KB',
    how: 'hammer',
    count: 16,
    bytes: `${head}${auth}X-Large: ${'x'.repeat(60_000)}\r\n\r\n`,
    wanted: ['431'],
  })
  const atFirst = residentMegabytes(pid)
  await measureAttack(
    {
      name: 'idle connections',
      how: 'idle',
      count: IDLE_CONNECTIONS,
      bytes: `GET /livez HTTP/1.1\r\nHost: a\r\n\r\n`,
      wanted: ['200'],
    },
    async () => {
      await pause(SECONDS * 1000)
      note(`  the node uses ${residentMegabytes(pid).toFixed(0)} MB, ${atFirst.toFixed(0)} before`)
    },
  )
  for (const attack of costlyRequests(port, flooder.token, link)) await measureAttack(attack)
  const silent = 'silent connections up to the limit'
  if (isWanted(silent)) {
    note(silent)
    const most = Math.ceil(MAX_CONNECTIONS * 1.1)
    const [during, filled] = await measure(
      () => runAttack('fill', most, SECONDS) as Promise<AttackReport & { readonly most: number }>,
      { newEvery: NEW_EVERY, keeps: KEEPS },
    )
    const isFull = filled.most >= MAX_CONNECTIONS * FULL_FROM && filled.opened > filled.most
    rows.push({
      attack: silent,
      outcome: `${filled.most} at once of ${MAX_CONNECTIONS}; ${summaryOf(filled)}`,
      before,
      during,
      boundMs: QUIET_BOUND_MS,
      ...(isFull ? {} : { problem: 'the limit was not reached' }),
    })
  }
  for (const [attack, job] of [
    ['deposits from one token, 64 connections', { what: 'deposits', connections: 64, atOnce: 1 }],
    ['look-ups from one token, 256 connections', { what: 'look-ups', connections: 256, atOnce: 1 }],
    ['deposits beyond the limit, 256 × 16', { what: 'deposits', connections: 256, atOnce: 16 }],
    ['look-ups beyond the limit, 256 × 16', { what: 'look-ups', connections: 256, atOnce: 16 }],
  ] as const) {
    if (!isWanted(attack)) continue
    note(attack)
    const stolen = watchStolen()
    const watch = watchOtherMerchant(port, other.token)
    const startedAt = performance.now()
    const result = await flood(job)
    const endedAt = result.lastSentAt - performance.timeOrigin
    note('  waiting until the backlog is cleared')
    const afterwards = await seeAfter(watch, endedAt, () => openOf(database, flooder.id))
    const during = { ...latencyOf(watch.asked, startedAt, endedAt), stolen: stolen() }
    const outcome = `${result.perSecond.toFixed(0)} answers a second, ${writtenCounts(result.statuses)}`
    const problem = problemOf(result, job.atOnce > 1)
    rows.push({ attack, outcome, before, during, boundMs: FLOOD_BOUND_MS, afterwards, ...problem })
  }
  const [after] = await measure(() => pause(3000))
  rows.push({ attack: 'afterwards', outcome: '–', before, during: after, boundMs: QUIET_BOUND_MS })
  node.stop()
  await database.close()
  await watcher.stop()
  await service.stop()
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
reportChecked(`${rows.length} attacks`)
process.exit(reportRows(rows) ? 0 : 1)

/** Watches until the other merchant's latency is normal again and the backlog is cleared. */
async function seeAfter(
  watch: Watch,
  endedAt: number,
  open: () => Promise<number>,
): Promise<Recovery> {
  const deadline = endedAt + BACKLOG_WITHIN_MS
  let [calmMs, workedOffMs] = [Infinity, Infinity]
  while (calmMs + workedOffMs === Infinity && performance.now() < deadline) {
    await pause(LOOK_EVERY_MS)
    const nowMs = performance.now()
    if (calmMs === Infinity) {
      calmMs = calmAfter(watch.asked, endedAt, { boundMs: QUIET_BOUND_MS, nowMs })
    }
    if (workedOffMs === Infinity && (await open()) === 0) workedOffMs = nowMs - endedAt
  }
  await watch.stop()
  return { calmMs, workedOffMs }
}

async function openOf(database: Database, merchantId: number): Promise<number> {
  const [row] = await database.query<{ open: number }>(
    `select ((select count(*) from payments where due_at is not null and merchant_id = $1)
           + (select count(*) from ${OPEN_CALLBACKS} where merchant_id = $1))::int
       as open`,
    [merchantId],
  )
  return row?.open ?? 0
}

/** Only 200 and 503 are answered; each 503 has Retry-After; beyond the limit some are shed. */
function problemOf({ statuses, withRetryAfter }: FloodResult, isBeyond: boolean) {
  const others = Object.keys(statuses).filter((name) => name !== '200' && name !== '503')
  if (others.length > 0) return { problem: `unexpected answers: ${others.join(', ')}` }
  const shed = statuses['503'] ?? 0
  if (shed !== withRetryAfter) return { problem: '503 without Retry-After' }
  if (isBeyond && shed === 0) return { problem: 'nothing was shed' }
  return {}
}

function note(text: string): void {
  process.stderr.write(`${text} …\n`)
}
