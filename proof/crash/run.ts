/**
 * The crash rig: real nodes on a real PostgreSQL under load, `kill -9` of one after the other and
 * of the database, and at the end everything that was promised is held against the books.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { chanceOf } from '../../harness/histories/chance.ts'
import type { Verdict } from '../support/check.ts'
import { readOptions } from '../support/options.ts'
import type { KeptNode } from '../support/places.ts'
import { DEATHS, type Death, startPostgres } from '../support/postgres.ts'
import { createRecovery } from '../support/recovery.ts'
import { duration, followProgress, say, sayVerdicts } from '../support/report.ts'
import { setUpRig } from '../support/rig.ts'

const HELP = `npm run crash -- [options]

Real node processes on a PostgreSQL of their own under mixed load; kill -9 of nodes and of the
database server, whole or in part, at random moments; then nothing may be missing, doubled or untold.

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

const BACK_WITHIN_MS = 120_000

const { numbers, switches } = readOptions(HELP, {
  numbers: { kills: 100, nodes: 3, seed: Math.floor(Math.random() * 2 ** 31) },
  switches: ['without-durability'],
})
const { kills, seed } = numbers
const isDurable = !switches.has('without-durability')

say(
  `Crash rig: ${kills} kills, ${numbers.nodes} nodes, seed ${seed}` +
    `${isDurable ? '' : ', WITHOUT DURABILITY: losses are expected'}`,
)
const postgres = await startPostgres(isDurable ? {} : WITHOUT_DURABILITY)
const recovery = createRecovery()
const rig = await setUpRig({
  databaseUrl: postgres.url,
  nodes: numbers.nodes,
  seed,
  onAccepted: recovery.accepted,
})
const startedAt = performance.now()
const killed = { nodes: 0, starting: 0, database: 0 }
const sum = (): number => killed.nodes + killed.starting + killed.database
const lost: string[] = []
const deaths = new Map<Death, number>()
/** Pending while nodes must not be killed. */
let calm: Promise<void> = Promise.resolve()

const progress = followProgress(
  () =>
    `${sum()} of ${kills} kills (${killed.database} of PostgreSQL) in ` +
    `${duration(performance.now() - startedAt)}, ${rig.accepted()} payments accepted, ` +
    `${rig.listener.count()} callbacks`,
)
await Promise.all([...rig.nodes.map(killNode), killDatabase()])
progress.stop()
say(
  `${killed.nodes} kills of a node, ${killed.starting} of one that was starting, ` +
    `${killed.database} of PostgreSQL (${DEATHS.map(timesOf).join(', ')}) in ` +
    `${duration(performance.now() - startedAt)}; waiting until all work is over`,
)
const back: Verdict = {
  guarantee: 'every node came back by itself after each kill',
  checked: sum(),
  findings: lost,
}
const verdicts = [back, ...(await rig.judge(postgres.url))]
say(
  `\n${rig.shop.asks.size} payments asked for, ${rig.accepted()} accepted, ` +
    `${rig.listener.count()} callbacks heard\n\n${recovery.table()}\n`,
)
const holds = sayVerdicts(verdicts)
await rig.close()
await postgres.remove()
const words = holds ? 'Nothing was lost, doubled or left untold.' : 'The word was not kept.'
say(`\n${words} Seed ${seed}, ${duration(performance.now() - startedAt)}.`)
process.exit(holds ? 0 : 1)

function timesOf(death: Death): string {
  return `${death}: ${deaths.get(death) ?? 0}`
}

/** Kills the node again and again: at work, and now and then while it is starting. */
async function killNode(node: KeptNode, at: number): Promise<void> {
  const chance = chanceOf(seed + 1 + at)
  while (sum() < kills && lost.length === 0) {
    await sleep(chance.between(0, 2500))
    await calm
    if (sum() >= kills) return
    killed.nodes += 1
    recovery.mark(node.name, 'a node')
    await node.kill()
    let started = node.start()
    while (chance.oneIn(4) && sum() < kills) {
      await sleep(chance.between(0, 900))
      killed.starting += 1
      recovery.mark(node.name, 'a node')
      await node.kill()
      await started
      started = node.start()
    }
    await started
    await mustBeBack(node)
  }
}

/**
 * The nodes stay up and find it again. In every second case among nodes that die as well; else they
 * are let alone, so that its own recovery can be seen.
 */
async function killDatabase(): Promise<void> {
  const chance = chanceOf(seed)
  while (sum() < kills && lost.length === 0) {
    await sleep(chance.between(500, 6000))
    if (sum() >= kills) return
    let endCalm = (): void => {}
    if (killed.database % 2 === 0) {
      calm = new Promise((resolve) => {
        endCalm = resolve
      })
      for (const node of rig.nodes) await mustBeBack(node)
      await sleep(chance.between(0, 500))
    }
    await die(chance.pick(DEATHS), chance.between(0, 300))
    for (const node of rig.nodes) await mustBeBack(node)
    endCalm()
  }
}

/** A server that lost a worker is back by itself; else its keeper takes a moment. */
async function die(death: Death, downMs: number): Promise<void> {
  const note = (): void => {
    killed.database += 1
    deaths.set(death, (deaths.get(death) ?? 0) + 1)
    for (const { name } of rig.nodes) {
      recovery.mark(name, 'PostgreSQL, through each node that was up')
    }
  }
  if (death === 'a worker') return postgres.killWorker(note)
  note()
  await postgres.kill(death)
  await sleep(downMs)
  await postgres.start()
}

async function mustBeBack(node: KeptNode): Promise<void> {
  if (await recovery.isBack(node.name, BACK_WITHIN_MS)) return
  lost.push(
    `${node.name} accepted nothing for ${duration(BACK_WITHIN_MS)}: ${node.log().slice(-2000)}`,
  )
}
