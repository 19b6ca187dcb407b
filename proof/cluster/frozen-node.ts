/**
 * Three nodes on one PostgreSQL. One is killed, and one is frozen until the others take it for dead
 * and finish its work; then it resumes, and must not repeat what others have done.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { chanceOf } from '../../harness/random/chance.ts'
import type { Database } from '../../src/store/engine/database.ts'
import type { Verdict } from '../support/check.ts'
import type { KeptNode } from '../support/places.ts'
import { say, seconds } from '../support/report.ts'
import { startThreeNodes } from './three-nodes.ts'

const UNTIL_MS = 60_000
/** Long enough that a node holds many payments that are with the operator. */
const OPERATOR_TAKES_MS = 1500

export async function frozenNode(seed: number): Promise<readonly Verdict[]> {
  const chance = chanceOf(seed)
  const cluster = await startThreeNodes({ seed, operatorTakesMs: OPERATOR_TAKES_MS })
  const { rig, recovery, database } = cluster
  const [killed, frozen] = cluster.nodes
  try {
    await sleep(chance.between(2000, 4000))
    recovery.mark(killed.name, 'a node')
    await killed.kill()

    const name = await nameOf(database, frozen)
    const held = await heldBy(database, name)
    frozen.signal('SIGSTOP')
    const frozenAt = performance.now()
    const takenAfter = await elapsedUntil(async () => (await nameOf(database, frozen)) !== name)
    const endedAfter = await elapsedUntil(async () => (await openOf(database, held)) === 0)
    const stillFor = performance.now() - frozenAt
    recovery.mark(frozen.name, 'a node')
    frozen.signal('SIGCONT')
    await killed.start()
    const areBack = await Promise.all(rig.nodes.map((node) => recovery.isBack(node.name, UNTIL_MS)))
    await sleep(1000)

    say(
      `node 1 was killed; node 2 was frozen for ${seconds(stillFor)} with ${held.length} payments ` +
        `in hand, was taken for dead after ${seconds(takenAfter)}, and its payments were finished by ` +
        `node 3 ${seconds(endedAfter)} later`,
    )
    say(`${rig.accepted()} payments accepted, ${rig.listener.count()} callbacks received\n`)
    const trouble: Verdict = {
      guarantee: 'a frozen node is taken for dead, its payments are finished, and it joins again',
      checked: held.length,
      findings: [
        ...(held.length === 0 ? ['it held no payments: this run proves nothing'] : []),
        ...(Number.isFinite(takenAfter) ? [] : ['no node took it for dead']),
        ...(Number.isFinite(endedAfter) ? [] : ['its payments were not finished by others']),
        ...(areBack.every(Boolean) ? [] : ['not every node accepts payments again']),
      ],
    }
    return [trouble, ...(await cluster.judge())]
  } finally {
    await cluster.close()
  }
}

/** The node number of the process; undefined if it was taken for dead. */
async function nameOf(database: Database, node: KeptNode): Promise<number | undefined> {
  const [row] = await database.query<{ id: number }>(
    'select node_id as id from nodes where pid = $1 order by 1 desc',
    [node.pid()],
  )
  return row?.id
}

async function heldBy(database: Database, name: number | undefined): Promise<readonly string[]> {
  const rows = await database.query<{ key: string }>(
    'select key from payments where holder = $1 and due_at is not null',
    [name],
  )
  return rows.map(({ key }) => key)
}

async function openOf(database: Database, keys: readonly string[]): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    'select count(*)::int as count from payments where key = any($1) and due_at is not null',
    [keys],
  )
  return row?.count ?? 0
}

/** Milliseconds; infinite if it never happens. */
async function elapsedUntil(isSo: () => Promise<boolean>): Promise<number> {
  const startedAt = performance.now()
  while (!(await isSo())) {
    if (performance.now() - startedAt > UNTIL_MS) return Number.POSITIVE_INFINITY
    await sleep(50)
  }
  return performance.now() - startedAt
}
