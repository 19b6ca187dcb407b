/** npm run proof -- operator-load */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { managing } from '../../harness/operator-accounts.ts'
import { callAt } from '../../harness/process.ts'
import { openDatabase } from '../../src/store/engine/database.ts'
import { addAccount } from '../../src/usecases/operators/manage-accounts.ts'
import { helpOf } from '../proofs.ts'
import type { Verdict } from '../support/check.ts'
import { readOptions } from '../support/options.ts'
import { type KeptNode, placeFor } from '../support/places.ts'
import { startPostgres } from '../support/postgres.ts'
import { endOnSignals, reportChecked, say, sayVerdicts } from '../support/report.ts'
import { accountOf, bodyOf, LINES, type Line } from './accounts.ts'
import { standInFor } from './stand-ins.ts'

const { numbers } = readOptions(helpOf('operator-load'), {
  numbers: { seconds: 60, rate: 50, waiting: 1000 },
  switches: [],
})
const { seconds, rate, waiting } = numbers
const LATENCY_MS = 300
const OVER_WITHIN_MS = 120_000
/** What a node may take for a thousand open payments and their exchanges. */
const GROWTH_MAX_MB = 150

endOnSignals()
const [line] = LINES as readonly [Line]
const postgres = await startPostgres()
const operator = await standInFor(line.connector, { latencyMs: LATENCY_MS, endsAfterMs: 2000 })
const database = openDatabase({ connectionString: postgres.url }, 4)
const node = await placeFor('node', { DATABASE_URL: postgres.url, MALIPO_LOG_LEVEL: 'error' })
let count = 0

/** Asks for deposits at a rate; answers their identifiers. */
async function ask(
  place: KeptNode,
  howMany: number,
  perSecond: number,
): Promise<readonly string[]> {
  const ids: string[] = []
  const startedAt = performance.now()
  const asked: Promise<void>[] = []
  for (let at = 0; at < howMany; at += 1) {
    await sleep(Math.max(0, startedAt + (at * 1000) / perSecond - performance.now()))
    const id = randomUUID()
    const number = line.numbers + String(1_000_000 + count).padStart(7, '0')
    count += 1
    const sent = callAt(place, 'POST', '/v2/deposits', bodyOf(line, 'deposit', id, number))
    asked.push(sent.then((answer) => void (answer?.body.status === 'ACCEPTED' && ids.push(id))))
  }
  await Promise.all(asked)
  return ids
}

const openOf = async (ids: readonly string[]): Promise<number> => {
  const [row] = await database.query<{ open: number }>(
    'select count(*)::int as open from payments where id = any($1) and due_at is not null',
    [ids],
  )
  return row?.open ?? 0
}

async function untilOver(ids: readonly string[]): Promise<number> {
  const deadline = performance.now() + OVER_WITHIN_MS
  while (performance.now() < deadline && (await openOf(ids)) > 0) await sleep(500)
  return openOf(ids)
}

const residentMb = async (): Promise<number> => {
  const text = await readFile(`/proc/${node.pid()}/status`, 'utf8').catch(() => '')
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(text)?.[1] ?? 0) / 1024)
}

const verdictOf = (guarantee: string, checked: number, findings: readonly string[]): Verdict => ({
  guarantee,
  checked,
  findings,
})

async function main(): Promise<readonly Verdict[]> {
  await operator.start()
  await node.start()
  await addAccount(managing({ database }), {
    ...accountOf(line, operator.url),
    limits: { atOnce: 256, perSecond: 1000 },
  })
  await sleep(1500)
  const before = await residentMb()
  say(`${rate} deposits a second for ${seconds} s, ${LATENCY_MS} ms for each answer, 5 % faults`)
  await operator.setFaults([{ on: 'any', fault: 'drop-after', percent: 5 }])
  const loaded = await ask(node, seconds * rate, rate)
  const stuck = await untilOver(loaded)
  await operator.setFaults([])
  const afterLoad = await residentMb()
  say(
    `${loaded.length} accepted, ${stuck} open at the end; memory ${before} MB, then ${afterLoad} MB`,
  )

  await operator.setAllPending(true)
  const prompts = await ask(node, waiting, 100)
  await operator.setAllPending(false)
  const open = await openOf(prompts)
  const startedAt = performance.now()
  const meanwhile = await ask(node, 10 * rate, rate)
  const late = await untilOver(meanwhile)
  const took = Math.round((performance.now() - startedAt) / 100) / 10
  const withPrompts = await residentMb()
  say(`${open} prompts wait; ${meanwhile.length} others took ${took} s, memory ${withPrompts} MB`)

  const twice =
    (await operator.book()).length - new Set((await operator.book()).map((one) => one.party)).size
  const grown = Math.max(afterLoad, withPrompts) - before
  return [
    verdictOf(
      'no payment is stuck under load',
      loaded.length,
      stuck > 0 ? [`${stuck} are open`] : [],
    ),
    verdictOf(
      'prompts that wait hold up nobody',
      meanwhile.length,
      late > 0 ? [`${late} are open`] : [],
    ),
    verdictOf('each payment is one order', loaded.length, twice > 0 ? [`${twice} twice`] : []),
    verdictOf(
      'memory is bounded',
      withPrompts,
      before > 0 && grown > GROWTH_MAX_MB ? [`${before} MB grew by ${grown} MB`] : [],
    ),
  ]
}

try {
  const verdicts = await main()
  const holds = sayVerdicts(verdicts)
  reportChecked(`${count} payments`)
  process.exitCode = holds ? 0 : 1
} finally {
  await Promise.all([node.kill(), operator.kill()])
  await database.close()
  await postgres.remove()
}
process.exit()
