/**
 * Nodes of an older version, each stopped in turn and started as this version, while merchants keep
 * sending to all of them. In between one of each version is killed, so that each version finishes
 * work of the other.
 */
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from '../../harness/process.ts'
import { chanceOf } from '../../harness/random/chance.ts'
import type { Database } from '../../src/store/engine/database.ts'
import type { Verdict } from '../support/check.ts'
import type { KeptNode } from '../support/places.ts'
import { say } from '../support/report.ts'
import type { Rig } from '../support/rig.ts'
import { startThreeNodes } from './three-nodes.ts'
import { haveSameMigrations, neverReplaced, versionIn } from './versions.ts'

const NEWER = resolve(ROOT)
const BACK_WITHIN_MS = 60_000
/** Long enough that payments of one version are with the operator when the other takes over. */
const OPERATOR_TAKES_MS = 700

export async function rollingUpgrade(seed: number, older: string): Promise<readonly Verdict[]> {
  const chance = chanceOf(seed)
  const cluster = await startThreeNodes({
    seed,
    program: older,
    operatorTakesMs: OPERATOR_TAKES_MS,
  })
  const { rig, recovery, database } = cluster
  const [first, second, third] = cluster.nodes
  const programs = new Map<KeptNode, string>(rig.nodes.map((node) => [node, older]))
  const together = new Set<string>()
  const findings: string[] = []

  const start = async (node: KeptNode, program: string, what: string): Promise<void> => {
    programs.set(node, program)
    const problem = await node.start(program).then(
      async () => ((await recovery.isBack(node.name, BACK_WITHIN_MS)) ? undefined : node.log()),
      (error: Error) => error.message,
    )
    if (problem !== undefined) {
      findings.push(`${node.name} accepts nothing after it was ${what}: ${problem.slice(-1000)}`)
    }
    const atWork = await nodesAtWork(database, rig, programs)
    const versions = new Set(atWork.map(({ version, from }) => `${version} from ${from}`))
    if (versions.size > 1) together.add([...versions].toSorted().join(' with '))
    say(`${node.name} ${what}; running: ${written(atWork)}`)
  }
  const replace = async (node: KeptNode): Promise<void> => {
    await sleep(chance.between(1000, 3000))
    const pid = node.pid()
    recovery.mark(node.name, 'a node')
    await node.stop()
    await start(node, NEWER, 'replaced')
    if (node.pid() === pid) findings.push(`${node.name} is still process ${pid}`)
  }
  const killAndStart = async (node: KeptNode): Promise<void> => {
    await sleep(chance.between(500, 1500))
    recovery.mark(node.name, 'a node')
    await node.kill()
    // The older version does not start on a database that the newer one has changed.
    const isOld = programs.get(node) === older && haveSameMigrations(older, NEWER)
    await start(node, isOld ? older : NEWER, 'killed')
  }

  try {
    const before = await nodesAtWork(database, rig, programs)
    say(`running: ${written(before)}`)
    const steps = [
      () => replace(first),
      () => killAndStart(second),
      () => replace(second),
      () => killAndStart(first),
      () => replace(third),
    ]
    // If a node did not come back, the others would only take more time.
    for (const step of steps) if (findings.length === 0) await step()
    await sleep(1000)
    const after = await nodesAtWork(database, rig, programs)
    const [were, are] = [before.map(({ pid }) => pid), after.map(({ pid }) => pid)]
    findings.push(...neverReplaced(were, are))
    const others = after.filter(({ version }) => version !== versionIn(NEWER))
    findings.push(...others.map(({ name, version }) => `${name} still runs ${version} at the end`))
    if (older !== NEWER && together.size === 0) findings.push('the two versions never ran together')
    say(`ran together: ${[...together].join('; ') || 'processes of one folder only'}`)
    say(`${rig.accepted()} payments accepted, ${rig.listener.count()} callbacks received\n`)
    const upgraded: Verdict = {
      guarantee: 'every node was replaced, and accepts payments after each step',
      checked: rig.nodes.length,
      findings,
    }
    return [upgraded, ...(await cluster.judge())]
  } finally {
    await cluster.close()
  }
}

type AtWork = {
  readonly name: string
  readonly pid: number
  /** As the node itself has registered. */
  readonly version: string
  readonly from: string
}

/** Nodes that have joined; one that was killed may stay listed for a while. */
async function nodesAtWork(
  database: Database,
  rig: Rig,
  programs: ReadonlyMap<KeptNode, string>,
): Promise<readonly AtWork[]> {
  const rows = await database.query<{ pid: number; version: string }>(
    'select pid, version from nodes',
  )
  return rig.nodes.flatMap((node) => {
    const joined = rows.find(({ pid }) => pid === node.pid())
    const from = programs.get(node) ?? NEWER
    return joined === undefined ? [] : [{ name: node.name, ...joined, from }]
  })
}

const written = (nodes: readonly AtWork[]): string =>
  nodes
    .map(({ name, version, from, pid }) => `${name} ${version} from ${from} (process ${pid})`)
    .join(', ')
