/** The proof itself, in namespaces of its own: three servers, three nodes, load, and faults. */
import { setTimeout as sleep } from 'node:timers/promises'
import { type Chance, chanceOf } from '../../harness/random/chance.ts'
import type { Verdict } from '../support/check.ts'
import {
  duration,
  endOnSignals,
  reportChecked,
  say,
  sayVerdicts,
  seconds,
  table,
} from '../support/report.ts'
import { type Rig, setUpRig } from '../support/rig.ts'
import { type Cluster, makeCluster } from './cluster.ts'
import { CUT_FROM_SERVERS, FAULTS, type Fault, type Victims } from './faults.ts'
import { createGaps, type Gaps } from './gaps.ts'
import { readPatroniOptions } from './options.ts'

type Means = {
  readonly cluster: Cluster
  readonly rig: Rig
  readonly gaps: Gaps
  readonly chance: Chance
}

type Round = {
  readonly fault: Fault
  readonly before: number
  readonly leaders: readonly [string, string]
  /** Until another led; undefined where none had to. */
  readonly ledAfterMs: number | undefined
  /** The longest time without an accepted payment, by node. */
  readonly gapsMs: readonly number[]
  readonly wholeAfterMs: number
  readonly trouble: readonly string[]
}

const LEADS_WITHIN_MS = 120_000
const GOES_ON_WITHIN_MS = 120_000
const WHOLE_WITHIN_MS = 240_000
/** The last node knows the three servers; the others know HAProxy alone. */
const DIRECT = 2

const { numbers, switches, texts } = readPatroniOptions()
const { seed, within } = numbers
const isSynchronous = !switches.has('asynchronous')
const startedAt = performance.now()
endOnSignals()

say(
  `${isSynchronous ? numbers.faults : 1} faults, 3 servers, 3 nodes, seed ${seed}` +
    `${isSynchronous ? '' : ', ASYNCHRONOUS: losses are expected'}`,
)
const cluster = await makeCluster(switches.has('etcd3') ? 'etcd3' : 'etcd')
const gaps = createGaps()
const { proxy, direct } = cluster.addresses
const rig = await setUpRig({
  databaseUrl: [proxy, proxy, direct],
  nodes: 3,
  seed,
  onAccepted: gaps.accepted,
})
const chance = chanceOf(seed)
say(`A cluster with load after ${duration(performance.now() - startedAt)}`)
if (!isSynchronous) await cluster.makeAsynchronous()
const rounds: Round[] = []
for (const fault of isSynchronous ? drawn(numbers.faults) : [CUT_FROM_SERVERS]) {
  await sleep(chance.between(1000, 4000))
  const round = await endure({ cluster, rig, gaps, chance }, fault)
  rounds.push(round)
  say(`  ${rounds.length}. ${fault.name}: no payment for ${seconds(Math.max(...round.gapsMs))}`)
  if (round.trouble.length > 0) break
}
say(`\n${tableOf(rounds)}\n${rig.accepted()} payments accepted\n`)
const holds = sayVerdicts([...verdictsOn(rounds), ...(await rig.judge(proxy))])
await rig.close()
if (holds) await cluster.remove()
else say(`\nLogs and data are kept in ${cluster.folder}`)
reportChecked(`${rounds.length} faults, ${rig.shop.asks.size} payments`)
const words = holds
  ? 'Nothing was lost, doubled or left unsent.'
  : 'Something was lost, doubled, left unsent or late.'
say(`\n${words} Seed ${seed}, ${duration(performance.now() - startedAt)}.`)
process.exit(holds ? 0 : 1)

/** Each fault once in a random order, then again in another. */
function drawn(count: number): readonly Fault[] {
  const list: Fault[] = []
  const chosen = FAULTS.filter(({ name }) => name.includes(texts.only ?? ''))
  if (chosen.length === 0) throw new Error(`no fault is called "${texts.only}"`)
  while (list.length < count) {
    const left = [...chosen]
    while (left.length > 0) list.push(...left.splice(chance.below(left.length), 1))
  }
  return list.slice(0, count)
}

async function endure(means: Means, fault: Fault): Promise<Round> {
  const { gaps } = means
  const before = rig.accepted()
  const [[leader], standby = cluster.machines[0]] = [
    await cluster.leaders(),
    await cluster.standby(),
  ]
  if (leader === undefined || standby === undefined) throw new Error('the cluster is not whole')
  const victims: Victims = { cluster, leader, standby }
  const trouble: string[] = []
  const struckAt = performance.now()
  await fault.strike(victims)
  const ledAfterMs = await lasts(fault, victims)
  if (ledAfterMs === Number.POSITIVE_INFINITY) trouble.push(`${fault.name}: no other server led`)
  await allGoOn(means, `${fault.name}, during it`, trouble)
  await sleep(means.chance.between(1000, 3000))

  const undoneAt = performance.now()
  await fault.undo(victims)
  const broken = await cluster.whole(WHOLE_WITHIN_MS)
  const wholeAfterMs = performance.now() - undoneAt
  if (broken !== undefined) trouble.push(`${fault.name}: ${broken}`)
  await allGoOn(means, `${fault.name}, afterwards`, trouble)
  const [now] = await cluster.leaders()
  return {
    fault,
    before,
    leaders: [leader.name, now?.name ?? 'nobody'],
    ledAfterMs,
    gapsMs: rig.nodes.map(({ name }) => gaps.longest(name, struckAt)),
    wholeAfterMs,
    trouble,
  }
}

/** Waits until another server leads, or for as long as the fault lasts. */
async function lasts({ until }: Fault, { leader }: Victims): Promise<number | undefined> {
  if (typeof until === 'number') {
    await sleep(until)
    return undefined
  }
  const since = performance.now()
  while (performance.now() - since < LEADS_WITHIN_MS) {
    if ((await cluster.leaders()).some((one) => one !== leader)) return performance.now() - since
    await sleep(100)
  }
  return Number.POSITIVE_INFINITY
}

async function allGoOn({ gaps }: Means, when: string, trouble: string[]): Promise<void> {
  const since = performance.now()
  const isOn = await Promise.all(
    rig.nodes.map(({ name }) => gaps.goesOn(name, since, GOES_ON_WITHIN_MS)),
  )
  rig.nodes.forEach(({ name, log }, at) => {
    if (isOn[at] !== true) trouble.push(`${when}: ${name} accepts nothing: ${log().slice(-1000)}`)
  })
}

function tableOf(all: readonly Round[]): string {
  const head = ['Fault', 'Leader', 'Another led', 'No payment: HAProxy', 'direct', 'Whole again']
  return table(
    head,
    all.map(({ fault, leaders, ledAfterMs, gapsMs, wholeAfterMs }) => [
      fault.name,
      leaders.join(' → '),
      ledAfterMs === undefined ? '–' : seconds(ledAfterMs),
      seconds(Math.max(...gapsMs.slice(0, DIRECT))),
      seconds(gapsMs[DIRECT] ?? Number.NaN),
      seconds(wholeAfterMs),
    ]),
  )
}

function verdictsOn(all: readonly Round[]): readonly Verdict[] {
  const late = all.flatMap(({ fault, gapsMs }) =>
    gapsMs
      .filter((gap) => gap > within * 1000)
      .map((gap) => `${fault.name}: no payment for ${seconds(gap)} at a node`),
  )
  const idle = all.filter(({ before }) => before === 0).map(({ fault }) => fault.name)
  return [
    {
      guarantee: `payments go on at every node within ${within} s of each fault`,
      checked: all.length * rig.nodes.length,
      findings: late,
    },
    {
      guarantee: 'the cluster is whole again by itself after each fault',
      checked: all.length,
      findings: [
        ...all.flatMap(({ trouble }) => trouble),
        ...idle.map((name) => `nothing was accepted before: ${name}`),
      ],
    },
  ]
}
