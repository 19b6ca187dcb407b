/**
 * PostgreSQL servers of a rig's own, to be killed. They come from the same binaries as the embedded
 * server, but listen on a port like a server that somebody else keeps, because a promoted standby
 * has another address than its primary. Nothing brings them back but `start`.
 */
import { type ChildProcess, execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFile,
  copyFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
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
  /** `kill -9` of the postmaster and of all its processes in one moment, as a power cut does it. */
  kill(): Promise<void>
  /** SIGSTOP to all its processes: it answers nobody, and keeps every connection. */
  freeze(): Promise<void>
  thaw(): Promise<void>
  /** After a kill or a stop; resolves when it takes connections. */
  start(): Promise<void>
  /** A shutdown in good order. */
  stop(): Promise<void>
  /** What the server has said so far; the end of it. */
  log(): string
  /** Stops it and removes its folder. */
  remove(): Promise<void>
}

export type Standby = Postgres & {
  /** Makes it the primary; resolves when it takes writes. */
  promote(): Promise<void>
  /** It hears no more of its primary. */
  cutOff(): Promise<void>
}

/** What a server must keep its word with; the rest are matters of taste. */
const HONEST: Settings = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' }

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

/** An empty server with an empty database `malipo`. `settings` go over the honest ones. */
export async function startPostgres(settings: Settings = {}): Promise<Postgres> {
  const folder = await mkdtemp(join(tmpdir(), 'malipo-proof-'))
  const server = await serverIn(await preparePlace(folder), settings)
  await server.start()
  await onServer(server.port, 'postgres', (client) => client.query(`create database ${DATABASE}`))
  return server
}

/**
 * A standby that follows the server by streaming, made from a running one with the low-level
 * backup functions: the packages bring no pg_basebackup. With `synchronous`, from now on the
 * primary answers no commit before the standby has it on disk.
 */
export async function addStandby(
  primary: Postgres,
  options: { readonly name: string; readonly synchronous: boolean },
): Promise<Standby> {
  const { name, synchronous } = options
  const folder = await mkdtemp(join(tmpdir(), 'malipo-proof-'))
  const place = await copyOf(primary, folder)
  const way = `host=127.0.0.1 port=${primary.port} user=${SUPERUSER} application_name=${name}`
  await appendFile(join(place.data, 'postgresql.auto.conf'), `primary_conninfo = '${way}'\n`)
  const server = await serverIn(place, {})
  await server.start()
  await follows(primary, name, 'streaming')
  if (synchronous) {
    await onServer(primary.port, 'postgres', async (client) => {
      await client.query(`alter system set synchronous_standby_names = '${name}'`)
      await client.query('select pg_reload_conf()')
    })
    await follows(primary, name, 'sync')
  }
  const promote = (): Promise<void> =>
    onServer(server.port, 'postgres', async (client) => {
      const { rows } = await client.query('select pg_promote(true, 60) as promoted')
      if (rows[0]?.promoted !== true) throw new Error(`${name} was not promoted in time`)
    })
  const cutOff = (): Promise<void> =>
    onServer(server.port, 'postgres', async (client) => {
      await client.query(`alter system set primary_conninfo = ''`)
      await client.query('select pg_reload_conf()')
    })
  return { ...server, promote, cutOff }
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

async function serverIn(place: Place, settings: Settings): Promise<Postgres> {
  const port = await freePort()
  const all = { ...COMMON, ...HONEST, ...settings, port: String(port) }
  const args = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  let child: ChildProcess | undefined
  let log = ''

  const launch = async (): Promise<boolean> => {
    await disownLocks(place.data, place.socketDir)
    const started = spawnAs(place.account, place.binaries.postgres, ['-D', place.data, ...args])
    child = started
    const ended = once(started, 'exit').then(() => false)
    const stderr = started.stderr
    if (stderr === null) throw new Error('the server has no standard error')
    const ready = new Promise<boolean>((resolve) => {
      createInterface({ input: stderr }).on('line', (line) => {
        log = `${log}${line}\n`.slice(-LOG_KEPT)
        if (READY.test(line)) resolve(true)
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
      // Processes of the killed one may hold its memory for a moment, and then it refuses.
      while (!(await launch())) {
        if (performance.now() > deadline) throw new Error(`PostgreSQL does not start:\n${log}`)
        await sleep(20)
      }
    },
    kill: async () => {
      const pid = child?.pid
      if (pid === undefined || !isRunning()) return
      const gone = once(child as ChildProcess, 'exit')
      await signalAll(pid, 'SIGKILL')
      await gone
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

const LOG_KEPT = 20_000
const START_WITHIN_MS = 60_000
const FOLLOWS_WITHIN_MS = 120_000

/** The postmaster stands still first: it must not answer the death of one by starting others. */
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

/** The files of a running server, as of the end of the backup, told to be a standby. */
async function copyOf(primary: Postgres, folder: string): Promise<Place> {
  return onServer(primary.port, 'postgres', async (client) => {
    const { rows } = await client.query(`select current_setting('data_directory') as data`)
    const from: string = rows[0].data
    const to = join(folder, 'postgres')
    await client.query(`select pg_backup_start('standby', fast => true)`)
    await copyFolder(from, to)
    const { rows: ends } = await client.query('select labelfile from pg_backup_stop(false)')
    await writeFile(join(to, 'backup_label'), ends[0].labelfile)
    await writeFile(join(to, 'standby.signal'), '')
    return preparePlace(folder)
  })
}

/** What a copy must not bring along: the log is streamed, the rest belongs to the running one. */
const LEFT_OUT = new Set(['postmaster.pid', 'postmaster.opts'])

async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { mode: 0o700 })
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (LEFT_OUT.has(entry.name)) continue
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyFolder(source, target)
    // A file may go while it is copied; the log of that time brings what is missing.
    else await copyFile(source, target).catch(unlessGone)
  }
}

function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

async function follows(primary: Postgres, name: string, how: 'streaming' | 'sync'): Promise<void> {
  const column = how === 'sync' ? 'sync_state' : 'state'
  await onServer(primary.port, 'postgres', async (client) => {
    const deadline = performance.now() + FOLLOWS_WITHIN_MS
    while (performance.now() < deadline) {
      const { rows } = await client.query(
        `select from pg_stat_replication where application_name = $1 and ${column} = $2`,
        [name, how],
      )
      if (rows.length === 1) return
      await sleep(20)
    }
    throw new Error(`${name} does not follow its primary (${how})`)
  })
}

/** Below those that the system hands out by itself, so that nobody gets it while we are down. */
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
