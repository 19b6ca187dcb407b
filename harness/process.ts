import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { Database } from '../src/store/engine/database.ts'
import { payoutBody, recipient } from './payouts.ts'
import type { Receiver } from './receiver.ts'
import { assertBooks, depositBody, eventually, payer } from './service.ts'

/** A node as a process of its own, which can be killed, frozen and told to stop. */
export type NodeProcess = {
  readonly url: string
  readonly token: string
  readonly pid: number
  /** How it ended; pending while it runs. */
  readonly ended: Promise<Ended>
  /** What it wrote to standard error so far. */
  log(): string
  signal(signal: NodeJS.Signals): void
  /** `kill -9`, and waits until the process is gone. */
  kill(): Promise<void>
  /** SIGTERM, and waits for the end. */
  stop(): Promise<Ended>
}

export type Ended = { readonly code: number | null; readonly signal: NodeJS.Signals | null }
export type Settings = Readonly<Record<string, string>>

/** The folder of this version of the program. */
export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const READY_WITHIN_MS = 90_000
/** A repair waits for the disk, which others may be using. */
const REPAIRED_WITHIN_MS = 180_000

/** A node that has been told to start; it can be killed before it is ready. */
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
    if (url === undefined) throw new Error(`the node ended before it was ready:\n${log}`)
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

/** `kill -9` for the embedded server of the node, and waits until both are there again. */
export async function killDatabase(node: NodeProcess, dataDir: string): Promise<void> {
  const times = (line: string): number => node.log().split(line).length - 1
  // Not being ready passes within a second or two, and a test that stands still would not see it.
  const traces = ['the database server is back', 'joined again as a new node']
  const before = traces.map(times)
  const lock = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8')
  process.kill(Number.parseInt(lock, 10), 'SIGKILL')
  const isBack = eventually(async () => {
    traces.forEach((line, at) => {
      assert.ok(times(line) > (before[at] ?? 0), `not yet: ${line}\n${node.log().slice(-4000)}`)
    })
    assert.equal((await callAt(node, 'GET', '/readyz'))?.status, 200)
  }, REPAIRED_WITHIN_MS)
  const fell = node.ended.then(async () => {
    // Its last words may be on their way still.
    await sleep(100)
    throw new Error(`the node ended with its database:\n${node.log().slice(-4000)}`)
  })
  await Promise.race([isBack, fell])
}

export type Place = { readonly url: string; readonly token: string }

/** One call; undefined when the connection broke, so that nobody knows what became of it. */
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

/** A kind of payment that a load can consist of. */
export type Flow = {
  readonly path: string
  readonly idField: 'depositId' | 'payoutId'
  body(id: string | undefined, count: number): Readonly<Record<string, string>>
}

/** Customers who pay and customers who cannot. */
const PAYERS = ['260763456789', '260763456789', '260763456049', '260763456039']
/** Customers who get their money and customers who cannot. */
const RECIPIENTS = ['260763456789', '260763456789', '260763456119', '260763456079']

const DEPOSITS: Flow = {
  path: '/v2/deposits',
  idField: 'depositId',
  body: (depositId, count) =>
    depositBody({
      payer: payer(PAYERS[count % PAYERS.length] ?? '', 'MTN_MOMO_ZMB'),
      ...(depositId === undefined ? {} : { depositId }),
    }),
}

export const PAYOUTS: Flow = {
  path: '/v2/payouts',
  idField: 'payoutId',
  body: (payoutId, count) =>
    payoutBody({
      recipient: recipient(RECIPIENTS[count % RECIPIENTS.length] ?? '', 'MTN_MOMO_ZMB'),
      ...(payoutId === undefined ? {} : { payoutId }),
    }),
}

/** What merchants were told while a service was under load and in trouble. */
export type AnswerBook = {
  readonly flow: Flow
  /** For each identifier ever sent, how often the answer was ACCEPTED. */
  readonly accepted: Map<string, number>
  /** Identifiers whose last answer was lost or a 5xx; a client sends these again. */
  readonly doubtful: Set<string>
  readonly serverErrors: { readonly status: number; readonly body: Record<string, unknown> }[]
}

export const newAnswerBook = (flow = DEPOSITS): AnswerBook => ({
  flow,
  accepted: new Map(),
  doubtful: new Set(),
  serverErrors: [],
})

export type Load = { stop(): Promise<void> }

/** Payments without end from several clients, until it is stopped. What was in doubt goes first. */
export function startLoad(place: () => Place, book: AnswerBook, clients = 8): Load {
  let stopped = false
  let count = 0
  const client = async (): Promise<void> => {
    while (!stopped) {
      const again = takeOne(book.doubtful)
      count += 1
      await post(place(), book, book.flow.body(again, count))
      await pause(10)
    }
  }
  const all = Promise.all(Array.from({ length: clients }, client))
  return {
    stop: async () => {
      stopped = true
      await all
    },
  }
}

/** Waits until the load has sent so many payments, however slow the machine is. */
export async function hasSent(book: AnswerBook, count: number): Promise<void> {
  await eventually(() => assert.ok(book.accepted.size >= count), 180_000)
}

/** Sends once more whatever is in doubt, as a careful client does when the service is back. */
export async function settleDoubts(place: Place, book: AnswerBook): Promise<void> {
  for (let id = takeOne(book.doubtful); id !== undefined; id = takeOne(book.doubtful)) {
    await post(place, book, book.flow.body(id, 0))
  }
}

async function post(
  place: Place,
  book: AnswerBook,
  body: Readonly<Record<string, string>>,
): Promise<void> {
  const id = body[book.flow.idField] ?? ''
  const answer = await callAt(place, 'POST', book.flow.path, body)
  book.accepted.set(id, book.accepted.get(id) ?? 0)
  if (answer === undefined || answer.status >= 500) {
    book.doubtful.add(id)
    if (answer !== undefined) book.serverErrors.push(answer)
    return
  }
  assert.equal(answer.status, 200)
  assert.match(answer.body.status, /^(ACCEPTED|DUPLICATE_IGNORED)$/)
  if (answer.body.status === 'ACCEPTED') {
    book.accepted.set(id, (book.accepted.get(id) ?? 0) + 1)
  }
}

function takeOne(ids: Set<string>): string | undefined {
  for (const id of ids) {
    ids.delete(id)
    return id
  }
  return undefined
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Waits for the end of all work, and checks everything a merchant may rely on after trouble. */
export async function assertNothingLost(
  database: Database,
  book: AnswerBook,
  receiver: Receiver,
): Promise<void> {
  await assertAllWorkEnds(database)
  const payments = await database.query<{
    id: string
    state: string
    held: boolean
    transfers: number
  }>(
    `select p.id, p.state, p.held_from is not null as held, (select count(*)::int from transfers t
                            where t.merchant_id = p.merchant_id and t.key = p.key) as transfers
     from payments p`,
  )
  const stored = new Set(payments.map(({ id }) => id))
  const told = new Set(receiver.received.map(({ body }) => JSON.parse(body)[book.flow.idField]))
  for (const [id, times] of book.accepted) {
    assert.ok(times <= 1, `${id} was accepted ${times} times`)
    assert.ok(times === 0 || stored.has(id), `${id} was accepted and is not there`)
    assert.ok(book.doubtful.has(id) || stored.has(id), `${id} was answered and is not there`)
  }
  for (const { id, state, held, transfers } of payments) {
    assert.match(state, /^(COMPLETED|FAILED)$/)
    // What goes out is held and then leaves or comes back; what comes in moves once or not at all.
    assert.equal(transfers, held ? 2 : isMovedOnce(book, state), `${id} is ${state}`)
    assert.ok(told.has(id), `nobody was told that ${id} is ${state}`)
  }
  // Recomputes all balances, and counts how often the operator was asked for each payment.
  await assertBooks(database)
}

const isMovedOnce = ({ flow }: AnswerBook, state: string): number =>
  flow.idField === 'depositId' && state === 'COMPLETED' ? 1 : 0

/**
 * No payment and no callback has anything left to be done. A callback that was under way when its
 * node was killed is due again only some time later.
 */
export async function assertAllWorkEnds(database: Database, withinMs = 180_000): Promise<void> {
  await eventually(async () => {
    const [left] = await database.query(
      `select (select count(*)::int from payments where due_at is not null) as payments,
              (select count(*)::int from callbacks where due_at is not null) as callbacks`,
    )
    assert.deepEqual(left, { payments: 0, callbacks: 0 })
  }, withinMs)
}

/** Numbers that are the same again for the same seed, so that a failure can be repeated. */
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

/** A connection of the test's own, for locks that are held while something else happens. */
export async function connectTo(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl })
  client.on('error', () => {})
  await client.connect()
  return client
}
