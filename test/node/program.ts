import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { cloneDatabase } from '../../harness/service.ts'

/** The program as a user runs it: a process of its own, with no settings but the given ones. */
export type Settings = Readonly<Record<string, string>>
export type Ended = {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const LONGEST_MS = 60_000
/** The whole life of a node, which may serve all tests of a file. */
const LONGEST_LIFE_MS = 600_000

/** Runs one command to its end. */
export function malipo(args: readonly string[], settings: Settings = {}): Promise<Ended> {
  return launch(process.execPath, ['bin/malipo.mjs', ...args], settings).ended
}

export type RunningProgram = {
  /** What was printed for people once it was ready. */
  readonly banner: string
  readonly url: string
  readonly token: string
  /** Lines on standard error so far. */
  logLines(): string[]
  /** SIGTERM; answers how it ended. */
  stop(): Promise<Ended>
}

/** `malipo start`, up to the banner. */
export function startProgram(settings: Settings): Promise<RunningProgram> {
  return whenReady(launch(process.execPath, ['bin/malipo.mjs', 'start'], settings, 'group'))
}

/** A line as a person pastes it into a terminal that stands in the checkout. */
export function shell(line: string): Promise<Ended> {
  return launch('/bin/sh', ['-c', line], {}).ended
}

/** The same for a line that starts a node. It is stopped as a supervisor does: by its first process. */
export function startByShell(line: string): Promise<RunningProgram> {
  return whenReady(launch('/bin/sh', ['-c', line], {}, 'group'), 'process')
}

type Launched = {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  readonly output: { stdout: string; stderr: string }
}

function launch(
  command: string,
  args: readonly string[],
  settings: Settings,
  manner?: 'group',
): Launched {
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: manner === 'group',
    // A node is stopped by its test; this only ends what hangs.
    timeout: manner === 'group' ? LONGEST_LIFE_MS : LONGEST_MS,
  })
  const output = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output.stdout += chunk
  })
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    output.stderr += chunk
  })
  const terminate = (): void => signalTo(child, manner)
  // However the tests end, nothing they started is left behind.
  process.once('exit', terminate)
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code) => {
      process.off('exit', terminate)
      resolve({ code, ...output })
    })
  })
  return { child, ended, output }
}

function signalTo({ pid, exitCode }: ChildProcess, manner: 'group' | 'process' | undefined): void {
  if (pid === undefined || exitCode !== null) return
  try {
    process.kill(manner === 'group' ? -pid : pid, 'SIGTERM')
  } catch {
    // It has ended in between.
  }
}

async function whenReady(
  { child, ended, output }: Launched,
  stopped: 'group' | 'process' = 'group',
): Promise<RunningProgram> {
  const ready = new Promise<void>((resolve) => {
    child.stdout?.on('data', () => {
      if (/Malipo is (ready|running)[\s\S]*\n\n$/.test(output.stdout)) resolve()
    })
  })
  const early = await Promise.race([ready, ended])
  if (early !== undefined) throw new Error(`ended with ${early.code}: ${early.stderr}`)
  return {
    banner: output.stdout,
    url: /API +(\S+)/.exec(output.stdout)?.[1] ?? '',
    token: /Token +(\S+)/.exec(output.stdout)?.[1] ?? '',
    logLines: () => output.stderr.split('\n').filter((line) => line !== ''),
    stop: () => {
      signalTo(child, stopped)
      return ended
    },
  }
}

/** An empty database without any schema. */
export async function emptyDatabase(): Promise<string> {
  const url = new URL(await cloneDatabase())
  const name = url.pathname.slice(1)
  await onServer(url.href, `drop database ${name}`)
  await onServer(url.href, `create database ${name} template template0`)
  return url.href
}

/** A copy of a database that is not in use at the moment. */
export async function copyDatabase(databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl)
  const source = url.pathname.slice(1)
  const name = `${source}_${Math.random().toString(36).slice(2, 10)}`
  await onServer(databaseUrl, `create database ${name} template ${source}`)
  url.pathname = `/${name}`
  return url.href
}

/** Runs statements beside the service, as a person with psql would. */
export async function sql<Row = Record<string, unknown>>(
  databaseUrl: string,
  text: string,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows } = await client.query(text)
    return rows as Row[]
  } finally {
    await client.end()
  }
}

/** For statements about whole databases. */
export function onServer(databaseUrl: string, text: string): Promise<unknown> {
  const url = new URL(databaseUrl)
  url.pathname = '/postgres'
  return sql(url.href, text)
}

/** A call with a token of one's own. */
export async function call(
  url: string,
  token: string,
  body?: unknown,
  method = body === undefined ? 'GET' : 'POST',
) {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  // biome-ignore lint/suspicious/noExplicitAny: answers are inspected freely by tests
  let parsed: any = text
  try {
    parsed = JSON.parse(text)
  } catch {
    // Not JSON: the text itself.
  }
  return { status: response.status, headers: response.headers, body: parsed }
}
