import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  closeSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import type { BenchService } from './service.ts'

/** What the figures stand beside: the same rows committed one by one, and the disk itself. */
export type Peer = { readonly name: string; readonly perSecond: number }

/** The rows of one accepted deposit, in tables of the same make. */
const TABLES = `
  create table if not exists bench_payments (like payments including all);
  create table if not exists bench_events (like payment_events including all);
  truncate bench_payments, bench_events`

const INSERT = `
with row as (
  insert into bench_payments (merchant_id, kind, id, key, generation, created_at, amount, currency,
    country, provider, phone_number, details, state, holder, due_at)
  values (1, 'deposit', gen_random_uuid(), gen_random_uuid(), 'v2', now(), 15, 'ZMW', 'ZMB',
    'MTN_MOMO_ZMB', '260763456789',
    '{"customerMessage":"Order 12345","clientReferenceId":"INV-123456","metadata":[{"name":"orderId","value":"ORD-123456789","pii": false}]}',
    'ACCEPTED', 1, now())
  returning merchant_id, key, created_at)
insert into bench_events select merchant_id, key, 'ACCEPTED', created_at from row;`

export async function singleCommits(
  service: BenchService,
  connections: number,
  seconds: number,
): Promise<Peer> {
  await service.query(TABLES)
  const socketDir = new URL(service.databaseUrl).searchParams.get('host') ?? ''
  try {
    return await pgbench(socketDir, connections, seconds)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return standIn(service, connections, seconds)
  }
}

async function pgbench(socketDir: string, connections: number, seconds: number): Promise<Peer> {
  const folder = mkdtempSync(join(tmpdir(), 'malipo-bench-'))
  const script = join(folder, 'insert.sql')
  writeFileSync(script, INSERT.replaceAll('\n', ' '))
  const args = ['-n', '-M', 'prepared', '-c', String(connections), '-j', '2', '-T', String(seconds)]
  const where = ['-h', socketDir, '-U', 'malipo', '-f', script, 'malipo']
  const { stdout } = await promisify(execFile)('pgbench', [...args, ...where])
  rmSync(folder, { recursive: true })
  const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  return { name: `pgbench -M prepared -c ${connections}`, perSecond }
}

/** Where pgbench is not installed: as many connections of the driver, one commit each. */
async function standIn(service: BenchService, connections: number, seconds: number): Promise<Peer> {
  const endsAt = performance.now() + seconds * 1000
  let count = 0
  const drive = async (): Promise<void> => {
    const client = new pg.Client({ connectionString: service.databaseUrl })
    await client.connect()
    while (performance.now() < endsAt) {
      await client.query({ name: 'single', text: INSERT })
      count += 1
    }
    await client.end()
  }
  await Promise.all(Array.from({ length: connections }, drive))
  return { name: 'single commits by the driver (pgbench is missing)', perSecond: count / seconds }
}

/** Flushes of the disk under the data folder per second: what every commit waits for. */
export function flushesPerSecond(folder: string): number {
  const file = join(folder, `flush-${randomUUID()}`)
  const descriptor = openSync(file, 'w')
  const page = Buffer.alloc(8192, 1)
  const startedAt = performance.now()
  let count = 0
  while (performance.now() - startedAt < 2000) {
    writeSync(descriptor, page, 0, page.length, (count % 1024) * page.length)
    fdatasyncSync(descriptor)
    count += 1
  }
  const seconds = (performance.now() - startedAt) / 1000
  closeSync(descriptor)
  rmSync(file)
  return count / seconds
}
