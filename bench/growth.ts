import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Row } from './report.ts'
import { type BenchService, runProgram } from './service.ts'
import type { StatusResult } from './status.ts'

/** P7: how a status check fares as the history grows. */
const SIZES = [10_000, 1_000_000, 5_000_000]
const QUICK_SIZES = [10_000, 200_000]
const REQUESTS = 20_000
const CONNECTIONS = 4
const BATCH = 250_000

export async function measureGrowth(
  service: BenchService,
  folder: string,
  quick: boolean,
  note: (text: string) => void,
): Promise<Row> {
  const results: { size: number; result: StatusResult }[] = []
  for (const size of quick ? QUICK_SIZES : SIZES) {
    note(`P7 at ${size.toLocaleString('en')} payments …`)
    await growTo(service, size)
    const ids = join(folder, 'ids.txt')
    writeFileSync(ids, (await someIds(service)).join('\n'))
    await ask(service, ids)
    const result = await ask(service, ids)
    note(`  p50 ${result.p50Ms.toFixed(2)} ms, p99 ${result.p99Ms.toFixed(2)} ms`)
    results.push({ size, result })
  }
  const first = results[0]?.result.p99Ms ?? 0
  const last = results.at(-1)?.result.p99Ms ?? 0
  const figures = results.map(
    ({ size, result }) =>
      `${short(size)}: p50 ${result.p50Ms.toFixed(2)}, p99 ${result.p99Ms.toFixed(2)} ms`,
  )
  return {
    id: 'P7',
    measure: 'status check at a growing number of payments',
    figure: figures.join('; '),
    beside: 'itself at the smallest',
    ratio: last / first,
    bar: 'p99 grows less than 2 times',
    met: last < 2 * first,
  }
}

const short = (size: number): string => (size >= 1e6 ? `${size / 1e6} million` : `${size / 1000} k`)

const ask = (service: BenchService, ids: string): Promise<StatusResult> =>
  runProgram<StatusResult>('status', {
    port: service.port,
    token: service.token,
    connections: CONNECTIONS,
    requests: REQUESTS,
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

async function someIds(service: BenchService): Promise<string[]> {
  const rows = await service.query<{ id: string }>(
    `select id from payments tablesample bernoulli (
       least(100, 100.0 * ${REQUESTS} * 1.2 / greatest(1, (select count(*) from payments))))
     where kind = 'deposit' limit ${REQUESTS}`,
  )
  // The sample comes in the order of the table; asked in another, as merchants would.
  return rows.map((row) => row.id).toSorted()
}
