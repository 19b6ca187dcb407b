/** npm run proof -- dashboard */
import { setTimeout as sleep } from 'node:timers/promises'
import { signedIn, type Visitor } from '../../harness/dashboard.ts'
import { openDatabase } from '../../src/store/engine/database.ts'
import { helpOf } from '../proofs.ts'
import type { Verdict } from '../support/check.ts'
import { readOptions } from '../support/options.ts'
import { placeFor } from '../support/places.ts'
import { startPostgres } from '../support/postgres.ts'
import { endOnSignals, reportChecked, say, sayVerdicts } from '../support/report.ts'
import { writePayments } from './million.ts'

const { numbers } = readOptions(helpOf('dashboard'), {
  numbers: { payments: 1_000_000, rounds: 20 },
  switches: [],
})
const { payments, rounds } = numbers
const COUNTED_WITHIN_MS = 1_800_000

type Group = {
  readonly name: string
  /** What 95 of 100 requests keep to. */
  readonly p95Ms: number
  readonly paths: (round: number) => readonly string[]
}

const LISTS = [
  '',
  'status=COMPLETED',
  'status=FAILED',
  'status=PROCESSING',
  'provider=MTN_MOMO_ZMB',
  'provider=ZAMTEL_ZMB&status=FAILED',
  'provider=MPESA_KEN',
  'country=KEN',
  'currency=KES',
  'currency=ZMW&min=100000',
  'min=150000&max=151000',
  'min=20&max=30',
  'failureCode=PAYER_LIMIT_REACHED',
  'source=BULK',
  'source=CHECKOUT',
  'range=30d&provider=AIRTEL_OAPI_ZMB',
]

const GROUPS: readonly Group[] = [
  {
    name: 'lists',
    p95Ms: 400,
    paths: () =>
      ['deposits', 'payouts'].flatMap((list) =>
        LISTS.map((query) => `/dashboard/${list}?${query || 'all'}`),
      ),
  },
  {
    name: 'search',
    p95Ms: 300,
    paths: (round) => {
      const one = 1 + ((round * 7919) % payments)
      const questions = [
        `INV-${one}`,
        `ORD-${one}`,
        `TX${one}`,
        `0976 ${String(one).padStart(6, '0')}`,
        `26076${String(one % 200_000).padStart(7, '0')}`,
        '500',
        '100007 ZMW',
        'nothing of the kind',
        `ref:INV-${one}`,
      ]
      return questions.map((q) => `/dashboard/search?${new URLSearchParams({ q })}`)
    },
  },
  {
    name: 'Home',
    p95Ms: 500,
    paths: () => ['today', '7d', '30d'].map((range) => `/dashboard?range=${range}`),
  },
]

endOnSignals()
const postgres = await startPostgres()
const database = openDatabase({ connectionString: postgres.url }, 4)
const node = await placeFor('node', { DATABASE_URL: postgres.url, MALIPO_LOG_LEVEL: 'error' })

async function untilCounted(): Promise<void> {
  const deadline = performance.now() + COUNTED_WITHIN_MS
  for (let looks = 0; performance.now() < deadline; looks += 1) {
    const [row] = await database.query<{ hours: number }>(
      `select extract(epoch from now() - until)::float8 / 3600 as hours from counted_hours
       where merchant_id = 1`,
    )
    if (row !== undefined && row.hours < 2) return
    if (looks % 20 === 0) say(`payments are counted: ${Math.round(row?.hours ?? 0)} hours to go`)
    await sleep(500)
  }
  throw new Error('the hours were not counted in time')
}

const percentile = (times: readonly number[], share: number): number =>
  Math.round(times.toSorted((one, other) => one - other)[Math.ceil(times.length * share) - 1] ?? 0)

/** In turns, so that each kind of page meets the same state of the caches. */
async function measure(visitor: Visitor, { name, p95Ms, paths }: Group): Promise<Verdict> {
  const times = new Map<string, number[]>()
  for (let round = 0; round <= rounds; round += 1) {
    for (const [at, path] of paths(round).entries()) {
      const startedAt = performance.now()
      const { status } = await visitor.get(path)
      const took = performance.now() - startedAt
      if (status !== 200 && status !== 303) throw new Error(`${path} answered ${status}`)
      const first = paths(0)[at] ?? path
      // The first round fills the caches of PostgreSQL, as the first visit of a day does.
      if (round > 0) times.set(first, [...(times.get(first) ?? []), took])
    }
  }
  const all = [...times.values()].flat()
  const slowest = [...times].toSorted(
    ([, one], [, other]) => percentile(other, 0.95) - percentile(one, 0.95),
  )
  say(`${name}: p50 ${percentile(all, 0.5)} ms, p95 ${percentile(all, 0.95)} ms; slowest:`)
  for (const [path, its] of slowest.slice(0, 5)) say(`  ${percentile(its, 0.95)} ms  ${path}`)
  const p95 = percentile(all, 0.95)
  return {
    guarantee: `${name}: 95 of 100 within ${p95Ms} ms`,
    checked: all.length,
    findings: p95 > p95Ms ? [`p95 is ${p95} ms`] : [],
  }
}

async function main(): Promise<readonly Verdict[]> {
  await node.start()
  await writePayments(database, payments, (written) => {
    if (written % 200_000 === 0) say(`${written} payments written`)
  })
  await database.query('vacuum analyze payments')
  await untilCounted()
  for (const table of ['payment_terms', 'payment_hours', 'payment_combinations']) {
    await database.query(`vacuum analyze ${table}`)
  }
  const visitor = await signedIn({ url: node.url, database })
  const verdicts: Verdict[] = []
  for (const group of GROUPS) verdicts.push(await measure(visitor, group))
  return verdicts
}

try {
  const verdicts = await main()
  const holds = sayVerdicts(verdicts)
  reportChecked(`${payments} payments`)
  process.exitCode = holds ? 0 : 1
} finally {
  await node.kill()
  await database.close()
  await postgres.remove()
}
process.exit()
