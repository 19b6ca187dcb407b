/**
 * A sandbox for one run of a test suite: on a free port, in a temporary folder, without a thought
 * for power cuts, and gone with the process that started it.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { UPKEEP } from '../../domain/upkeep-timing.ts'
import { newTokenText } from '../../usecases/accounts/manage-tokens.ts'
import type { Log } from '../../usecases/context.ts'
import type { BannerFacts } from '../banner.ts'
import { type Config, readConfig, VARIABLES } from '../config.ts'
import type { ServerChoice } from '../connect.ts'
import { createLog } from '../log.ts'
import { checkPort, withWayOut } from '../port.ts'
import { bringUp, type Stops, stopAll } from '../start.ts'
import { makeFolder, removeFolder, removeLeftovers, type SandboxFolder } from './folder.ts'
import { parentGone } from './parents.ts'
import { startReaper } from './reaper.ts'
import { cacheFolder, copyTemplate, makeTemplate, templateName } from './template.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** In the environment of a test suite these are about the program under test. */
const DECIDED_HERE = ['PORT', 'DATABASE_URL', 'MALIPO_DATA_DIR', 'MALIPO_ENV']

/** Nothing is kept, so nothing is flushed; the rest saves files, processes and memory. */
const SERVER: ServerChoice = {
  initdb: ['--no-sync', '--wal-segsize=1'],
  settings: {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_logical_replication_workers: '0',
    min_wal_size: '2MB',
    max_wal_size: '256MB',
    max_connections: '40',
    shared_buffers: '32MB',
    io_method: 'sync',
    autovacuum_naptime: '1min',
  },
}

/** Its database is a copy whose way in is a socket, and a shell removes it. */
const NOT_HERE =
  'The throw-away sandbox runs on Linux and macOS. On Windows, run it in WSL, or use "malipo start".'

type Manner = { readonly port: string; readonly isStrict: boolean }

const FREE_PORT = 'Give another port, or none: a free one is taken then.'

export async function runEphemeral(
  env: Environment,
  manner: Manner,
  announce: (facts: BannerFacts) => string,
): Promise<void> {
  if (process.platform === 'win32') throw new Error(NOT_HERE)
  const stopping: Stops = []
  const end = endOnce(stopping)
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => end(0))
  // Nobody reads it any more.
  process.stdout.on('error', () => end(0))
  void parentGone().then(() => end(0))
  const settings = settingsFrom(env, manner)
  // What is wrong with them is reported before anything is made.
  readConfig(settings)
  const folder = await makeFolder()
  startReaper(folder)
  stopping.push(() => removeFolder(folder))
  try {
    const config = readConfig({ ...settings, MALIPO_DATA_DIR: folder.path })
    const log = createLog(config.logLevel)
    await checkPort(config)
    await fill(config, folder, log, env.XDG_CACHE_HOME)
    process.stdout.write(announce(await bringUp(config, log, stopping, SERVER)))
  } catch (error) {
    await stopAll(stopping)
    throw withWayOut(error, () => FREE_PORT)
  }
  void removeLeftovers().catch(() => undefined)
}

/**
 * Other variables of ours are none of its business either: a name that is no setting may well be
 * one of the test suite. Only one for the sandbox must be meant for this, or every one of ours where
 * the program that starts it has chosen them.
 */
function settingsFrom(env: Environment, { port, isStrict }: Manner): Environment {
  const ours = isStrict ? /^MALIPO_/i : /^MALIPO_SANDBOX_/
  const isMeant = (name: string): boolean =>
    (name in VARIABLES || ours.test(name)) && !DECIDED_HERE.includes(name)
  const own = Object.fromEntries(Object.entries(env).filter(([name]) => isMeant(name)))
  const { MALIPO_LOG_LEVEL = 'warn', MALIPO_SANDBOX_TOKEN = newTokenText('sandbox') } = own
  return { ...own, MALIPO_LOG_LEVEL, MALIPO_SANDBOX_TOKEN, PORT: port }
}

async function fill(
  config: Config,
  { data }: SandboxFolder,
  log: Log,
  cacheHome: string | undefined,
): Promise<void> {
  // What the program consists of is read while files are copied.
  void import('../boot.ts')
  const [cache, name] = [cacheFolder(cacheHome), await templateName(config)]
  if (await copyTemplate(cache, name, data)) return
  await makeTemplate(config, SERVER, log, { cache, name, data })
}

/** Stops and removes everything, once; what takes too long is left to the reaper. */
function endOnce(stopping: Stops): (code: number) => void {
  let isEnding = false
  return (code) => {
    if (isEnding) return
    isEnding = true
    const all = stopAll(stopping)
    void Promise.race([all, sleep(UPKEEP.throwAwayStopMs)]).then(() => process.exit(code))
  }
}
