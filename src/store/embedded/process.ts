/** The server process: its settings, its start up to the moment it is ready, and its log. */
import type { ChildProcess } from 'node:child_process'
import { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { spawnAs } from './account.ts'
import { FLUSH_METHOD } from './flush.ts'
import type { Place } from './folder.ts'
import { PORT } from './lock.ts'

export type Settings = Readonly<Record<string, string>>
export type Log = (message: string) => void

export const SETTINGS: readonly (readonly [name: string, value: string, reason: string])[] = [
  ['listen_addresses', '', 'the socket is the only way in; no port can be taken or exposed'],
  ['unix_socket_permissions', '0700', 'with trust authentication the file mode is the lock'],
  ['fsync', 'on', 'a payment once accepted must survive a power cut'],
  ['synchronous_commit', 'on', 'as above; throughput comes from committing in groups'],
  ['full_page_writes', 'on', 'a torn page must be repairable'],
  ['max_connections', '100', 'a few nodes with pools of twenty, and room for an operator'],
  ['shared_buffers', '256MB', 'holds the hot tables and indexes; fits a small machine'],
  ['wal_buffers', '16MB', 'many small commits share one write'],
  ['wal_compression', 'pglz', 'full pages are most of the log; this build has no lz4'],
  ['max_wal_size', '4GB', 'checkpoints come by the clock, not in the middle of a burst'],
  ['checkpoint_timeout', '15min', 'fewer full pages in the log'],
  ['checkpoint_completion_target', '0.9', 'spreads the writing of a checkpoint'],
  ['jit', 'off', 'queries are short; compiling them costs more than running them'],
  ['max_parallel_workers_per_gather', '0', 'needs more /dev/shm than containers give'],
  ['max_parallel_maintenance_workers', '0', 'as above'],
  ['autovacuum_naptime', '10s', 'job and payment rows die quickly; bloat must not build up'],
  ['autovacuum_vacuum_cost_delay', '1ms', 'as above'],
  ['autovacuum_vacuum_scale_factor', '0.05', 'as above'],
  ['timezone', 'UTC', 'times mean the same on every machine'],
  ['log_timezone', 'UTC', 'as above'],
  ['lc_messages', 'C', 'the log is read by reportable() below'],
  ['logging_collector', 'off', 'the log goes to the node, not to files of its own'],
  ['log_destination', 'stderr', 'as above'],
  ['log_line_prefix', '%e|%b|', 'code and kind of process separate chatter from trouble'],
  ['log_checkpoints', 'off', 'chatter'],
  ['log_error_verbosity', 'terse', 'details quote rows, and rows hold phone numbers'],
  ['log_min_error_statement', 'panic', 'statements may quote rows as well'],
]

/** Carries what the server wrote, for the caller to decide whether another try makes sense. */
export class ServerDidNotStart extends Error {
  readonly isLockedStill: boolean

  constructor(data: string, output: readonly string[]) {
    const isFull = output.some((line) => line.includes('No space left'))
    const wayOut = isFull ? ['Free some space on its disk and start again.'] : []
    super([`The database in ${data} did not start.`, ...output, ...wayOut].join(' '))
    this.isLockedStill = output.some((line) =>
      /pre-existing shared memory block|lock file .* already exists/.test(line),
    )
  }
}

export type Way = {
  readonly place: Place
  readonly settings: Settings
  readonly log: Log
  readonly signal: AbortSignal
  /** Called when the server process has been started and there is nothing to do but wait for it. */
  readonly onLaunch?: () => void
}

/** Resolves with the process number once the server takes connections. */
export async function launchServer({
  place,
  settings,
  log,
  signal,
  onLaunch,
}: Way): Promise<number> {
  signal.throwIfAborted()
  const child = spawnAs(place.account, place.binaries.postgres, argumentsFor(place, settings))
  const abort = (): void => void child.kill('SIGQUIT')
  signal.addEventListener('abort', abort)
  onLaunch?.()
  try {
    return await untilReady(child, place.data, log)
  } finally {
    signal.removeEventListener('abort', abort)
    child.unref()
    if (child.stderr instanceof Socket) child.stderr.unref()
  }
}

/** What of a log line an operator should see. Errors of statements are seen by their callers. */
export function reportable(line: string): string | undefined {
  const match = LINE.exec(line)
  if (match === null) return line.startsWith('\t') || line.trim() === '' ? undefined : line
  const [, code = '', source = '', level = '', message = ''] = match
  if (EXPECTED.test(code)) return undefined
  if (level === 'LOG' && !TROUBLE.test(message)) return undefined
  return source === '' ? `${level}: ${message}` : `${level}: ${message} (${source}, ${code})`
}

const LINE =
  /^(?:([0-9A-Z]{5})\|([^|]*)\||.*?\] )?(LOG|INFO|NOTICE|WARNING|ERROR|FATAL|PANIC): +(.*)$/

/** Lines of level LOG that report a crash or a repair. */
const TROUBLE = /terminated by signal|not properly shut down|reinitializing|could not /

/**
 * Connections that go, start-up and shutdown (08, 57P); broken constraints, conflicts and locks
 * not obtained, which are answers (23, 40, 55P03); cancelled statements (57014).
 */
const EXPECTED = /^(?:08...|57P0.|23...|40...|55P03|57014)$/

const READY = 'database system is ready to accept connections'

function argumentsFor({ data, endpoint }: Place, settings: Settings): readonly string[] {
  const all = {
    ...Object.fromEntries(SETTINGS.map(([name, value]) => [name, value])),
    recovery_init_sync_method: FLUSH_METHOD,
    ...settings,
    ...(endpoint.kind === 'port'
      ? { listen_addresses: '127.0.0.1', port: `${endpoint.port}`, unix_socket_directories: '' }
      : { port: `${PORT}`, unix_socket_directories: `"${endpoint.folder.replaceAll('"', '""')}"` }),
  }
  return ['-D', data, ...Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])]
}

function untilReady(child: ChildProcess, data: string, log: Log): Promise<number> {
  return new Promise((resolve, reject) => {
    const output: string[] = []
    let isReady = false
    const read = (line: string): void => {
      if (!isReady && line.includes(READY) && child.pid !== undefined) {
        isReady = true
        resolve(child.pid)
        for (const report of output) log(`database: ${report}`)
      }
      const report = reportable(line)
      if (report === undefined) return
      if (isReady) log(`database: ${report}`)
      else output.push(report)
    }
    if (child.stderr !== null) createInterface({ input: child.stderr }).on('line', read)
    child.once('error', (error) => reject(new ServerDidNotStart(data, [error.message])))
    child.once('close', (code, signal) => {
      const end = `The server ended with ${signal ?? `code ${code}`}.`
      reject(new ServerDidNotStart(data, [...output, end]))
    })
  })
}
