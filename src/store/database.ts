import pg from 'pg'

/** A place to run SQL: the pool, or one connection inside a transaction. */
export type Db = {
  /** `name` makes it a prepared statement; give it to what runs often. */
  query<Row = Record<string, unknown>>(
    text: string,
    values?: readonly unknown[],
    name?: string,
  ): Promise<readonly Row[]>
}

export type Database = Db & {
  inTransaction<T>(work: (tx: Db) => Promise<T>): Promise<T>
  /** Hears notifications on a connection of its own, until that ends or is closed. */
  listen(channel: string, heard: () => void): Promise<Listener>
  close(): Promise<void>
}

export type Listener = { isOpen(): boolean; close(): Promise<void> }

export type ConnectionOptions =
  | { readonly connectionString: string }
  | {
      readonly host: string
      readonly port: number
      readonly user: string
      readonly database: string
    }

/**
 * Every statement of the service finds its few rows by an index. Plans are cached while tables are
 * still small, and a plan made for a small table would read a large one from end to end; so the
 * planner is told to prefer indexes. Reports over whole tables ask for the opposite themselves.
 */
const PLANNER = '-c enable_seqscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off'

export function openDatabase(connection: ConnectionOptions, maxConnections: number): Database {
  const pool = new pg.Pool({
    ...connection,
    max: maxConnections,
    options: PLANNER,
    connectionTimeoutMillis: 5000,
    idleTimeoutMillis: 60_000,
    application_name: 'malipo',
    keepAlive: true,
  })
  // A lost idle connection is not an event of its own: the next query opens another.
  pool.on('error', () => {})

  return {
    query: (text, values, name) => run(pool, text, values, name),
    inTransaction: (work) => inTransaction(pool, work),
    listen: (channel, heard) => listen(connection, channel, heard),
    close: () => pool.end(),
  }
}

async function run<Row>(
  client: pg.Pool | pg.PoolClient,
  text: string,
  values: readonly unknown[] = [],
  name?: string,
): Promise<readonly Row[]> {
  const config = { text, values: values as unknown[], ...(name === undefined ? {} : { name }) }
  const result = await client.query(config)
  return result.rows as Row[]
}

async function inTransaction<T>(pool: pg.Pool, work: (tx: Db) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  let failure: Error | undefined
  try {
    await client.query('begin')
    const result = await work({ query: (text, values, name) => run(client, text, values, name) })
    await client.query('commit')
    return result
  } catch (error) {
    failure = error as Error
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release(isConnectionLoss(failure) ? failure : undefined)
  }
}

async function listen(
  connection: ConnectionOptions,
  channel: string,
  heard: () => void,
): Promise<Listener> {
  const client = new pg.Client({ ...connection, application_name: 'malipo listener' })
  let open = true
  const ended = (): void => {
    open = false
  }
  client.on('notification', heard)
  client.on('error', ended)
  client.on('end', ended)
  await client.connect()
  await client.query(`listen ${client.escapeIdentifier(channel)}`)
  return { isOpen: () => open, close: () => client.end().catch(() => {}) }
}

/**
 * True when it is not known whether the statement took effect: the server went away under it.
 * An error that the server itself reported has a five-character code and is certain.
 */
export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = (error as { code?: unknown }).code
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code)) return true
  return code.startsWith('08') || code.startsWith('57P')
}

/** Two groups met on the same rows; nothing was written and the same statement may run again. */
export function isRetryable(error: unknown): boolean {
  const code = (error as { code?: unknown } | undefined)?.code
  return code === '40P01' || code === '40001'
}
