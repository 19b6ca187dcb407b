import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Database } from '../src/store/engine/database.ts'
import { OPEN_CALLBACKS } from './open-callbacks.ts'
import { eventually } from './service.ts'

/** A node as a separate process, which can be killed, frozen and stopped. */
export type NodeProcess = {
  readonly url: string
  readonly token: string
  readonly pid: number
  /** How it exited; pending while it runs. */
  readonly ended: Promise<Ended>
  /** What it wrote to standard error so far. */
  log(): string
  signal(signal: NodeJS.Signals): void
  /** `kill -9`, and waits until the process is gone. */
  kill(): Promise<void>
  /** SIGTERM, and waits for the end. */
  stop(): Promise<Ended>
}

type Ended = { readonly code: number | null; readonly signal: NodeJS.Signals | null }
export type Settings = Readonly<Record<string, string>>

/** The folder of this version of the program. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const READY_WITHIN_MS = 90_000

/** A node that is starting; it can be killed before it is ready. */
export type Launch = {
  readonly ready: Promise<NodeProcess>
  kill(): Promise<void>
}

/** Starts a node and waits for its banner. It never outlives the process of the test. */
export function startProcess(settings: Settings): Promise<NodeProcess> {
  return launchProcess(settings).ready
}

/** `root` is the folder of the program: another one may hold another version of it. */
export function launchProcess(settings: Settings, root = ROOT): Launch {
  const child = spawn(process.execPath, ['bin/malipo.mjs', 'start'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      PORT: '0',
      MALIPO_LOG_LEVEL: 'info',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let log = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text
  })
  const ended = endOf(child)
  const signal = (name: NodeJS.Signals): void => {
    if (child.exitCode === null && child.signalCode === null) child.kill(name)
  }
  const kill = async (): Promise<void> => {
    signal('SIGKILL')
    await ended
  }
  const untilReady = async (): Promise<NodeProcess> => {
    const url = await eventually(() => {
      if (child.exitCode !== null || child.signalCode !== null) return undefined
      const found = /API\s+(http\S+)/.exec(output)?.[1]
      assert.ok(found !== undefined && output.endsWith('\n\n'), `no banner yet:\n${log}`)
      return found
    }, READY_WITHIN_MS).catch((error) => {
      signal('SIGKILL')
      throw error
    })
    if (url === undefined) throw new Error(`the node exited before it was ready:\n${log}`)
    const token = /Token\s+(\S+)/.exec(output)?.[1] ?? ''
    const stop = async (): Promise<Ended> => {
      signal('SIGTERM')
      return ended
    }
    return { url, token, pid: child.pid ?? 0, ended, log: () => log, signal, kill, stop }
  }
  return { ready: untilReady(), kill }
}

async function endOf(child: ChildProcess): Promise<Ended> {
  const kill = (): void => void child.kill('SIGKILL')
  process.once('exit', kill)
  const [code, signal] = await once(child, 'exit')
  process.off('exit', kill)
  return { code, signal }
}

export type Place = { readonly url: string; readonly token: string }

/** One call; undefined if the connection broke, so that its outcome is unknown. */
export async function callAt(
  place: Place,
  method: string,
  path: string,
  body?: unknown,
): Promise<
  // biome-ignore lint/suspicious/noExplicitAny: answers are inspected freely by tests
  { status: number; body: any } | undefined
> {
  try {
    const response = await fetch(place.url + path, {
      method,
      headers: { authorization: `Bearer ${place.token}` },
      signal: AbortSignal.timeout(15_000),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
  } catch {
    return undefined
  }
}

/**
 * Waits until no payment and no callback has work left. A callback that was being sent when its node
 * was killed is due again only some time later.
 */
export async function assertAllWorkEnds(database: Database, withinMs = 180_000): Promise<void> {
  await eventually(async () => {
    const [left] = await database.query(
      `select (select count(*)::int from payments where due_at is not null) as payments,
              (select count(*)::int from ${OPEN_CALLBACKS}) as callbacks`,
    )
    assert.deepEqual(left, { payments: 0, callbacks: 0 })
  }, withinMs)
}

/** The same numbers for the same seed, so that a failure can be repeated. */
export function seededRandom(seed: number): (from: number, to: number) => number {
  let state = seed >>> 0
  return (from, to) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return from + Math.floor((state / 2 ** 32) * (to - from))
  }
}

export function newSeed(): number {
  const given = process.env.MALIPO_TEST_SEED
  return given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given)
}

/** A separate connection, for locks that are held while something else happens. */
export async function connectTo(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => {})
  await client.connect()
  return client
}
