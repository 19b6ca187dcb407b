/** npm run proof -- restore: point-in-time recovery with pgBackRest, in the middle of load. */
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from '../../harness/process.ts'
import { openDatabase } from '../../src/store/engine/database.ts'
import { helpOf, neededBy } from '../proofs.ts'
import { allWorkEnds } from '../support/check.ts'
import { readOptions } from '../support/options.ts'
import type { KeptNode } from '../support/places.ts'
import { onServer, type Postgres } from '../support/postgres.ts'
import {
  duration,
  endOnSignals,
  reportChecked,
  say,
  sayVerdicts,
  seconds,
} from '../support/report.ts'
import { hurry, type Rig, setUpRig } from '../support/rig.ts'
import type { Ask } from '../support/shop.ts'
import { runTool, whyNot } from '../support/tools.ts'
import { openBackups } from './backed-up.ts'
import { compare, linesOf, type Moment, rewindRecords } from './compare.ts'

const { numbers, switches } = readOptions(helpOf('restore'), {
  numbers: { seconds: 10, seed: Math.floor(Math.random() * 2 ** 31) },
  switches: ['earlier'],
})
const reason = whyNot(neededBy('restore'))
if (reason !== '') {
  process.stderr.write(`The proof restore cannot be run here: ${reason}.\n`)
  process.exit(2)
}
const { seed } = numbers
/** With --earlier the restored database lacks so much that it should have. */
const TOO_EARLY_S = switches.has('earlier') ? 3 : 0
const LOAD_MS = numbers.seconds * 1000
const WORK_ENDS_WITHIN_MS = 300_000
const startedAt = performance.now()
endOnSignals()
say(`Three nodes, a backup, ${numbers.seconds} s of load on both sides of a moment, seed ${seed}`)

const backups = await openBackups()
const first = await backups.make()
const before = await setUpRig({
  databaseUrl: first.server.url,
  nodes: 3,
  seed,
  onAccepted: () => {},
})
const backUpMs = await timed(() => first.backUp())
await sleep(LOAD_MS)
const moment = await momentOn(first.server)
await sleep(LOAD_MS)
await first.archiveAll()
await first.server.kill()
await before.halt()
say(
  `full backup under load in ${seconds(backUpMs)}; the moment is ${moment.words}; ` +
    `${before.accepted()} payments were accepted until the server was killed`,
)

let second = first
const restoreMs = await timed(async () => {
  second = await backups.restore(moment.words)
})
const { url } = second.server
const verified = await malipo('verify')
const { paymentsLookedUpFirst } = await malipo('restored')
const asks = [...before.shop.asks.values()]
const { early, missing, verdicts } = await onRestored((db) => compare(db, asks, moment))
await onRestored((db) => rewindRecords(db, before.listener))
const list = join(tmpdir(), `malipo-restore-${seed}-missing.csv`)
await writeFile(list, `${linesOf(missing)}\n`)
say(
  `restored into another folder in ${seconds(restoreMs)}: ${early.length} payments were ` +
    `acknowledged before the moment; ${paymentsLookedUpFirst} are looked up before they are sent; ` +
    `${missing.length} that were acknowledged are missing, all named in ${list}, such as\n` +
    linesOf(missing.slice(0, 3)),
)

for (const ask of missing) ask.accepted = 0
const after = await setUpRig({
  databaseUrl: url,
  nodes: 3,
  seed,
  merchant: before,
  beforeLoad: repeatMissing,
  onAccepted: () => {},
})
const secondBackUpMs = await timed(() => second.backUp())
await sleep(LOAD_MS)
say(
  `the merchant repeated the missing ones, ${after.accepted()} more payments were accepted, and ` +
    `the restored server was backed up in ${seconds(secondBackUpMs)}\n`,
)
const holds = sayVerdicts([
  {
    guarantee: 'right after the restore the books are in order (malipo verify)',
    checked: verified.checks.length,
    findings: verified.ok ? [] : [JSON.stringify(verified)],
  },
  ...verdicts,
  ...(await after.judge(url)),
])
await after.close()
await second.server.stop()
if (holds) await backups.remove()
else say(`\nData and logs are kept in ${backups.folder}`)
reportChecked(`${asks.length} payments before, ${after.shop.asks.size - asks.length} after`)
const words = holds
  ? 'What was acknowledged before the moment is there, and work went on.'
  : 'The restore did not give what it must.'
say(`\n${words} Seed ${seed}, ${duration(performance.now() - startedAt)}.`)
process.exit(holds ? 0 : 1)

async function timed(work: () => Promise<unknown>): Promise<number> {
  const since = performance.now()
  await work()
  return performance.now() - since
}

async function momentOn({ port }: Postgres): Promise<Moment> {
  return onServer(port, 'postgres', async (client) => {
    const beforeMs = performance.now()
    const { rows } = await client.query(
      `select to_char(clock_timestamp() - $1 * interval '1 second',
                      'YYYY-MM-DD HH24:MI:SS.USOF') as words`,
      [TOO_EARLY_S],
    )
    return { words: rows[0].words, beforeMs, afterMs: performance.now() }
  })
}

/** The command that an operator runs. */
async function malipo(command: string) {
  const program = join(ROOT, 'bin', 'malipo.mjs')
  const env = { DATABASE_URL: url }
  return JSON.parse(await runTool([process.execPath, program, command, '--json'], env))
}

async function onRestored<T>(
  work: (db: ReturnType<typeof openDatabase>) => Promise<T>,
): Promise<T> {
  const database = openDatabase({ connectionString: url }, 2)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/** Refunds last: their deposits must have ended again. */
async function repeatMissing(nodes: readonly KeptNode[]): Promise<void> {
  const { shop }: Rig = before
  const isRefund = ({ kind }: Ask): boolean => kind === 'refund'
  for (const some of [missing.filter((ask) => !isRefund(ask)), missing.filter(isRefund)]) {
    for (const [at, ask] of some.entries()) {
      await shop.again(nodes[at % nodes.length] as KeptNode, ask)
    }
    await onRestored((db) =>
      allWorkEnds(db, WORK_ENDS_WITHIN_MS, (seconds) => hurry(nodes[0] as KeptNode, seconds)),
    )
  }
}
