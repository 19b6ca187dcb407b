/**
 * The crash rig: real nodes on a real PostgreSQL under load, `kill -9` of one after the other and
 * of the database, and at the end everything that was promised is held against the books.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openDatabase } from '../../src/store/database.ts'
import { chanceOf } from '../../test/support/histories/chance.ts'
import { callAt } from '../../test/support/process.ts'
import { allWorkEnds, checkEverything, type Verdict } from '../support/check.ts'
import { startListener } from '../support/listener.ts'
import { type KeptNode, placeFor } from '../support/places.ts'
import { startPostgres } from '../support/postgres.ts'
import { duration, followProgress, say, sayVerdicts } from '../support/report.ts'
import { openShop } from '../support/shop.ts'
import { createRecovery } from './recovery.ts'

const HELP = `npm run crash -- [options]

Real node processes on a PostgreSQL of their own under mixed load; kill -9 of nodes and of the whole
database server at random moments; then nothing may be missing, doubled or untold.

  --kills N              how often something is killed (100)
  --nodes N              nodes at work (3)
  --seed N               the same moments again, as far as processes allow (random)
  --without-durability   let PostgreSQL answer commits before they are on disk: the rig must then
                         report losses and end with code 1
  --help                 this text`

/** Commits are answered while they are in the server's memory, and stay there for ten seconds. */
const WITHOUT_DURABILITY = {
  synchronous_commit: 'off',
  wal_writer_delay: '10s',
  wal_writer_flush_after: '1GB',
  wal_buffers: '64MB',
}

const CLIENTS_PER_NODE = 4
const CLIENT_RESTS_MS = 40
const BACK_WITHIN_MS = 120_000
const WORK_ENDS_WITHIN_MS = 300_000

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    nodes: { type: 'string', default: '3' },
    seed: { type: 'string' },
    'without-durability': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  say(HELP)
  process.exit(0)
}
const kills = wholeNumber('kills', values.kills)
const seed =
  values.seed === undefined ? Math.floor(Math.random() * 2 ** 31) : wholeNumber('seed', values.seed)
const isDurable = !values['without-durability']

say(
  `Crash rig: ${kills} kills, ${values.nodes} nodes, seed ${seed}` +
    `${isDurable ? '' : ', WITHOUT DURABILITY: losses are expected'}`,
)
const postgres = await startPostgres(isDurable ? {} : WITHOUT_DURABILITY)
const listener = await startListener()
const shop = openShop(listener, chanceOf(seed))
const recovery = createRecovery()
const settings = {
  DATABASE_URL: postgres.url,
  MALIPO_SANDBOX_CALLBACK_URL: listener.url,
  MALIPO_SANDBOX_DELAY_MS: '30',
  MALIPO_LOG_LEVEL: 'warn',
}
const names = Array.from(
  { length: wholeNumber('nodes', values.nodes) },
  (_, at) => `node ${at + 1}`,
)
const places = await Promise.all(names.map((name) => placeFor(name, settings)))
const [first] = places as [KeptNode]
await first.start()
await fund(first)
await Promise.all(places.slice(1).map((place) => place.start()))

const startedAt = performance.now()
const killed = { nodes: 0, starting: 0, database: 0 }
const sum = (): number => killed.nodes + killed.starting + killed.database
const lost: string[] = []
let accepted = 0
let isOver = false
/** Pending while nodes must not be killed. */
let calm: Promise<void> = Promise.resolve()

const load = Promise.all(
  places.flatMap((place) => Array.from({ length: CLIENTS_PER_NODE }, () => shopAt(place))),
)
const progress = followProgress(
  () =>
    `${sum()} of ${kills} kills (${killed.database} of PostgreSQL) in ${duration(performance.now() - startedAt)}, ` +
    `${accepted} payments accepted, ${listener.count()} callbacks`,
)
await Promise.all([...places.map((place, at) => killNodes(place, at)), killDatabase()])
isOver = true
await load
progress.stop()
const killedFor = performance.now() - startedAt
say(
  `${killed.nodes} kills of a node, ${killed.starting} of one that was starting, ${killed.database} of PostgreSQL ` +
    `in ${duration(killedFor)}; waiting until all work is over`,
)
const verdicts = await judge()
say(
  `\n${shop.asks.size} payments asked for, ${accepted} accepted, ${listener.count()} callbacks heard\n`,
)
say(recovery.table())
say('')
const holds = sayVerdicts(verdicts)
for (const place of places) await place.kill()
await listener.close()
await postgres.remove()
say(
  `\n${holds ? 'Nothing was lost, doubled or left untold.' : 'The service did not keep its word.'} Seed ${seed}.`,
)
process.exit(holds ? 0 : 1)

async function shopAt(place: KeptNode): Promise<void> {
  while (!isOver) {
    const { sentAtMs, isAccepted } = await shop.next(place)
    if (isAccepted) {
      accepted += 1
      recovery.accepted(place.name, sentAtMs)
    }
    await sleep(CLIENT_RESTS_MS)
  }
}

/** Kills the node again and again: at work, and now and then while it is starting. */
async function killNodes(place: KeptNode, at: number): Promise<void> {
  const chance = chanceOf(seed + 1 + at)
  while (sum() < kills && lost.length === 0) {
    await sleep(chance.between(0, 2500))
    await calm
    if (sum() >= kills) return
    killed.nodes += 1
    recovery.mark(place.name, 'a node')
    await place.kill()
    let started = place.start()
    while (chance.oneIn(4) && sum() < kills) {
      await sleep(chance.between(0, 900))
      killed.starting += 1
      recovery.mark(place.name, 'a node')
      await place.kill()
      await started
      started = place.start()
    }
    await started
    await mustBeBack(place)
  }
}

/**
 * All its processes at once; the nodes stay up and find it again. In every second case among nodes
 * that die as well; else they are let alone, so that its own recovery can be seen.
 */
async function killDatabase(): Promise<void> {
  const chance = chanceOf(seed)
  while (sum() < kills && lost.length === 0) {
    await sleep(chance.between(1000, 12_000))
    if (sum() >= kills) return
    let endCalm = (): void => {}
    if (killed.database % 2 === 0) {
      calm = new Promise((resolve) => {
        endCalm = resolve
      })
      for (const place of places) await mustBeBack(place)
      await sleep(chance.between(0, 500))
    }
    killed.database += 1
    for (const { name } of places) recovery.mark(name, 'PostgreSQL, through each node that was up')
    await postgres.kill()
    await sleep(chance.between(0, 300))
    await postgres.start()
    for (const place of places) await mustBeBack(place)
    endCalm()
  }
}

async function mustBeBack(place: KeptNode): Promise<void> {
  if (await recovery.isBack(place.name, BACK_WITHIN_MS)) return
  lost.push(
    `${place.name} accepted nothing for ${duration(BACK_WITHIN_MS)}:\n${place.log().slice(-2000)}`,
  )
}

async function judge(): Promise<readonly Verdict[]> {
  const isSettled = lost.length === 0 && (await shop.settle(places))
  const database = openDatabase({ connectionString: postgres.url }, 4)
  try {
    const back: Verdict = {
      guarantee: 'every node came back by itself after each kill',
      checked: sum(),
      findings: isSettled || lost.length > 0 ? lost : ['requests stay without an answer'],
    }
    const ended = await allWorkEnds(database, WORK_ENDS_WITHIN_MS)
    return [back, ended, ...(await checkEverything(database, shop, listener))]
  } finally {
    await database.close()
  }
}

/** Enough for every payout of the run. */
async function fund(place: KeptNode): Promise<void> {
  const wallet = { country: 'ZMB', currency: 'ZMW', balance: '1000000000' }
  const answer = await callAt(place, 'PUT', '/sandbox/wallets', wallet)
  if (answer?.status !== 204)
    throw new Error(`the wallet was not filled: ${JSON.stringify(answer)}`)
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text) && Number(text) >= 1) return Number(text)
  say(`--${name} must be a whole number from 1, not "${text}".\n\n${HELP}`)
  process.exit(2)
}
