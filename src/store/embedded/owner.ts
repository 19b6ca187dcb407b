/**
 * Which node owns the embedded server. The owner holds an advisory lock on a connection that it
 * keeps for life; the lock ends with the process, however it ends. A server whose lock is free has
 * therefore been left behind.
 */
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { EMBEDDED } from '../../domain/upkeep-timing.ts'
import type { Endpoint } from './endpoint.ts'
import { SUPERUSER } from './folder.ts'
import { isAlive, PORT } from './lock.ts'

export type EmbeddedConnection = {
  /** The folder of the socket, or loopback. */
  readonly host: string
  readonly port: number
  readonly user: string
  readonly database: string
  readonly password?: string
  /** Set outright, or PGSSLMODE of the environment would apply to the socket. */
  readonly ssl: false
}

type Ownership =
  | { readonly kind: 'owned'; readonly client: pg.Client }
  | { readonly kind: 'taken'; readonly pid: number }

const DATABASE = 'malipo'

export function connectionTo(endpoint: Endpoint): EmbeddedConnection {
  const common = { user: SUPERUSER, database: DATABASE, ssl: false } as const
  if (endpoint.kind === 'socket') return { ...common, host: endpoint.folder, port: PORT }
  return { ...common, host: '127.0.0.1', port: endpoint.port, password: endpoint.password }
}

export function urlOf({ host, port, user, database, password }: EmbeddedConnection): string {
  if (password !== undefined) return `postgresql://${user}:${password}@${host}:${port}/${database}`
  return `postgresql://${user}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`
}

export async function takeOwnership(endpoint: Endpoint): Promise<Ownership> {
  const stream = new Socket()
  const client = createClient(endpoint, `${OWNER}${process.pid}`, stream)
  try {
    await client.connect()
    const holder = await lockOrFindHolder(client)
    if (holder !== undefined) {
      await client.end()
      return { kind: 'taken', pid: holder }
    }
    await createDatabase(client)
    // By itself the connection must not keep the process from ending.
    stream.unref()
    return { kind: 'owned', client }
  } catch (error) {
    await client.end().catch(() => undefined)
    throw error
  }
}

export async function canConnect(endpoint: Endpoint): Promise<boolean> {
  const client = createClient(endpoint, 'malipo attach', new Socket())
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** Locks of this kind belong to a database; this one stays out of the way of Malipo's own. */
const LOCK_DATABASE = 'postgres'
const LOCK_KEY = [0x6d616c69, 0x706f] as const
const OWNER = 'malipo owner '

function createClient(endpoint: Endpoint, name: string, stream: Socket): pg.Client {
  const client = new pg.Client({
    ...connectionTo(endpoint),
    database: LOCK_DATABASE,
    application_name: name,
    stream: () => stream,
  })
  client.on('error', () => undefined)
  return client
}

/**
 * Undefined when the lock is ours now. The server takes a moment to notice that the former owner
 * has died, so a holder that is not alive gets a little time to go.
 */
async function lockOrFindHolder(client: pg.Client): Promise<number | undefined> {
  for (let tries = 0; ; tries += 1) {
    const { rows } = await client.query<{ locked: boolean }>(
      'select pg_try_advisory_lock($1, $2) as locked',
      [...LOCK_KEY],
    )
    if (rows[0]?.locked === true) return undefined
    const holder = await findHolder(client)
    if (isAlive(holder) || tries === 40) return holder
    await sleep(EMBEDDED.lockAgainMs)
  }
}

async function findHolder(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ application_name: string }>(
    `select a.application_name
       from pg_locks l
       join pg_stat_activity a using (pid)
      where l.locktype = 'advisory' and l.granted and l.classid = $1 and l.objid = $2
        and a.datname = $3`,
    [...LOCK_KEY, LOCK_DATABASE],
  )
  return Number.parseInt(rows[0]?.application_name.slice(OWNER.length) ?? '', 10)
}

async function createDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [
    DATABASE,
  ])
  if (rowCount === 0) await client.query(`create database ${DATABASE}`)
}
