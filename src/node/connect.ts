import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { attachEmbedded, type EmbeddedOptions, startEmbedded } from '../store/embedded/server.ts'
import {
  droppedSettings,
  isEncrypted,
  isRefusalOfSettings,
} from '../store/engine/connection-check.ts'
import { type Database, openDatabase } from '../store/engine/database.ts'
import { serversAfar, serversIn } from '../store/engine/servers.ts'
import type { Log } from '../usecases/context.ts'
import type { Config } from './config.ts'

/** A way to the database: an external one, the embedded one, or the embedded one of a node. */
export type Connection = {
  readonly database: Database
  /** How to reach it from outside, without a password. */
  readonly place: string
  readonly secondNodeUrl: string | undefined
  readonly close: () => Promise<void>
}

/**
 * How the embedded server is used. `own`: this process starts and keeps it. `make`: the one of a
 * running node, else started for a while. `borrow`: the same, but never on a folder without data.
 */
export type Manner = 'own' | 'make' | 'borrow'

/** How the embedded server is made and run, where not as always. */
export type ServerChoice = Pick<EmbeddedOptions, 'settings' | 'initdb'>

/** Calls `meanwhile` when there is nothing to do but wait; never, if there is no wait. */
export async function connect(
  config: Config,
  manner: Manner,
  log: Log,
  server: ServerChoice = {},
  meanwhile: () => void = () => {},
): Promise<Connection> {
  const { databaseUrl, databaseConnections, dataDir } = config
  // Reports of the command line go over whole tables; a node never waits for long.
  const timeouts = { statementMs: manner === 'own' ? config.databaseTimeoutMs : undefined }
  if (databaseUrl !== undefined) {
    const database = openDatabase({ connectionString: databaseUrl }, databaseConnections, timeouts)
    const reaching = reach(database, databaseUrl)
    meanwhile()
    const way = await reaching
    if (manner === 'own') warn(way, serversAfar(databaseUrl), log)
    const { pathname } = new URL(serversIn(databaseUrl)[0] ?? databaseUrl)
    const place = `PostgreSQL at ${hostsIn(databaseUrl) || 'a local socket'}${pathname}`
    return { database, place, secondNodeUrl: undefined, close: database.close }
  }
  const running = manner === 'own' ? undefined : await attachEmbedded({ dataDir })
  if (running !== undefined) {
    const database = openDatabase(running, databaseConnections)
    return { database, place: dataDir, secondNodeUrl: undefined, close: database.close }
  }
  if (manner === 'borrow' && !existsSync(join(dataDir, 'postgres'))) {
    throw new Error(
      `There is no database in ${dataDir} yet. Start the service once with "malipo start", or ` +
        'say where it is with MALIPO_DATA_DIR or DATABASE_URL.',
    )
  }
  const embedded = await startEmbedded({
    ...server,
    dataDir,
    log: (line) => log.warn({}, line),
    onLaunch: meanwhile,
  })
  if (embedded.adopted)
    log.info({}, 'took over the database server that an earlier run left behind')
  const database = openDatabase(embedded.connection, databaseConnections, timeouts)
  return {
    database,
    place: `embedded PostgreSQL in ${dataDir}`,
    secondNodeUrl: embedded.url,
    close: async () => {
      await database.close()
      await embedded.stop()
    },
  }
}

type Way = { readonly isEncrypted: boolean; readonly dropped: readonly string[] }

async function reach(database: Database, url: string): Promise<Way> {
  try {
    return {
      isEncrypted: await isEncrypted(database),
      dropped: await droppedSettings(database),
    }
  } catch (error) {
    const reason = (error as Error).message || String((error as NodeJS.ErrnoException).code)
    throw new Error(
      `The database of DATABASE_URL (${hostsIn(url)}) cannot be used: ${reason}. ` +
        (isRefusalOfSettings(reason)
          ? 'A pooler in between does not take the settings that connections are opened with; ' +
            'see docs/operating/database.md, "Connection poolers".'
          : 'Check the address, or leave DATABASE_URL out to use the embedded server.'),
    )
  }
}

/** What works and is not as it has to be. */
function warn(way: Way, afar: readonly string[], log: Log): void {
  if (afar.length > 0 && !way.isEncrypted) {
    log.warn(
      { servers: afar },
      'DATABASE_URL leads to another machine without TLS: anyone on the network in between can ' +
        'read and change everything. Add ?sslmode=verify-full, see docs/operating/database.md',
    )
  }
  if (way.dropped.length > 0) {
    log.warn(
      { missing: way.dropped },
      'a pooler dropped settings of the connection: large tables may be read whole, and a node ' +
        'that stands still may lock a wallet for all. Give them to the role, see docs/operating/database.md',
    )
  }
}

/** Without the password. */
const hostsIn = (url: string): string =>
  serversIn(url)
    .map((server) => new URL(server).host)
    .join(', ')
