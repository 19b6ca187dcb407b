/**
 * Real nodes on a real PostgreSQL under load, with `kill -9` of nodes and of the database; at the
 * end all answers are compared with the books.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { chanceOf } from '../../harness/random/chance.ts'
import type { Verdict } from '../support/check.ts'
import type { KeptNode } from '../support/places.ts'
import { DEATHS, type Death, type Settings, startPostgres } from '../support/postgres.ts'
import { createRecovery, type Recovery } from '../support/recovery.ts'
import { duration } from '../support/report.ts'
import { type Rig, setUpRig } from '../support/rig.ts'

type StormOptions = {
  readonly kills: number
  readonly nodes: number
  readonly seed: number
  /** The database dies at least this often. */
  readonly databaseKills?: number
  /** Of the PostgreSQL server. */
  readonly settings?: Settings
  /** This many payments are accepted between two kills of a node, however slow the machine is. */
  readonly acceptedBetween?: number
}

type Storm = {
  progress(): string
  /** Runs to the end, and stops the servers and nodes. */
  run(onOver: () => void): Promise<Outcome>
}

type Outcome = {
  readonly verdicts: readonly Verdict[]
  readonly kills: number
  readonly payments: number
  readonly accepted: number
  readonly callbacks: number
  readonly summary: string
  readonly recoveries: string
}

const BACK_WITHIN_MS = 120_000

export async function createStorm(options: StormOptions): Promise<Storm> {
  const postgres = await startPostgres(options.settings)
  const recovery = createRecovery()
  const rig = await setUpRig({
    databaseUrl: postgres.url,
    nodes: options.nodes,
    seed: options.seed,
    onAccepted: recovery.accepted,
  })
  const startedAt = performance.now()
  const toll = newToll(options.kills)
  const means: Means = { options, rig, recovery, toll, postgres, lost: [], calm: Promise.resolve() }
  return {
    progress: () =>
      `${toll.sum()} of ${options.kills} kills (${toll.database} of PostgreSQL) in ` +
      `${duration(performance.now() - startedAt)}, ${rig.accepted()} payments accepted, ` +
      `${rig.listener.count()} callbacks`,
    run: async (onOver) => {
      try {
        await Promise.all([
          ...rig.nodes.map((node, at) => killNode(means, node, at)),
          killDatabase(means),
        ])
        onOver()
        const back: Verdict = {
          guarantee: 'every node came back by itself after each kill',
          checked: toll.sum(),
          findings: means.lost,
        }
        const verdicts = [back, ...(await rig.judge(postgres.url))]
        return {
          verdicts,
          kills: toll.sum(),
          payments: rig.shop.asks.size,
          accepted: rig.accepted(),
          callbacks: rig.listener.count(),
          summary: toll.summary(),
          recoveries: recovery.table(),
        }
      } finally {
        await rig.close()
        await postgres.remove()
      }
    },
  }
}

type Means = {
  readonly options: StormOptions
  readonly rig: Rig
  readonly recovery: Recovery
  readonly toll: Toll
  readonly postgres: Awaited<ReturnType<typeof startPostgres>>
  readonly lost: string[]
  /** Pending while nodes must not be killed. */
  calm: Promise<void>
}

type Toll = ReturnType<typeof newToll>

function newToll(kills: number) {
  const deaths = new Map<Death, number>()
  const toll = {
    nodes: 0,
    starting: 0,
    database: 0,
    deaths,
    sum: (): number => toll.nodes + toll.starting + toll.database,
    isPaid: (): boolean => toll.sum() >= kills,
    summary: (): string =>
      `${toll.nodes} kills of a node, ${toll.starting} of one that was starting, ` +
      `${toll.database} of PostgreSQL ` +
      `(${DEATHS.map((death) => `${death}: ${deaths.get(death) ?? 0}`).join(', ')})`,
  }
  return toll
}

/** Kills the node again and again: while it works, and now and then while it starts. */
async function killNode(means: Means, node: KeptNode, at: number): Promise<void> {
  const { toll, lost, rig, recovery, options } = means
  const chance = chanceOf(options.seed + 1 + at)
  const reserved = options.databaseKills ?? 0
  const isOver = (): boolean =>
    toll.isPaid() || options.kills - toll.sum() <= reserved - toll.database
  while (!isOver() && lost.length === 0) {
    const wanted = rig.accepted() + (options.acceptedBetween ?? 0)
    await sleep(chance.between(0, 2500))
    while (rig.accepted() < wanted) await sleep(20)
    await means.calm
    if (isOver()) return
    toll.nodes += 1
    recovery.mark(node.name, 'a node')
    await node.kill()
    let started = node.start()
    while (chance.oneIn(4) && !isOver()) {
      await sleep(chance.between(0, 900))
      toll.starting += 1
      recovery.mark(node.name, 'a node')
      await node.kill()
      await started
      started = node.start()
    }
    await started
    await mustBeBack(means, node)
  }
}

/**
 * The nodes stay up and reconnect. In every second case nodes are killed too; otherwise they are
 * left alone, so that the database's own recovery can be seen.
 */
async function killDatabase(means: Means): Promise<void> {
  const { toll, lost, rig, options } = means
  const chance = chanceOf(options.seed)
  while (!toll.isPaid() && lost.length === 0) {
    await sleep(chance.between(500, 6000))
    if (toll.isPaid()) return
    let endCalm = (): void => {}
    if (toll.database % 2 === 0) {
      means.calm = new Promise((resolve) => {
        endCalm = resolve
      })
      for (const node of rig.nodes) await mustBeBack(means, node)
      await sleep(chance.between(0, 500))
    }
    await die(means, chance.pick(DEATHS), chance.between(0, 300))
    for (const node of rig.nodes) await mustBeBack(means, node)
    endCalm()
  }
}

/** A server that lost a worker recovers by itself; otherwise it is restarted after a moment. */
async function die(means: Means, death: Death, downMs: number): Promise<void> {
  const { toll, rig, recovery, postgres } = means
  const note = (): void => {
    toll.database += 1
    toll.deaths.set(death, (toll.deaths.get(death) ?? 0) + 1)
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

async function mustBeBack({ recovery, lost }: Means, node: KeptNode): Promise<void> {
  if (await recovery.isBack(node.name, BACK_WITHIN_MS)) return
  lost.push(
    `${node.name} accepted nothing for ${duration(BACK_WITHIN_MS)}: ${node.log().slice(-2000)}`,
  )
}
