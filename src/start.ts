import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { banner } from './banner.ts'
import { compose } from './compose.ts'
import type { Config } from './config.ts'
import { connect } from './connect.ts'
import { paymentKeyFrom } from './domain/ids.ts'
import { randomBytes } from 'node:crypto'
import { createLog } from './log.ts'
import { CATALOG_FILE, MIGRATIONS_FOLDER } from './package-root.ts'
import { readCatalog } from './providers/catalog.ts'
import type { Database } from './store/database.ts'
import { migrate } from './store/migrate.ts'
import { initialiseState } from './store/service-state.ts'
import type { Log } from './usecases/context.ts'
import { seedDemo } from './usecases/seed-demo.ts'

const STOP_WITHIN_MS = 10_000

/** Starts a node in order, and on a signal stops it in the reverse order. */
export async function start(config: Config): Promise<void> {
  const log = createLog(config.logLevel)
  const stopping: (() => Promise<void>)[] = []
  stopOnSignal(log, stopping)
  try {
    const connection = await connect(config, 'own', log)
    stopping.push(connection.close)
    const { database } = connection
    await prepare(config, database, log)
    const token = await prepareSandbox(config, database)

    let port = config.port
    const publicUrl = (): string => config.publicUrl ?? `http://127.0.0.1:${port}`
    const node = await compose(config, database, log, publicUrl)
    stopping.push(node.stop)
    await node.start()
    await node.app.listen({ port: config.port, host: config.host }).catch((error) => {
      throw listenProblem(error as NodeJS.ErrnoException, config)
    })
    port = ((node.app.server as Server).address() as AddressInfo).port
    process.stdout.write(banner({ config, url: publicUrl(), port, token, ...connection }))
  } catch (error) {
    for (const stop of stopping.toReversed()) await stop().catch(() => {})
    throw error
  }
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

function stopOnSignal(log: Log, stopping: (() => Promise<void>)[]): void {
  let signals = 0
  const onSignal = (signal: NodeJS.Signals): void => {
    signals += 1
    if (signals > 1) process.exit(1)
    log.info({ signal }, 'stopping: finishing what is under way')
    setTimeout(() => {
      log.error({}, 'stopping took too long; what is left goes on with the next start')
      process.exit(1)
    }, STOP_WITHIN_MS - 500).unref()
    void stopAll(stopping).then(() => process.exit(0))
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

async function stopAll(stopping: (() => Promise<void>)[]): Promise<void> {
  for (const stop of stopping.splice(0).toReversed()) await stop().catch(() => {})
}

function listenProblem(error: NodeJS.ErrnoException, { host, port }: Config): Error {
  if (error.code === 'EADDRINUSE') {
    return new Error(
      `Port ${port} on ${host} is in use by another program. ` +
        `Stop that program, or choose another port: PORT=${port + 1} npm start`,
    )
  }
  if (error.code === 'EACCES') {
    return new Error(`Port ${port} may not be used by this user. Choose one above 1023 with PORT.`)
  }
  return new Error(`Cannot listen on ${host}:${port}: ${error.message}. Check MALIPO_HOST and PORT.`)
}
