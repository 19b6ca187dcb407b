import { LIMITS } from '../domain/timing.ts'
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
    // Commands do without most of the program, and a node reads it while the database starts.
    const [connection, { boot }] = await Promise.all([
      connect(config, 'own', log, server).then((made) => {
        stopping.push(made.close)
        return made
      }),
      import('./boot.ts'),
    ])
    const node = await boot(config, connection.database, log)
    stopping.push(node.stop)
    const hasOperator = node.ctx.providers.hasOperator()
    return { config, ...node, ...connection, hasOperator }
  } catch (error) {
    await stopAll(stopping)
    throw error
  }
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
