import { readFileSync } from 'node:fs'
import type { Log } from '../usecases/context.ts'
import type { Config } from './config.ts'

/** For callbacks under way, files of the program and what the system needs besides. */
const OTHERS = 1000

/** Beyond the limit of open files, connections fail without an error: so warn at the start. */
export function warnOfFewFiles(
  config: Pick<Config, 'maxConnections' | 'databaseConnections'>,
  log: Log,
  limit = openFilesLimit(),
): void {
  const { maxConnections, databaseConnections } = config
  const needed = maxConnections + databaseConnections + OTHERS
  if (limit === undefined || limit >= needed) return
  log.warn(
    { limit, needed, maxConnections },
    `this process may open ${limit} files and connections, and needs up to ${needed}: beyond that, ` +
      'clients, callbacks and the database are refused. Raise the limit (ulimit -n, or LimitNOFILE ' +
      'of systemd), or lower MALIPO_MAX_CONNECTIONS',
  )
}

/** As it is for this process, which has raised it as far as it may. Known on Linux alone. */
function openFilesLimit(): number | undefined {
  try {
    const soft = /^Max open files +(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return soft === 'unlimited' || soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}
