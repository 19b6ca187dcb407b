import type { Config } from '../../node/config.ts'
import { connect } from '../../node/connect.ts'
import { createLog } from '../../node/log.ts'
import { isProcessAlive } from '../../node/machine.ts'
import { listNodes } from '../../store/cluster/nodes.ts'
import { attachEmbedded } from '../../store/embedded/server.ts'
import { type Command, givenConfig } from '../command-kit.ts'
import { isHere } from '../doctor/service.ts'
import { choiceOf, numberOf } from '../option-values.ts'
import { LEVELS, type Shown, shownLine } from './lines.ts'
import { installedUnit, type LogPlace, logPlaceOf } from './place.ts'
import { readFileLog, readJournal } from './read.ts'

const LINES = 100

export const LOGS_COMMAND: Command = {
  name: 'logs',
  summary: 'Show the log of the service on this machine: of the journal, or of its file',
  options: {
    follow: { summary: 'go on with what is added' },
    lines: { value: 'number', summary: `how many of the last lines (default ${LINES})` },
    level: { value: 'level', summary: `only from this level on: ${LEVELS.join(', ')}` },
  },
  run: async ({ values, json }) => {
    const lines = numberOf(values.lines, { name: 'lines', byDefault: LINES, most: 1_000_000 })
    const shown: Shown = { level: choiceOf(values.level, LEVELS, 'level'), json }
    const place = await placeOfLog(givenConfig())
    const write = (line: string): void => {
      const text = shownLine(line, shown)
      if (text !== undefined) process.stdout.write(`${text}\n`)
    }
    const reading = { lines, follows: values.follow === true }
    if (place.kind === 'elsewhere') throw new Error(place.words)
    if (place.kind === 'file') await readFileLog(place.path, reading, write)
    else await readJournal(place, reading, write)
    return 0
  },
}

async function placeOfLog(config: Config): Promise<LogPlace> {
  const [pid] = await nodesHere(config)
  if (pid !== undefined) return logPlaceOf(pid)
  const installed = await installedUnit()
  if (installed !== undefined) return installed
  throw new Error(
    'No service of this database runs on this machine, so its log is not known. The log is what ' +
      '"malipo start" writes to standard error: keep it with 2>>malipo.log, or run it by systemd.',
  )
}

/** The processes of nodes on this machine; the embedded database is not started to find out. */
async function nodesHere(config: Config): Promise<readonly number[]> {
  const { databaseUrl, dataDir } = config
  if (databaseUrl === undefined && (await attachEmbedded({ dataDir })) === undefined) return []
  const { database, close } = await connect(config, 'borrow', createLog('silent'))
  try {
    const nodes = await listNodes(database)
    return nodes.filter((node) => isHere(node) && isProcessAlive(node.pid)).map(({ pid }) => pid)
  } finally {
    await close()
  }
}
