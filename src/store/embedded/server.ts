/**
 * The PostgreSQL server that comes with Malipo. One node owns it: starts it or takes over one that
 * a killed node left behind, brings it back when it dies, and stops it at the end.
 */
import { present } from '../../domain/present.ts'
import { endpointOf } from './endpoint.ts'
import { findData, type PlaceOptions, preparePlace } from './folder.ts'
import { Keeper } from './keeper.ts'
import { findRunning } from './lock.ts'
import { openServer } from './open.ts'
import { canConnect, connectionTo, type EmbeddedConnection, urlOf } from './owner.ts'
import type { Log, Settings } from './process.ts'

export type EmbeddedServer = {
  readonly connection: EmbeddedConnection
  /** Fit for DATABASE_URL of a second node on this machine, and for psql. */
  readonly url: string
  /** True when the server was left behind by a killed process and has been taken over. */
  readonly adopted: boolean
  readonly stop: () => Promise<void>
}

export type EmbeddedOptions = PlaceOptions & {
  readonly dataDir: string
  readonly log: Log
  readonly settings?: Settings
  readonly onLaunch?: () => void
}

export type { EmbeddedConnection }

export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  const prepared = await preparePlace(options.dataDir, options)
  const stopping = new AbortController()
  const way = { settings: options.settings ?? {}, log: options.log, signal: stopping.signal }
  const opened = await openServer({
    ...way,
    place: prepared,
    ...present({ onLaunch: options.onLaunch }),
  })
  // A server taken over may have its endpoint elsewhere; pools know that place and keep it.
  const place = { ...prepared, endpoint: opened.endpoint }
  const keeper = new Keeper({ ...way, place }, opened, stopping)
  const connection = connectionTo(place.endpoint)
  return {
    connection,
    url: urlOf(connection),
    adopted: opened.adopted,
    stop: () => keeper.stop(),
  }
}

/** The way into a server that another process runs on the folder; undefined when none does. */
export async function attachEmbedded(options: {
  readonly dataDir: string
}): Promise<EmbeddedConnection | undefined> {
  const data = await findData(options.dataDir)
  if (data === undefined) return undefined
  const running = await findRunning(data)
  const endpoint = running && (await endpointOf(data, running))
  if (endpoint === undefined || !(await canConnect(endpoint))) return undefined
  return connectionTo(endpoint)
}
