import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Bench } from './measures.ts'
import type { Figure, Row } from './results.ts'
import { type BenchService, runProgram } from './service.ts'
import type { StatusResult } from './status.ts'
import { payments } from './words.ts'

/** P7: how a status check fares as the history grows. */
const CONNECTIONS = 4
const BATCH = 250_000

export async function measureGrowth(service: BenchService, bench: Bench): Promise<readonly Row[]> {
  const { sizes, statusChecks } = bench.effort
  const figures: Figure[] = []
  const slowest: number[] = []
  for (const size of sizes) {
    bench.note(`filling up to ${payments(size)} payments`)
    await growTo(service, size)
    const ids = join(bench.folder, 'ids.txt')
    writeFileSync(ids, (await someIds(service, statusChecks)).join('\n'))
    await ask(service, ids, statusChecks)
    const { p50Ms, p99Ms } = await ask(service, ids, statusChecks)
    bench.note(`p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`)
    figures.push({ name: 'p50', value: p50Ms, unit: 'ms', at: size })
    figures.push({ name: 'p99', value: p99Ms, unit: 'ms', at: size })
    slowest.push(p99Ms)
  }
  const [first = 0, last = 0] = [slowest[0], slowest.at(-1)]
  return [
    {
      id: 'P7',
      measure: 'status check at a growing number of payments',
      figures,
      beside: { name: 'p99 at the smallest', value: first, unit: 'ms' },
      ratio: last / first,
      bar: 'p99 grows less than 2 times',
      met: last < 2 * first,
    },
  ]
}

const ask = (service: BenchService, ids: string, requests: number): Promise<StatusResult> =>
  runProgram<StatusResult>('status', {
    port: service.port,
    token: service.token,
    connections: CONNECTIONS,
    requests,
    ids,
  })

/** Payments that ended long ago, with their time lines, as the service would have left them. */
async function growTo(service: BenchService, size: number): Promise<void> {
  for (;;) {
    const [row] = await service.query<{ count: string }>('select count(*) as count from payments')
    const missing = size - Number(row?.count)
    if (missing <= 0) break
    await service.query(insertOf(Math.min(missing, BATCH)))
  }
  await service.query('vacuum analyze payments')
  await service.query('checkpoint')
}

const insertOf = (count: number): string => `
  set synchronous_commit = off;
  with made as (
    insert into payments (merchant_id, kind, id, key, generation, created_at, amount, currency,
      country, provider, phone_number, details, state, holder, submitted_at, provider_reference,
      provider_transaction_id)
    select 1, 'deposit', gen_random_uuid(), gen_random_uuid(), 'v2',
      now() - n * interval '1 second', 15, 'ZMW', 'ZMB', 'MTN_MOMO_ZMB', '260763456789',
      '{"customerMessage":"Order 12345","clientReferenceId":"INV-123456","metadata":[{"name":"orderId","value":"ORD-123456789","pii": false}]}',
      'COMPLETED', 0, now(), gen_random_uuid()::text, 'SBXDD0E0B6979C2AA06'
    from generate_series(1, ${count}) as n
    returning merchant_id, key, created_at)
  insert into payment_events
  select merchant_id, key, 'ACCEPTED', created_at from made`

async function someIds(service: BenchService, count: number): Promise<string[]> {
  const rows = await service.query<{ id: string }>(
    `select id from payments tablesample bernoulli (
       least(100, 100.0 * ${count} * 1.2 / greatest(1, (select count(*) from payments))))
     where kind = 'deposit' limit ${count}`,
  )
  // The sample comes in the order of the table; asked in another, as merchants would.
  return rows.map((row) => row.id).toSorted()
}
