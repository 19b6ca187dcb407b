import { randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { paymentKeyFrom } from '../domain/ids.ts'
import { checkUrl } from '../outbound/address-guard.ts'
import { CATALOG_FILE, MIGRATIONS_FOLDER } from '../package-root.ts'
import { readCatalog } from '../providers/catalog.ts'
import { initialiseState } from '../store/cluster/service-state.ts'
import type { Database } from '../store/engine/database.ts'
import { migrate } from '../store/engine/migrate.ts'
import type { Log } from '../usecases/context.ts'
import { inviteOwner } from '../usecases/sandbox/demo-owner.ts'
import { seedDemo } from '../usecases/sandbox/seed-demo.ts'
import { compose, type Network, type Node } from './compose.ts'
import { type Config, ConfigProblem } from './config.ts'
import { listenProblem } from './port.ts'

/**
 * Connections that may wait to be taken. Where more come at once the system drops them
 * silently, and clients try again after seconds; it takes no more than net.core.somaxconn.
 */
const BACKLOG = 4096

/** A node that listens. */
export type RunningNode = Node & {
  readonly url: string
  readonly port: number
  /** Sandbox: the demo merchant's token. */
  readonly token: string | undefined
  /** Sandbox: opens the virtual phone in a browser, once. */
  readonly sandboxLink: string | undefined
  /** Sandbox: opens the dashboard as the owner of the demo merchant, once. */
  readonly dashboardLink: string | undefined
}

/** From a reachable database to a node that serves: schema, demo merchant, workers, listener. */
export async function boot(
  config: Config,
  database: Database,
  log: Log,
  network?: Network,
): Promise<RunningNode> {
  const token = await prepareDatabase(config, database, log)
  let port = config.port
  const publicUrl = (): string => config.publicUrl ?? `http://127.0.0.1:${port}`
  const node = await compose(config, database, log, publicUrl, network)
  try {
    await node.start()
    await node.app.listen({ port: config.port, host: config.host, backlog: BACKLOG })
    port = ((node.app.server as Server).address() as AddressInfo).port
    const url = publicUrl()
    const code = token === undefined ? undefined : await node.sandboxSessions.inviteHolder(token)
    const sandboxLink = code === undefined ? undefined : `${url}/sandbox/enter/${code}`
    const dashboardLink =
      token === undefined ? undefined : await inviteOwner(database, url, Date.now())
    return { ...node, url, port, token, sandboxLink, dashboardLink }
  } catch (error) {
    await node.stop().catch(() => {})
    throw listenProblem(error as NodeJS.ErrnoException, config)
  }
}

/** Schema and demo merchant; answers the token of that merchant, in the sandbox. */
export async function prepareDatabase(
  config: Config,
  database: Database,
  log: Log,
): Promise<string | undefined> {
  await prepare(config, database, log)
  return prepareSandbox(config, database)
}

async function prepare(config: Config, database: Database, log: Log): Promise<void> {
  const { applied } = await migrate(database, MIGRATIONS_FOLDER)
  if (applied.length > 0) log.info({ applied }, 'the database schema was brought up to date')
  const { environment } = await initialiseState(database, config.environment)
  if (environment !== config.environment) {
    throw new Error(
      `This database belongs to the ${environment} environment and MALIPO_ENV asks for ` +
        `${config.environment}. Use another database, or set MALIPO_ENV=${environment}.`,
    )
  }
}

async function prepareSandbox(config: Config, database: Database): Promise<string | undefined> {
  if (config.environment !== 'sandbox') return undefined
  const { sandboxCallbackUrl } = config
  if (sandboxCallbackUrl !== undefined) {
    const checked = checkUrl(sandboxCallbackUrl, { allowPrivate: true, httpsOnly: false })
    if (!checked.ok)
      throw new ConfigProblem('MALIPO_SANDBOX_CALLBACK_URL', `cannot be used: ${checked.reason}`)
  }
  return seedDemo(database, {
    catalog: readCatalog(CATALOG_FILE),
    environment: config.environment,
    secret: config.secretKey,
    now: Date.now(),
    newKey: () => paymentKeyFrom(Date.now(), randomBytes(10)),
    token: config.sandboxToken,
    callbackUrl: config.sandboxCallbackUrl,
  })
}
