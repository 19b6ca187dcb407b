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
  const { maxConnections } = config
  const needed = openFilesNeeded(config)
  if (limit === undefined || limit >= needed) return
  log.warn(
    { limit, needed, maxConnections },
    `this process may open ${limit} files and connections, and needs up to ${needed}: beyond that, ` +
      'clients, callbacks and the database are refused. Raise the limit (ulimit -n, or LimitNOFILE ' +
      'of systemd), or lower MALIPO_MAX_CONNECTIONS',
  )
}

export const openFilesNeeded = (
  config: Pick<Config, 'maxConnections' | 'databaseConnections'>,
): number => config.maxConnections + config.databaseConnections + OTHERS

/** As it is for a process, which has raised it as far as it may. Known on Linux alone. */
export function openFilesLimit(pid: number | 'self' = 'self'): number | undefined {
  try {
    const limits = readFileSync(`/proc/${pid}/limits`, 'utf8')
    const soft = /^Max open files +(\S+)/m.exec(limits)?.[1]
    return soft === 'unlimited' || soft === undefined ? undefined : Number(soft)
  } catch {
    return undefined
  }
}
