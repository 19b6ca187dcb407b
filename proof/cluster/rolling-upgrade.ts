/**
 * Nodes of an older version, each stopped in turn and started as this version, while merchants go on
 * paying at all of them. In between one of each version is killed, so that work of the one is ended
 * by the other.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Database, openDatabase } from '../../src/store/database.ts'
import { chanceOf } from '../../test/support/histories/chance.ts'
import { ROOT } from '../../test/support/process.ts'
import type { Verdict } from '../support/check.ts'
import type { KeptNode } from '../support/places.ts'
import { startPostgres } from '../support/postgres.ts'
import { createRecovery } from '../support/recovery.ts'
import { say } from '../support/report.ts'
import { setUpRig } from '../support/rig.ts'

const BACK_WITHIN_MS = 60_000
/** Long enough that payments of one version are with the operator when the other comes. */
const OPERATOR_TAKES_MS = '700'

export async function rollingUpgrade(seed: number, older: string): Promise<readonly Verdict[]> {
  const chance = chanceOf(seed)
  const postgres = await startPostgres()
  const recovery = createRecovery()
  const rig = await setUpRig({
    databaseUrl: postgres.url,
    nodes: 3,
    seed,
    program: older,
    settings: { MALIPO_SANDBOX_DELAY_MS: OPERATOR_TAKES_MS },
    onAccepted: recovery.accepted,
  })
  const database = openDatabase({ connectionString: postgres.url }, 2)
  const [first, second, third] = rig.nodes as [KeptNode, KeptNode, KeptNode]
  const findings: string[] = []

  const isBack = async (node: KeptNode, what: string): Promise<void> => {
    if (await recovery.isBack(node.name, BACK_WITHIN_MS)) return
    findings.push(`${node.name} accepts nothing after it was ${what}: ${node.log().slice(-1000)}`)
  }
  const replace = async (node: KeptNode): Promise<void> => {
    await sleep(chance.between(1000, 3000))
    recovery.mark(node.name, 'a node')
    await node.stop()
    await node.start(ROOT)
    await isBack(node, 'replaced')
    say(`${node.name} replaced; at work: ${await versionsIn(database)}`)
  }
  const killAndStart = async (node: KeptNode): Promise<void> => {
    await sleep(chance.between(500, 1500))
    recovery.mark(node.name, 'a node')
    await node.kill()
    await node.start()
    await isBack(node, 'killed')
  }

  try {
    say(`at work: ${await versionsIn(database)}`)
    await replace(first)
    await killAndStart(second)
    await replace(second)
    await killAndStart(first)
    await replace(third)
    await sleep(1000)
    say(`${rig.accepted()} payments accepted, ${rig.listener.count()} callbacks heard\n`)
    const upgraded: Verdict = {
      guarantee: 'every node accepts payments again, as the older version and as this one',
      checked: rig.nodes.length,
      findings,
    }
    return [upgraded, ...(await rig.judge(postgres.url))]
  } finally {
    await database.close()
    await rig.close()
    await postgres.remove()
  }
}

async function versionsIn(database: Database): Promise<string> {
  const rows = await database.query<{ version: string; pid: number }>(
    'select version, pid from nodes order by node_id',
  )
  return rows.map(({ version, pid }) => `${version} (process ${pid})`).join(', ')
}
