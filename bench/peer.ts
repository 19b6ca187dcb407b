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

/** What the figures are compared with: the same rows committed one by one, and the disk itself. */
type Peer = { readonly name: string; readonly perSecond: number }

/** The rows of one accepted deposit, in similar tables. */
const TABLES = `
  create table if not exists bench_payments (like payments including all);
  create table if not exists bench_transfers (like transfers including all);
  truncate bench_payments, bench_transfers`

const INSERT = `
insert into bench_payments (merchant_id, kind, id, key, generation, created_at, amount, currency,
  country, provider, phone_number, details, state, holder, due_at, provider_reference)
values (1, 'deposit', gen_random_uuid(), gen_random_uuid(), 'v2', now(), 15, 'ZMW', 'ZMB',
  'MTN_MOMO_ZMB', '260763456789',
    '{"customerMessage":"Order 12345","clientReferenceId":"INV-123456","metadata":[{"name":"orderId","value":"ORD-123456789","pii": false}]}',
    'ACCEPTED', 1, now(), gen_random_uuid()::text);`

/** A payout as a straightforward program stores it: the wallet's row is locked until the commit. */
const DEBIT = `
with wallet as (
  update bench_accounts set balance = balance - 15 where merchant_id = 1 returning account
), row as (
  insert into bench_payments (merchant_id, kind, id, key, generation, created_at, amount, currency,
    country, provider, phone_number, details, state, holder, due_at, held_from,
    provider_reference)
  select 1, 'payout', gen_random_uuid(), gen_random_uuid(), 'v2', now(), 15, 'ZMW', 'ZMB',
    'MTN_MOMO_ZMB', '260763456789',
    '{"customerMessage":"Order 12345","clientReferenceId":"INV-123456","metadata":[{"name":"orderId","value":"ORD-123456789","pii": false}]}',
    'ACCEPTED', 1, now(), account, gen_random_uuid()::text from wallet
  returning merchant_id, key, id, created_at, amount, held_from
)
insert into bench_transfers (merchant_id, key, payment_id, cause, debit, credit, amount, at)
select merchant_id, key, id, 'ACCEPTED', held_from, 'reserve' || substr(held_from, 7), amount,
       created_at from row;`

const WALLET = `
  create table if not exists bench_accounts (like accounts including all);
  truncate bench_accounts;
  insert into bench_accounts select * from accounts where merchant_id = 1 and account = 'wallet:ZMB:ZMW';
  update bench_accounts set balance = 1e12`

/** The rows of one accepted deposit, one commit each. */
export function singleCommits(
  service: BenchService,
  connections: number,
  seconds: number,
): Promise<Peer> {
  return oneByOne(service, INSERT, { connections, seconds })
}

/** The rows of one accepted payout, one commit each, all from one wallet. */
export async function singleDebits(
  service: BenchService,
  connections: number,
  seconds: number,
): Promise<Peer> {
  await service.query(WALLET)
  return oneByOne(service, DEBIT, { connections, seconds })
}

type Effort = { readonly connections: number; readonly seconds: number }

async function oneByOne(service: BenchService, statement: string, effort: Effort): Promise<Peer> {
  await service.query(TABLES)
  const socketDir = new URL(service.databaseUrl).searchParams.get('host') ?? ''
  try {
    return await pgbench(socketDir, statement, effort)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return standIn(service, statement, effort)
  }
}

async function pgbench(
  socketDir: string,
  statement: string,
  { connections, seconds }: Effort,
): Promise<Peer> {
  const folder = mkdtempSync(join(tmpdir(), 'malipo-bench-'))
  const script = join(folder, 'insert.sql')
  writeFileSync(script, statement.replaceAll('\n', ' '))
  const args = ['-n', '-M', 'prepared', '-c', String(connections), '-j', '2', '-T', String(seconds)]
  const where = ['-h', socketDir, '-U', 'malipo', '-f', script, 'malipo']
  const { stdout } = await promisify(execFile)('pgbench', [...args, ...where])
  rmSync(folder, { recursive: true })
  const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  return { name: `pgbench -M prepared -c ${connections}`, perSecond }
}

/** If pgbench is not installed: as many connections of the driver, one commit each. */
async function standIn(
  service: BenchService,
  statement: string,
  { connections, seconds }: Effort,
): Promise<Peer> {
  const endsAt = performance.now() + seconds * 1000
  let count = 0
  const drive = async (): Promise<void> => {
    const client = new pg.Client({ connectionString: service.databaseUrl })
    await client.connect()
    while (performance.now() < endsAt) {
      await client.query({ name: 'single', text: statement })
      count += 1
    }
    await client.end()
  }
  await Promise.all(Array.from({ length: connections }, drive))
  return { name: 'single commits by the driver (pgbench is missing)', perSecond: count / seconds }
}

/** Disk flushes per second in the data folder: what every commit waits for. */
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
