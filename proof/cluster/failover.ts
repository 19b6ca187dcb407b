/**
 * A primary with a standby dies under load; the nodes know only the two addresses. It is killed, or
 * it goes silent: then connections stay open and nothing arrives over them.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { chanceOf } from '../../harness/random/chance.ts'
import type { Verdict } from '../support/check.ts'
import { onServer, startPostgres } from '../support/postgres.ts'
import { createRecovery } from '../support/recovery.ts'
import { say, seconds } from '../support/report.ts'
import { setUpRig } from '../support/rig.ts'
import { addStandby } from '../support/standby.ts'

const BACK_WITHIN_MS = 60_000
const STANDBY = 'second'

type Failover = {
  readonly seed: number
  readonly death: 'killed' | 'silent'
  readonly synchronous: boolean
}

export async function failover(options: Failover): Promise<readonly Verdict[]> {
  const { seed, death, synchronous } = options
  const chance = chanceOf(seed)
  const primary = await startPostgres()
  const standby = await addStandby(primary, { name: STANDBY, synchronous })
  const recovery = createRecovery()
  const both = `127.0.0.1:${primary.port},127.0.0.1:${standby.port}`
  const rig = await setUpRig({
    databaseUrl: primary.url.replace(/127\.0\.0\.1:\d+/, both),
    nodes: 3,
    seed,
    onAccepted: recovery.accepted,
  })
  try {
    await sleep(chance.between(1000, 4000))
    if (!synchronous) {
      await standby.cutOff()
      await sleep(2000)
    }
    const standing = await standingOf(primary.port)
    const before = rig.accepted()
    for (const { name } of rig.nodes) {
      recovery.mark(name, 'PostgreSQL, through each node that was up')
    }
    await (death === 'killed' ? primary.kill() : primary.freeze())
    const killedAt = performance.now()
    await standby.promote()
    const promotedAfter = performance.now() - killedAt
    const areBack = await Promise.all(
      rig.nodes.map((node) => recovery.isBack(node.name, BACK_WITHIN_MS)),
    )
    await sleep(chance.between(500, 1500))

    say(
      `primary ${death} after ${before} payments were accepted, its standby then ${standing}, ` +
        `promoted in ${seconds(promotedAfter)}, ${rig.accepted() - before} payments accepted since\n`,
    )
    say(`${recovery.table()}\n`)
    const found: Verdict = {
      guarantee: 'every node finds the promoted standby by itself',
      checked: rig.nodes.length,
      findings: rig.nodes
        .filter((_, at) => areBack[at] !== true)
        .map(({ name, log }) => `${name} did not find the promoted standby: ${log().slice(-1000)}`),
    }
    const meant: Verdict = {
      guarantee: 'the primary died as intended',
      checked: before,
      findings: unlikeMeant({ before, standing, synchronous }),
    }
    const doubted: Verdict = {
      guarantee: 'payments are looked up before they are sent if transactions may be missing',
      checked: 1,
      findings: (await isMarked(standby)) === synchronous ? [DOUBT[`${synchronous}`]] : [],
    }
    return [meant, found, doubted, ...(await rig.judge(standby.url))]
  } finally {
    await rig.close()
    // A silent primary must never come back: another has replaced it.
    await primary.kill()
    await primary.remove()
    await standby.remove()
  }
}

const DOUBT = {
  true: 'they are, although the standby had everything',
  false: 'they are not, although the standby lacked the last transactions',
}

async function isMarked({ url, port }: { url: string; port: number }): Promise<boolean> {
  return onServer(port, new URL(url).pathname.slice(1), async (client) => {
    const { rows } = await client.query('select from service_state where restored_at is not null')
    return rows.length === 1
  })
}

/** How the primary sees its standby: `sync` if no commit is confirmed without it. */
async function standingOf(port: number): Promise<string> {
  return onServer(port, 'postgres', async (client) => {
    const { rows } = await client.query<{ sync_state: string }>(
      'select sync_state from pg_stat_replication where application_name = $1',
      [STANDBY],
    )
    return rows[0]?.sync_state ?? 'gone'
  })
}

/** Why a round proves nothing, whatever its outcome. */
export function unlikeMeant(death: {
  readonly before: number
  readonly standing: string
  readonly synchronous: boolean
}): readonly string[] {
  const { before, standing, synchronous } = death
  return [
    ...(before === 0 ? ['nothing was accepted before the primary died'] : []),
    ...(synchronous && standing !== 'sync' ? [`the standby was ${standing}, not sync`] : []),
  ]
}
