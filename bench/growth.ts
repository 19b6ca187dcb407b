import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from './bench.ts'
import type { ReadsResult } from './reads.ts'
import type { Figure, Row } from './results.ts'
import { type BenchService, runProgram } from './service.ts'
import { payments } from './words.ts'

/** P7: the latency of a status check and of a page of a list as the history grows. */
const CONNECTIONS = 4
const BATCH = 250_000

type Read = {
  readonly measure: string
  readonly paths: (service: BenchService, count: number) => Promise<readonly string[]>
  readonly holds: string
  /** One page for this many status checks: a page has a hundred records. */
  readonly oneIn: number
}

const READS: readonly Read[] = [
  {
    measure: 'status check at a growing number of payments',
    paths: statusPaths,
    holds: '"FOUND"',
    oneIn: 1,
  },
  {
    measure: 'page of 100 in the list of callbacks at a growing number of payments',
    paths: listPaths,
    holds: '"status":"COMPLETED"',
    oneIn: 20,
  },
]

export async function measureGrowth(service: BenchService, bench: Bench): Promise<readonly Row[]> {
  const { sizes, statusChecks } = bench.effort
  const figures = READS.map((): Figure[] => [])
  const file = join(bench.folder, 'paths.txt')
  for (const size of sizes) {
    bench.note(`filling up to ${payments(size)} payments`)
    await growTo(service, size)
    for (const [index, { measure, paths, holds, oneIn }] of READS.entries()) {
      const requests = statusChecks / oneIn
      writeFileSync(file, (await paths(service, requests)).join('\n'))
      const job = { connections: CONNECTIONS, requests, paths: file, holds }
      const read = (): Promise<ReadsResult> =>
        runProgram('reads', { port: service.port, token: service.token, ...job })
      await read()
      const { p50Ms, p99Ms } = await read()
      bench.note(`${measure}: p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`)
      figures[index]?.push(
        { name: 'p50', value: p50Ms, unit: 'ms', at: size },
        { name: 'p99', value: p99Ms, unit: 'ms', at: size },
      )
    }
  }
  return READS.map(({ measure }, index) => rowOf(measure, figures[index] ?? []))
}

function rowOf(measure: string, figures: readonly Figure[]): Row {
  const slowest = figures.filter(({ name }) => name === 'p99').map(({ value }) => value)
  const first = slowest[0] ?? 0
  const worst = Math.max(...slowest)
  return {
    id: 'P7',
    measure,
    figures,
    beside: { name: 'p99 at the smallest', value: first, unit: 'ms' },
    ratio: worst / first,
    bar: 'p99 grows less than 2 times',
    met: worst < 2 * first,
  }
}

/** Payments that ended long ago, with what the measured calls read: first event and callback. */
async function growTo(service: BenchService, size: number): Promise<void> {
  for (;;) {
    const [row] = await service.query<{ count: string }>('select count(*) as count from payments')
    const missing = size - Number(row?.count)
    if (missing <= 0) break
    await service.query(insertOf(Math.min(missing, BATCH)))
  }
  await service.query('vacuum analyze payments, callbacks')
  await service.query('checkpoint')
}

const insertOf = (count: number): string => `
  set synchronous_commit = off;
  with made as (
    insert into payments (merchant_id, kind, id, key, generation, created_at, amount, currency,
      country, provider, phone_number, details, state, holder, submitted_at, provider_reference,
      provider_transaction_id, ended_at)
    select 1, 'deposit', gen_random_uuid(), gen_random_uuid(), 'v2',
      now() - n * interval '1 second', 15, 'ZMW', 'ZMB', 'MTN_MOMO_ZMB', '260763456789',
      '{"customerMessage":"Order 12345","clientReferenceId":"INV-123456","metadata":[{"name":"orderId","value":"ORD-123456789","pii": false}]}',
      'COMPLETED', 0, now(), gen_random_uuid()::text, 'SBXDD0E0B6979C2AA06', now()
    from generate_series(1, ${count}) as n
    returning merchant_id, key, id, created_at)
  insert into callbacks (merchant_id, payment_key, state, kind, payment_id, created_at, status,
    holder, round_started_at, tries, attempts, resend, feed_transaction)
  select merchant_id, key, 'COMPLETED', 'deposit', id, created_at, 'DELIVERED',
    0, created_at, 1, 1, false, pg_current_xact_id() from made`

/** A sample is in table order; it is read in random order, as merchants would. */
const sampleOf = (table: string, count: number): string =>
  `${table} tablesample bernoulli (
     least(100, 100.0 * ${count} * 1.2 / greatest(1, (select count(*) from ${table}))))`

async function statusPaths(service: BenchService, count: number): Promise<readonly string[]> {
  const rows = await service.query<{ id: string }>(
    `select id from ${sampleOf('payments', count)} where kind = 'deposit' limit ${count}`,
  )
  return rows.map(({ id }) => `/v2/deposits/${id}`).toSorted()
}

/** Keys are random: beyond this one are 6 % of a batch, so that a whole page follows every place. */
const LAST_PLACE = 'f0000000-0000-0000-0000-000000000000'

/** From places all over the history. */
async function listPaths(service: BenchService, count: number): Promise<readonly string[]> {
  const rows = await service.query<{ place: string }>(
    `select concat_ws('.', database_id, merchant_id, feed_transaction, payment_key, state) as place
     from ${sampleOf('callbacks', count)} cross join service_state
     where feed_transaction is not null and payment_key < '${LAST_PLACE}' limit ${count}`,
  )
  const address = encodeURIComponent('http://localhost:3000/callbacks')
  return rows
    .map(({ place }) => `/callbacks/feed?address=${address}&after=${place}`)
    .toSorted((a, b) => a.slice(-50).localeCompare(b.slice(-50)))
}
