import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { type Dispatcher, request } from 'undici'
import { boot, type RunningNode } from '../src/node/boot.ts'
import type { Network } from '../src/node/compose.ts'
import { type Config, readConfig } from '../src/node/config.ts'
import { type Database, openDatabase } from '../src/store/engine/database.ts'
import { verifyBooks } from '../src/usecases/accounts/verify-books.ts'
import type { Log } from '../src/usecases/context.ts'
import { type Customers, customersOf } from './customers.ts'

/**
 * A whole node with its own database, cloned from the migrated template, and real HTTP. When it
 * stops, its books are verified: every test file ends with that check.
 */
export type Service = Client & {
  readonly url: string
  readonly databaseUrl: string
  /** With `hosted` for the customers that use it. */
  readonly node: Omit<RunningNode, 'hosted'> & { readonly hosted: Customers }
  readonly database: Database
  readonly logLines: readonly string[]
  /** Another node on the same database. */
  addNode(settings?: Record<string, string>): Promise<Service>
  stop(): Promise<void>
}

/** What one merchant does over HTTP. */
type Client = {
  readonly token: string
  /** `body` as a string is sent as it is. */
  call(method: string, path: string, body?: unknown, headers?: Headers): Promise<Answer>
  post(path: string, body?: unknown, headers?: Headers): Promise<Answer>
  get(path: string, headers?: Headers): Promise<Answer>
  put(path: string, body: unknown): Promise<Answer>
  /** Moves the test clock forward. */
  advance(seconds: number): Promise<void>
  /** Posts a deposit that can be accepted, changed by `changes`. */
  deposit(changes?: Record<string, unknown>): Promise<Answer & { id: string }>
  /** Waits until the deposit is in the state; fails when it does not get there. */
  reaches(id: string, status: string): Promise<Record<string, unknown>>
}

type Headers = Readonly<Record<string, string>>
// biome-ignore lint/suspicious/noExplicitAny: answers are inspected freely by tests
type Json = any
export type Answer = {
  readonly status: number
  readonly headers: globalThis.Headers
  readonly body: Json
}

/** Longer than any database takes that answers at all, and than a test holds up what it watches. */
const SLOW_MACHINE_MS = 120_000

/** Receivers of tests answer at once, so one that seems late is on a machine that stands still. */
const SLOW_NETWORK: Network = { connectTimeoutMs: SLOW_MACHINE_MS, totalTimeoutMs: SLOW_MACHINE_MS }

export async function startService(
  settings: Record<string, string> = {},
  network: Network = SLOW_NETWORK,
): Promise<Service> {
  const isSeeded = settings.MALIPO_ENV === undefined && settings.MALIPO_SECRET_KEY === undefined
  const databaseUrl = await cloneDatabase(isSeeded ? 'malipo_demo' : 'malipo')
  return startNode(databaseUrl, settings, true, network)
}

async function startNode(
  databaseUrl: string,
  settings: Record<string, string>,
  owns: boolean,
  network: Network = SLOW_NETWORK,
): Promise<Service> {
  const config: Config = readConfig({
    PORT: '0',
    DATABASE_URL: databaseUrl,
    MALIPO_SANDBOX_DELAY_MS: '0',
    MALIPO_LOG_LEVEL: 'debug',
    MALIPO_DB_TIMEOUT_MS: String(SLOW_MACHINE_MS),
    ...settings,
  })
  const logLines: string[] = []
  const connectionString = config.databaseUrl ?? databaseUrl
  const { databaseConnections, databaseTimeoutMs: statementMs } = config
  const timeouts = { statementMs, connectMs: statementMs }
  const database = openDatabase({ connectionString }, databaseConnections, timeouts)
  const node = await boot(config, database, collectingLog(logLines), network)
  const service = serviceOf(node, databaseUrl, database, logLines)
  const stop = async (): Promise<void> => {
    await node.stop()
    try {
      if (owns) await assertBooks(database)
    } finally {
      await database.close()
    }
  }
  return { ...service, stop }
}

function serviceOf(
  node: RunningNode,
  databaseUrl: string,
  database: Database,
  logLines: readonly string[],
): Omit<Service, 'stop'> {
  // Where it listens; its public address may differ.
  const url = `http://127.0.0.1:${node.port}`
  return {
    ...clientOf(url, node.token ?? ''),
    url,
    databaseUrl,
    node: { ...node, hosted: customersOf(node.hosted) },
    database,
    logLines,
    addNode: (settings = {}) => startNode(databaseUrl, settings, false),
  }
}

export function clientOf(url: string, token: string): Client {
  const authorization = `Bearer ${token}`
  const call: Client['call'] = async (method, path, body, headers = {}) => {
    // Not `fetch`, which takes several times as long, in thousands of tests.
    const response = await request(url + path, {
      method: method as Dispatcher.HttpMethod,
      headers: {
        authorization,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.body.text()
    const type = response.headers['content-type']
    assert.ok(text === '' || type !== undefined, `${method} ${path}: a body without a content type`)
    const isJson = String(type).includes('json')
    return {
      status: response.statusCode,
      get headers() {
        return headersOf(response)
      },
      body: isJson && text !== '' ? JSON.parse(text) : text,
    }
  }
  const get: Client['get'] = (path, headers) => call('GET', path, undefined, headers)
  return {
    token,
    call,
    get,
    post: (path, body, headers) => call('POST', path, body, headers),
    put: (path, body) => call('PUT', path, body),
    advance: async (seconds) => {
      const answer = await call('POST', '/sandbox/clock/advance', { seconds })
      assert.equal(answer.status, 200)
    },
    deposit: async (changes) => {
      const body = depositBody(changes)
      return { ...(await call('POST', '/v2/deposits', body)), id: body.depositId }
    },
    reaches: (id, status) =>
      eventually(async () => {
        const { body } = await get(`/v2/deposits/${id}`)
        assert.equal(body.data?.status, status)
        return body.data
      }),
  }
}

export function headersOf({ headers }: Dispatcher.ResponseData): globalThis.Headers {
  const lines = Object.entries(headers).flatMap(([name, value = []]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  )
  return new globalThis.Headers(lines)
}

/** A deposit that is accepted and completes. */
export function depositBody(changes: Record<string, unknown> = {}): Json {
  return {
    depositId: randomUUID(),
    amount: '15',
    currency: 'ZMW',
    payer: payer('260763456789', 'MTN_MOMO_ZMB'),
    ...changes,
  }
}

export function payer(phoneNumber: string, provider: string): Json {
  return { type: 'MMO', accountDetails: { phoneNumber, provider } }
}

/** In seconds; less of it shows failures sooner to the author of what tests wait for. */
const { MALIPO_TEST_WAIT_SECONDS = '180' } = process.env

/** Between two attempts: a fifth of the time that it has taken so far, as each one costs work. */
const PAUSE_MS = { least: 20, most: 200 }

/** Tries until it holds. The bound is generous: it only decides how long a failure takes. */
export async function eventually<T>(
  attempt: () => Promise<T> | T,
  withinMs = Number(MALIPO_TEST_WAIT_SECONDS) * 1000,
): Promise<T> {
  const since = performance.now()
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      const waitedMs = performance.now() - since
      if (waitedMs > withinMs) throw error
      const pauseMs = Math.min(Math.max(waitedMs / 5, PAUSE_MS.least), PAUSE_MS.most)
      await new Promise((resolve) => setTimeout(resolve, pauseMs))
    }
  }
}

/**
 * Recomputes every balance and checks every invariant. On a connection of its own: the server ends a
 * transaction of a node in which nothing happens for some seconds, which a slow machine may need.
 */
export async function assertBooks({ connection }: Pick<Database, 'connection'>): Promise<void> {
  const database = openDatabase(connection, 1, { connectMs: 120_000 })
  const results = await verifyBooks(database, () => {}).finally(() => database.close())
  assert.ok(results.length >= 10)
  assert.deepEqual(
    results.flatMap(({ name, findings }) => findings.map((one) => ({ name, ...one }))),
    [],
  )
}

/**
 * A database of its own, copied in some milliseconds: empty with the current schema, or with the
 * demo merchant, which a sandbox then need not create.
 */
export async function cloneDatabase(template: Template = 'malipo'): Promise<string> {
  const server = process.env.MALIPO_TEST_DATABASE
  assert.ok(server !== undefined, 'run the tests with "npm test"')
  return copyDatabase(server, template)
}

/** Those of this process that still exist. */
const copies = new Set<string>()

/** Removes the databases that tests have left; those of services that still run stay. */
export async function dropUnused(): Promise<void> {
  const server = process.env.MALIPO_TEST_DATABASE
  if (server === undefined || copies.size === 0) return
  const url = new URL(server)
  url.pathname = '/postgres'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  const { rows } = await client.query<{ name: string }>(
    `select datname as name from pg_database where datname = any ($1)
     and not exists (select from pg_stat_activity a where a.datname = pg_database.datname)`,
    [[...copies]],
  )
  for (const { name } of rows) {
    // Somebody may have connected meanwhile.
    const isDropped = await client.query(`drop database ${name}`).then(
      () => true,
      () => false,
    )
    if (isDropped) copies.delete(name)
  }
  await client.end()
}

/** A copy of a database on the same server, to which nobody may be connected. */
export async function copyDatabase(server: string, template: string): Promise<string> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const url = new URL(server)
  url.pathname = '/postgres'
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  await client.query(`create database ${name} template ${template} strategy file_copy`)
  await client.end()
  copies.add(name)
  url.pathname = `/${name}`
  return url.href
}

/** See `scripts/test-database.mjs`. */
type Template = 'malipo' | 'malipo_demo'

function collectingLog(lines: string[]): Log {
  const write =
    (level: string) =>
    (facts: object, message: string): void => {
      const err = (facts as { err?: Error }).err
      lines.push(JSON.stringify({ level, message, ...facts, ...(err ? { err: err.stack } : {}) }))
    }
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') }
}
