import { LIMITS } from '../domain/timing.ts'
import { prepareSealing } from '../signing/keys.ts'
import type { Log } from '../usecases/context.ts'
import type { BannerFacts } from './banner.ts'
import type { Config } from './config.ts'
import { connect, type ServerChoice } from './connect.ts'
import { createLog } from './log.ts'
import { warnOfFewFiles } from './open-files.ts'
import { checkPort, withWayOut } from './port.ts'
import { startLine } from './start-line.ts'

/** Starts a node in order, and on a signal stops it in the reverse order. */
export async function start(
  config: Config,
  announce: (facts: BannerFacts) => string,
): Promise<void> {
  const log = createLog(config.logLevel)
  warnOfFewFiles(config, log)
  const stopping: Stops = []
  try {
    await checkPort(config)
    stopOnSignal(log, stopping)
    process.stdout.write(announce(await bringUp(config, log, stopping)))
  } catch (error) {
    throw withWayOut(error, otherPort)
  }
}

const otherPort = (port: number): string =>
  `Stop that program, or choose another port: PORT=${port + 1} ${startLine()}`

/** What has to be done at the end; the last comes first. */
export type Stops = (() => Promise<void>)[]

/** From settings to a node that serves. */
export async function bringUp(
  config: Config,
  log: Log,
  stopping: Stops,
  server?: ServerChoice,
): Promise<BannerFacts> {
  try {
    let reading: ReturnType<typeof readProgram> | undefined
    const connection = await connect(config, 'own', log, server, () => {
      reading = readProgram(config)
      // It is met below, unless the database fails first.
      reading.catch(() => {})
    })
    stopping.push(connection.close)
    const { boot } = await (reading ?? readProgram(config))
    const node = await boot(config, connection.database, log)
    stopping.push(node.stop)
    const hasOperator = node.ctx.providers.hasOperator()
    return { config, ...node, ...connection, hasOperator }
  } catch (error) {
    await stopAll(stopping)
    throw error
  }
}

/**
 * Commands do without most of the program. A node reads it while its database server starts and not
 * sooner, for the reading keeps the thread from starting that server.
 */
async function readProgram({ secretKey }: Config) {
  const [program] = await Promise.all([import('./boot.ts'), prepareSealing(secretKey)])
  return program
}

function stopOnSignal(log: Log, stopping: Stops): void {
  let signals = 0
  const onSignal = (signal: NodeJS.Signals): void => {
    signals += 1
    if (signals > 1) process.exit(1)
    log.info({ signal }, 'stopping: finishing what is under way')
    setTimeout(() => {
      log.error({}, 'stopping took too long; what is left goes on with the next start')
      process.exit(1)
    }, LIMITS.stopWithinMs - LIMITS.stopMarginMs).unref()
    void stopAll(stopping).then(() => process.exit(0))
  }
  process.on('SIGTERM', onSignal)
  process.on('SIGINT', onSignal)
}

export async function stopAll(stopping: Stops): Promise<void> {
  for (const stop of stopping.splice(0).toReversed()) await stop().catch(() => {})
}
