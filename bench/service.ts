import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'

/** The service as a user starts it: its own process, its own embedded database. */
export type BenchService = {
  readonly port: number
  readonly token: string
  readonly databaseUrl: string
  readonly pid: number
  query<Row>(text: string): Promise<Row[]>
  stop(): Promise<void>
}

export const ROOT = new URL('../..', import.meta.url).pathname

/** The flags of `npm start`: the heap may double between collections, not quadruple. */
export const NODE_FLAGS = ['--max-semi-space-size=32', '--heap-growing-percent=100']

export async function startService(
  dataDir: string,
  nodeFlags: readonly string[] = [],
  settings: Readonly<Record<string, string>> = {},
  root = ROOT,
): Promise<BenchService> {
  const program = [...NODE_FLAGS, ...nodeFlags, join(root, 'bin', 'malipo.mjs'), 'start']
  const child = spawn(process.execPath, program, {
    env: {
      ...process.env,
      PORT: '0',
      MALIPO_DATA_DIR: dataDir,
      MALIPO_LOG_LEVEL: 'warn',
      MALIPO_SANDBOX_DELAY_MS: '0',
      DATABASE_URL: '',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  endWithUs(child)
  const banner = await bannerOf(child)
  const port = Number(/API +http:\/\/127\.0\.0\.1:(\d+)/.exec(banner)?.[1])
  const token = /Token +(\S+)/.exec(banner)?.[1] ?? ''
  const databaseUrl = /DATABASE_URL='([^']+)'/.exec(banner)?.[1] ?? ''
  return {
    port,
    token,
    databaseUrl,
    pid: child.pid ?? 0,
    query: async <Row>(text: string) => {
      const client = new pg.Client({ connectionString: databaseUrl })
      await client.connect()
      const { rows } = await client.query(text)
      await client.end()
      return rows as Row[]
    },
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve()
        child.once('exit', () => resolve())
        child.kill('SIGTERM')
      }),
  }
}

// Exits on signals, so that what the run started is stopped as well.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** However the run ends, nothing it started is left behind. */
function endWithUs(child: ChildProcess): void {
  const endChild = (): boolean => child.kill('SIGTERM')
  process.once('exit', endChild)
  child.once('exit', () => process.off('exit', endChild))
}

function bannerOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = ''
    child.stdout?.on('data', (chunk) => {
      text += chunk
      if (text.includes('A second node')) resolve(text)
    })
    child.once('exit', (code) => reject(new Error(`the service exited with code ${code}`)))
  })
}

/** Far more than any of them needs: one that hangs fails, and the other measures go on. */
const PROGRAM_HAS_MS = 600_000

/** Runs one of the programs in this folder with a job, and reads its result. */
export const runProgram = <Result>(name: string, job: object): Promise<Result> =>
  runFile(join(ROOT, 'dist', 'bench', `${name}.js`), job)

export async function runFile<Result>(
  file: string,
  job: object,
  nodeFlags: readonly string[] = [],
): Promise<Result> {
  const program = [...nodeFlags, file, JSON.stringify(job)]
  const running = promisify(execFile)(process.execPath, program, {
    maxBuffer: 1 << 24,
    timeout: PROGRAM_HAS_MS,
  })
  endWithUs(running.child)
  const { stdout, stderr } = await running
  if (stderr !== '') process.stderr.write(stderr)
  return JSON.parse(stdout) as Result
}

export async function control(service: BenchService, path: string, body: object): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${service.port}${path}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${service.token}` },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
}

export function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024
}

/** Waits until every accepted payment is final and every callback is settled. */
export async function drained(service: BenchService, withinSeconds: number): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    const [row] = await service.query<{ open: string }>(
      `select (select count(*) from payments where due_at is not null)
            + (select count(*) from callbacks where due_at is not null) as open`,
    )
    const seconds = (performance.now() - startedAt) / 1000
    if (Number(row?.open) === 0) return seconds
    if (seconds > withinSeconds) throw new Error(`${row?.open} still open after ${seconds} s`)
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/** Of all its threads, since it was started. Linux counts in hundredths of a second. */
export function processorMicroseconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10_000
}
