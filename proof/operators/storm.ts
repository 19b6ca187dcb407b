/**
 * Real nodes, operators as processes of their own, and `kill -9` of both, while operators hang, reset,
 * double and contradict. At the end every payment is compared with the books of the operators.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { managing } from '../../harness/operator-accounts.ts'
import { callAt } from '../../harness/process.ts'
import { chanceOf } from '../../harness/random/chance.ts'
import type { Rule } from '../../src/providers/stand-in/faults.ts'
import { type Database, openDatabase } from '../../src/store/engine/database.ts'
import { listAccounts } from '../../src/store/operators/accounts.ts'
import { addAccount } from '../../src/usecases/operators/manage-accounts.ts'
import { callbackUrlOf } from '../../src/usecases/operators/open-account.ts'
import type { Verdict } from '../support/check.ts'
import { type KeptNode, placeFor } from '../support/places.ts'
import { startPostgres } from '../support/postgres.ts'
import { type Ask, accountOf, bodyOf, LINES, type Line } from './accounts.ts'
import { repeatContradictions, startContradictions } from './contradict.ts'
import { judge } from './judge.ts'
import { type StandInProcess, standInFor } from './stand-ins.ts'

type Toll = { nodes: number; operators: number }

const NODES = 2
const CLIENTS = 4
const CLIENT_RESTS_MS = 120
const DECLINED_ONE_IN = 6
const BETWEEN_KILLS_MS = 700
const ALL_ENDS_WITHIN_MS = 1_800_000
const CLOCK_AT_MOST_S = 16 * 3600
const ADVANCE_S = 120

/** What operators do wrong, each some of the time. */
const FAULTS: readonly Rule[] = [
  { on: 'create', fault: 'drop-after', percent: 6 },
  { on: 'create', fault: 'drop-before', percent: 6 },
  { on: 'create', fault: 'hang', percent: 1 },
  { on: 'status', fault: 'hang', percent: 1 },
  { on: 'create', fault: 'html', percent: 3 },
  { on: 'create', fault: 'error-after', status: 502, percent: 3 },
  { on: 'create', fault: 'token-expired', percent: 3 },
  { on: 'status', fault: 'drop-after', percent: 5 },
  { on: 'status', fault: 'not-found', percent: 5 },
  { on: 'status', fault: 'truncated', percent: 3 },
  { on: 'any', fault: 'delay', ms: 400, percent: 5 },
  { on: 'callback', fault: 'callback-thrice', percent: 10 },
  { on: 'callback', fault: 'callback-forged', percent: 10 },
  { on: 'callback', fault: 'no-callback', percent: 20 },
]

export async function runStorm(
  kills: number,
  seed: number,
  progress: (words: () => string) => { stop(): void },
): Promise<{
  readonly verdicts: readonly Verdict[]
  readonly asks: readonly Ask[]
  readonly toll: Toll
}> {
  const postgres = await startPostgres()
  const operators = await Promise.all(LINES.map(({ connector }) => standInFor(connector)))
  const database = openDatabase({ connectionString: postgres.url }, 4)
  const settings = { DATABASE_URL: postgres.url, MALIPO_LOG_LEVEL: 'error' }
  const nodes = await Promise.all(
    Array.from({ length: NODES }, (_, at) => placeFor(`node ${at + 1}`, settings)),
  )
  const asks: Ask[] = []
  const toll: Toll = { nodes: 0, operators: 0 }
  const shown = progress(
    () =>
      `${toll.nodes} kills of nodes, ${toll.operators} of operators, of ${kills}; ` +
      `${asks.filter(({ isAccepted }) => isAccepted).length} payments accepted`,
  )
  try {
    await Promise.all(operators.map((one) => one.start()))
    await nodes[0]?.start()
    await connectOperators(database, operators, nodes[0] as KeptNode)
    await Promise.all(nodes.slice(1).map((node) => node.start()))
    const load = startLoad(nodes, operators, asks, seed)
    const contradictions = startContradictions({ database, operators, asks, seed })
    await killAll({ kills, seed, nodes, operators, toll })
    await load.stop()
    await contradictions.stop()
    shown.stop()
    await Promise.all(operators.map((one) => one.setFaults([])))
    await settle(database, nodes[0] as KeptNode)
    await repeatContradictions({ database, operators, asks })
    return { verdicts: await judge(database, operators, asks), asks, toll }
  } finally {
    shown.stop()
    await Promise.all([...nodes, ...operators].map((one) => one.kill().catch(() => {})))
    await database.close()
    await postgres.remove()
  }
}

async function connectOperators(
  database: Database,
  operators: readonly StandInProcess[],
  node: KeptNode,
): Promise<void> {
  for (const [at, line] of LINES.entries()) {
    const operator = operators[at] as StandInProcess
    await addAccount(managing({ database }), accountOf(line, operator.url))
  }
  for (const account of await listAccounts(database)) {
    const operator = operators.find(({ connector }) => connector === account.connector)
    await operator?.setCallbackUrl(callbackUrlOf(account, node.url))
  }
}

/** Merchants that ask at whichever node answers; an answer that is lost is asked for again later. */
function startLoad(
  nodes: readonly KeptNode[],
  operators: readonly StandInProcess[],
  asks: Ask[],
  seed: number,
) {
  let isOver = false
  const buy = async (client: number): Promise<void> => {
    const chance = chanceOf(seed + client)
    while (!isOver) {
      const line = LINES[chance.below(LINES.length)] as Line
      const kind = line.kinds[chance.below(line.kinds.length)] ?? 'deposit'
      const number = line.numbers + String(1_000_000 + asks.length).padStart(7, '0')
      const ask: Ask = {
        line,
        kind,
        id: randomUUID(),
        number,
        isAccepted: false,
        isAnswered: false,
      }
      asks.push(ask)
      if (chance.oneIn(DECLINED_ONE_IN)) {
        const operator = operators.find(({ connector }) => connector === line.connector)
        await operator?.setEnding(number, { says: 'failure', reason: line.declined })
      }
      await send(nodes[chance.below(nodes.length)] as KeptNode, ask)
      await sleep(CLIENT_RESTS_MS)
    }
  }
  const all = Promise.all(Array.from({ length: CLIENTS }, (_, at) => buy(at)))
  return {
    stop: async () => {
      isOver = true
      await all
      // Whatever was not answered is asked again: the same identifier starts one payment.
      for (const ask of asks.filter(({ isAnswered }) => !isAnswered)) {
        await send(nodes[0] as KeptNode, ask)
      }
    },
  }
}

async function send(node: KeptNode, ask: Ask): Promise<void> {
  const body = bodyOf(ask.line, ask.kind, ask.id, ask.number)
  const answer = await callAt(node, 'POST', `/v2/${ask.kind}s`, body)
  const { status } = answer?.body ?? {}
  ask.isAnswered = answer !== undefined
  ask.isAccepted = status === 'ACCEPTED' || status === 'DUPLICATE_IGNORED'
}

type Killing = {
  readonly kills: number
  readonly seed: number
  readonly nodes: readonly KeptNode[]
  readonly operators: readonly StandInProcess[]
  readonly toll: Toll
}

/** One of them dies, and is back before the next one does: a node or an operator. */
async function killAll({ kills, seed, nodes, operators, toll }: Killing): Promise<void> {
  const chance = chanceOf(~seed)
  for (const operator of operators) await operator.setFaults(FAULTS)
  while (toll.nodes + toll.operators < kills) {
    await sleep(chance.below(2 * BETWEEN_KILLS_MS))
    if (chance.below(3) > 0) {
      const node = nodes[chance.below(nodes.length)] as KeptNode
      await node.kill()
      toll.nodes += 1
      await node.start()
    } else {
      const operator = operators[chance.below(operators.length)] as StandInProcess
      await operator.kill()
      toll.operators += 1
      await sleep(chance.below(500))
      await operator.start()
      await operator.setFaults(FAULTS)
    }
  }
}

/**
 * The test clock advances until no payment is open, and only while nothing is due: on a slow machine it
 * would leave payments behind that nobody had the time to work on. A deposit that never arrived stays in
 * doubt: its customer has gone, and that an operator does not know it is no evidence.
 */
async function settle(database: Database, node: KeptNode): Promise<void> {
  const deadline = performance.now() + ALL_ENDS_WITHIN_MS
  let advanced = 0
  for (let quiet = 0; quiet < 5 && performance.now() < deadline; ) {
    await sleep(200)
    const { now = new Date() } = (await callAt(node, 'GET', '/sandbox/clock'))?.body ?? {}
    const [row] = await database.query<{ open: number; due: number }>(
      `select count(*)::int as open, (count(*) filter (where due_at <= $1))::int as due
       from payments
       where due_at is not null and not (state = 'IN_RECONCILIATION' and kind = 'deposit')`,
      [now],
    )
    quiet = row?.open === 0 ? quiet + 1 : 0
    // After a day a payout is not sent again.
    if (row?.due !== 0 || advanced >= CLOCK_AT_MOST_S) continue
    await callAt(node, 'POST', '/sandbox/clock/advance', { seconds: ADVANCE_S })
    advanced += ADVANCE_S
  }
}
