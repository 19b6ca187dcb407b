/**
 * PostgreSQL servers of a rig, to be killed. They use the same binaries as the embedded server, but
 * listen on a port like an external server, because a promoted standby has another address than its
 * primary. Only `start` restarts them.
 */
import { type ChildProcess, execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { copyInitialised } from '../../harness/data-folder.ts'
import { spawnAs } from '../../src/store/embedded/account.ts'
import { FLUSH_METHOD } from '../../src/store/embedded/flush.ts'
import { type Place, preparePlace, SUPERUSER } from '../../src/store/embedded/folder.ts'
import { disownLocks, isAlive, sendSignal } from '../../src/store/embedded/lock.ts'

export type Settings = Readonly<Record<string, string>>

export type Postgres = {
  readonly port: number
  /** The database `malipo` on it, for DATABASE_URL. */
  readonly url: string
  isRunning(): boolean
  /** `kill -9`; by default as in a power cut. The signal is sent at once. */
  kill(death?: Exclude<Death, 'a worker'>): Promise<void>
  /**
   * `kill -9` of a process that serves a client, as soon as there is one; `onKilled` is called at
   * the moment of the signal. Resolves when the server accepts connections again.
   */
  killWorker(onKilled: () => void): Promise<void>
  /** SIGSTOP to all its processes: it answers nothing, and keeps every connection open. */
  freeze(): Promise<void>
  thaw(): Promise<void>
  /** After a kill or a stop; resolves when it accepts connections. */
  start(): Promise<void>
  /** An orderly shutdown. */
  stop(): Promise<void>
  /** The end of the server's log. */
  log(): string
  /** Stops it and removes its folder. */
  remove(): Promise<void>
}

/**
 * How a server dies. All its processes at once: no client is notified. The postmaster alone: the
 * others notice, notify their clients and exit. A worker: the postmaster ends all the others, which
 * notify their clients, and recovers by itself.
 */
export const DEATHS = ['all at once', 'the postmaster', 'a worker'] as const
export type Death = (typeof DEATHS)[number]

/** What durability needs; other settings are free. */
const DURABLE: Settings = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }

const COMMON: Settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  wal_level: 'replica',
  max_wal_senders: '4',
  jit: 'off',
  timezone: 'UTC',
  lc_messages: 'C',
  logging_collector: 'off',
  log_min_messages: 'warning',
  recovery_init_sync_method: FLUSH_METHOD,
}

const DATABASE = 'malipo'
const READY = /ready to accept (read-only )?connections/

/** An empty server with an empty database `malipo`. `settings` override the durable ones. */
export async function startPostgres(settings: Settings = {}): Promise<Postgres> {
  const folder = await mkdtemp(join(tmpdir(), 'malipo-proof-'))
  await copyInitialised(folder)
  const server = await serverIn(await preparePlace(folder), settings)
  await server.start()
  await onServer(server.port, 'postgres', (client) => client.query(`create database ${DATABASE}`))
  return server
}

/** One connection for one piece of work. */
export async function onServer<T>(
  port: number,
  database: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ host: '127.0.0.1', port, user: SUPERUSER, database })
  client.on('error', () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Not running yet. */
export async function serverIn(place: Place, settings: Settings): Promise<Postgres> {
  const port = await freePort()
  const all = { ...COMMON, ...DURABLE, ...settings, port: String(port) }
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let child: ChildProcess | undefined
  let log = ''
  /** How often it has logged that it is ready. */
  let readyTimes = 0

  const launch = async (): Promise<boolean> => {
    await disownLocks(place.data)
    const started = spawnAs(place.account, place.binaries.postgres, ['-D', place.data, ...args])
    child = started
    const ended = once(started, 'exit').then(() => false)
    const stderr = started.stderr
    if (stderr === null) throw new Error('the server has no standard error')
    const ready = new Promise<boolean>((resolve) => {
      createInterface({ input: stderr }).on('line', (line) => {
        log = `${log}${line}\n`.slice(-LOG_KEPT)
        if (!READY.test(line)) return
        readyTimes += 1
        resolve(true)
      })
    })
    return Promise.race([ready, ended])
  }

  const isRunning = (): boolean =>
    child !== undefined && child.exitCode === null && child.signalCode === null

  const server: Postgres = {
    port,
    url: `postgres://${SUPERUSER}@127.0.0.1:${port}/${DATABASE}`,
    isRunning,
    log: () => log,
    start: async () => {
      const deadline = performance.now() + START_WITHIN_MS
      // It refuses to start while processes of the killed server still hold shared memory.
      while (!(await launch())) {
        if (performance.now() > deadline) throw new Error(`PostgreSQL does not start:\n${log}`)
        await sleep(20)
      }
    },
    kill: async (death = 'all at once') => {
      const pid = child?.pid
      if (pid === undefined || !isRunning()) return
      const gone = once(child as ChildProcess, 'exit')
      if (death === 'the postmaster') sendSignal(pid, 'SIGKILL')
      else await signalAll(pid, 'SIGKILL')
      await gone
    },
    killWorker: async (onKilled) => {
      const before = readyTimes
      const deadline = performance.now() + START_WITHIN_MS
      const isInTime = (): boolean => {
        if (performance.now() < deadline) return true
        throw new Error(`no worker to kill, or PostgreSQL is not back:\n${log}`)
      }
      while (!(await killAnyWorker(port, onKilled)) && isInTime()) await sleep(20)
      while (readyTimes === before && isInTime()) await sleep(5)
    },
    freeze: async () => {
      if (child?.pid !== undefined) await signalAll(child.pid, 'SIGSTOP')
    },
    thaw: async () => {
      if (child?.pid !== undefined) await signalAll(child.pid, 'SIGCONT')
    },
    stop: async () => {
      const pid = child?.pid
      if (pid === undefined || !isRunning()) return
      const gone = once(child as ChildProcess, 'exit')
      sendSignal(pid, 'SIGINT')
      await gone
    },
    remove: async () => {
      process.off('exit', onExit)
      await server.stop()
      await rm(dirname(place.data), { recursive: true, force: true })
    },
  }
  const onExit = (): void => {
    if (child?.pid !== undefined && isAlive(child.pid)) sendSignal(child.pid, 'SIGQUIT')
  }
  process.once('exit', onExit)
  return server
}

/** Kills a backend of another client; false if there is none, or it has just exited. */
const killAnyWorker = (port: number, onKilled: () => void): Promise<boolean> =>
  onServer(port, 'postgres', async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid()
        order by random() limit 1`,
    )
    try {
      if (rows[0] === undefined) return false
      process.kill(rows[0].pid, 'SIGKILL')
    } catch {
      return false
    }
    onKilled()
    return true
  })

const LOG_KEPT = 20_000
const START_WITHIN_MS = 60_000

/** The postmaster is stopped first: it must not react to dead processes by starting others. */
async function signalAll(pid: number, signal: NodeJS.Signals): Promise<void> {
  sendSignal(pid, 'SIGSTOP')
  for (const one of [...(await childrenOf(pid)), pid]) sendSignal(one, signal)
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  if (process.platform === 'linux') {
    const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
    if (text !== '') return text.trim().split(' ').map(Number)
  }
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid='])
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child = 0]) => child)
}

/** Below the ephemeral ports, so that nothing else takes it while the server is down. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = randomInt(20_000, 30_000)
    const server = createServer()
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false))
      server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
    })
    if (isFree) return port
  }
  throw new Error('no free port from 20000 to 30000')
}
