import { Socket } from 'node:net'
import pg from 'pg'
import { LIMITS } from '../../domain/timing.ts'
import { createDiskSpace, type DiskSpace } from './disk-space.ts'
import { openServers, type Servers, serversIn } from './servers.ts'
import { startupOptions } from './session-settings.ts'

/** A place to run SQL: the pool, or one connection inside a transaction. */
export type Db = {
  /** `name` makes it a prepared statement; give it to what runs often. */
  query<Row = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
    name?: string,
  ): Promise<readonly Row[]>
}

/** Writes who did something, in the transaction in which it happens. */
export type Recording = (tx: Db) => Promise<void>

export type Database = Db & {
  inTransaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /** Work that begins when a connection is free: its first statement leaves without waiting. */
  onConnection<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** A transaction whose statements may take as long as they need: over whole tables. */
  inLongTransaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /** Receives notifications on a connection of its own, until that is closed or ends by itself. */
  listen(channel: string, onNotice: () => void, onEnd?: () => void): Promise<Listener>
  /** Leaves a server that does not answer for the next one; false where there is no other. */
  turnAway(): boolean
  /** How to open the same from another thread. */
  readonly connection: ConnectionOptions
  readonly space: Pick<DiskSpace, 'isFull'> & { check(): Promise<void> }
  /** Connections of its own to the same place, closed together with this. */
  another(maxConnections: number): Database
  close(): Promise<void>
}

export type Listener = {
  isOpen(): boolean
  close(): Promise<void>
  /** Breaks the connection of a server that may not answer any more. */
  drop(): void
}

export type ConnectionOptions =
  /** May name several servers, see `serversIn`. */
  | { readonly connectionString: string }
  | {
      readonly host: string
      readonly port: number
      readonly user: string
      readonly database: string
    }

type Timeouts = {
  /**
   * A statement that has no answer within this counts as lost together with its connection: a network
   * that swallows packets would hold its callers for a quarter of an hour. Nodes give it; commands,
   * which hold up nobody for long, do without.
   */
  readonly statementMs?: number | undefined
  /** A connection has to be there within this, be it a new one or one that others use. */
  readonly connectMs?: number | undefined
}

export function openDatabase(
  connection: ConnectionOptions,
  maxConnections: number,
  timeouts: Timeouts = {},
  space: DiskSpace = createDiskSpace(),
): Database {
  const { statementMs, connectMs = LIMITS.connectWithinMs } = timeouts
  const addresses: readonly pg.ClientConfig[] =
    'connectionString' in connection
      ? serversIn(connection.connectionString).map((connectionString) => ({ connectionString }))
      : [connection]
  const servers = openServers(addresses, {
    max: maxConnections,
    options: startupOptions(statementMs !== undefined),
    connectionTimeoutMillis: connectMs,
    idleTimeoutMillis: LIMITS.databaseIdleMs,
    application_name: 'malipo',
    keepAlive: true,
  })

  const others: Database[] = []
  const limits = { statementMs, space }
  const query = runner(servers, limits)
  return {
    connection,
    query,
    space: { isFull: space.isFull, check: () => space.check(query) },
    inTransaction: (work) => onConnection(servers, transaction(work), limits),
    inLongTransaction: (work) => onConnection(servers, transaction(work), { space }),
    onConnection: (work) => onConnection(servers, work, limits),
    listen: (...what) => listen(servers.preferred(), ...what),
    turnAway: servers.turnAway,
    another: (max) => {
      const other = openDatabase(connection, max, timeouts, space)
      others.push(other)
      const turnAway = (): boolean => servers.turnAway() && other.turnAway()
      return { ...other, turnAway }
    },
    close: async () => {
      for (const other of others) await other.close()
      await servers.end()
    },
  }
}

type Limits = { readonly statementMs?: number | undefined; readonly space: DiskSpace }

function runner(client: Pick<Servers, 'query'>, { statementMs, space }: Limits): Db['query'] {
  const limit = statementMs === undefined ? {} : { query_timeout: statementMs }
  return async <Row>(text: string, values: readonly unknown[] = [], name?: string) => {
    const named = name === undefined ? {} : { name }
    try {
      const result = await client.query({ text, values: values as unknown[], ...named, ...limit })
      return result.rows as Row[]
    } catch (error) {
      space.note(error)
      throw isFromServer(error) ? error : new ConnectionLost(error)
    }
  }
}

/** The server went away, or could not be reached, before it had answered. */
class ConnectionLost extends Error {
  constructor(cause: unknown) {
    super(`the database connection was lost: ${(cause as Error).message}`, { cause })
    this.name = 'ConnectionLost'
  }
}

/** What the server itself reports carries a severity; what the driver notices does not. */
const isFromServer = (error: unknown): boolean =>
  error instanceof Error && typeof (error as { severity?: unknown }).severity === 'string'

const transaction =
  <T>(work: (tx: Db) => Promise<T>) =>
  async (db: Db): Promise<T> => {
    try {
      await db.query('begin')
      const result = await work(db)
      await db.query('commit')
      return result
    } catch (error) {
      // A connection that is lost rolls back by itself, and could not be asked to.
      if (!isConnectionLoss(error)) await db.query('rollback').catch(() => {})
      throw error
    }
  }

async function onConnection<T>(
  servers: Servers,
  work: (db: Db) => Promise<T>,
  limits: Limits,
): Promise<T> {
  const client = await servers.connect().catch((error) => {
    throw isFromServer(error) ? error : new ConnectionLost(error)
  })
  let failure: Error | undefined
  try {
    return await work({ query: runner(client, limits) })
  } catch (error) {
    failure = error as Error
    throw error
  } finally {
    client.release(isConnectionLoss(failure) ? failure : undefined)
  }
}

async function listen(
  connection: pg.ClientConfig,
  channel: string,
  onNotice: () => void,
  onEnd: () => void = () => {},
): Promise<Listener> {
  // The heartbeat of a node waits for this.
  const limits = {
    connectionTimeoutMillis: LIMITS.connectWithinMs,
    query_timeout: LIMITS.connectWithinMs,
  }
  const socket = new Socket()
  const client = new pg.Client({
    ...connection,
    ...limits,
    stream: () => socket,
    keepAlive: true,
    application_name: 'malipo listener',
  })
  let open = true
  const ended = (): void => {
    if (open) onEnd()
    open = false
  }
  const drop = (): void => {
    open = false
    socket.destroy()
  }
  client.on('notification', onNotice)
  client.on('error', ended)
  client.on('end', ended)
  try {
    await client.connect()
    await client.query({ name: 'listen', text: `listen ${client.escapeIdentifier(channel)}` })
  } catch (error) {
    drop()
    throw error
  }
  const close = async (): Promise<void> => {
    open = false
    await client.end().catch(() => {})
  }
  return { isOpen: () => open, close, drop }
}

/**
 * True when it is not known whether the statement took effect: the server went away under it, or
 * said that it is going. Any other error that the server reports is certain. One that takes no writes
 * counts as gone: a proxy may lead to a standby, or to a server that is about to be promoted.
 */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof ConnectionLost) return true
  const code = (error as { code?: unknown } | undefined)?.code
  return typeof code === 'string' && /^(08...|57P..|25P03|25006)$/.test(code)
}

/** What met others on the same rows in a circle has written nothing; it is done once more. */
export async function untilItPasses<T>(
  work: () => Promise<T>,
  isPassing: (error: unknown) => boolean = isRetryable,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work()
    } catch (error) {
      if (tries >= TRIES_IN_A_CIRCLE || !isPassing(error)) throw error
    }
  }
}

const TRIES_IN_A_CIRCLE = 5

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | undefined)?.code

function isRetryable(error: unknown): boolean {
  const code = codeOf(error)
  return code === '40P01' || code === '40001'
}

/** Another one has stored a row with the same key at the same moment: the next try sees it. */
export const isTaken = (error: unknown): boolean => codeOf(error) === '23505'
