import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import {
  ALL_KINDS,
  bodyOf,
  delayPayingOut,
  KINDS,
  reachesState,
  setAllCallbacks,
  start,
} from '../../harness/every-kind.ts'
import { checkout, checkoutReaches, failOnce, form } from '../../harness/hosted.ts'
import { connectTo } from '../../harness/process.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { cloneDatabase, eventually, type Service, startService } from '../../harness/service.ts'
import type { MerchantId, NodeId, PaymentId } from '../../src/domain/ids.ts'
import { findUsedIds, readProgress } from '../../src/store/bulk/rows.ts'
import { findVersions } from '../../src/store/cluster/changes.ts'
import { freeOrphans } from '../../src/store/cluster/takeover.ts'
import { openDatabase } from '../../src/store/engine/database.ts'
import { listLinks } from '../../src/store/hosted/payment-links.ts'
import { claimPayments } from '../../src/store/payments/payments.ts'
import { CROWDED, crowd, crowdOfDeposits } from '../support/crowd.ts'
import { rowsRead } from '../support/rows-read.ts'

const MERCHANT = 1
const SIZE = 2000
/** PostgreSQL plans a statement by its values five times, and for any values then. */
const ROUNDS = 6

/** What was there when the server last looked at its tables; undefined: it never did. */
const KNOWN: Readonly<Record<string, readonly string[] | undefined>> = {
  'in tables that the server has not looked at yet': undefined,
  'of a merchant that is new since it looked': crowd({ merchantId: 77, size: SIZE }),
  'of kinds that are new since it looked': crowdOfDeposits({ merchantId: MERCHANT, size: SIZE }),
}

/**
 * What the server knows of its tables is never up to date, least of all in the first minutes. It must not
 * take one index for another then, and read all payments of a merchant to find one.
 */
describe('a payment among many', { timeout: 540_000 }, () => {
  for (const [name, known] of Object.entries(KNOWN)) {
    it(`${name} reads no more than its own rows`, async () => {
      const url = await processAmong(known)
      for (const { table, rows } of await surplusRows(url)) {
        assert.ok(rows < SIZE, `${rows} rows of ${table} were read beyond one for each look`)
      }
    })
  }

  it('is taken one by one by the node that processes them', async () => {
    const database = openDatabase({ connectionString: await cloneDatabase() }, 2)
    after(() => database.close())
    await database.query('alter table payments set (autovacuum_enabled = false)')
    await database.query(
      `insert into payments (merchant_id, kind, id, key, generation, created_at, amount, currency,
         country, provider, phone_number, details, state, holder, due_at)
       select 1, 'deposit', gen_random_uuid(), gen_random_uuid(), 'v2', now(), 100, 'ZMW', 'ZMB',
         'MTN_MOMO_ZMB', '260763456789', '{}', 'ACCEPTED', 0, to_timestamp(0)
       from generate_series(1, $1::int)`,
      [SIZE],
    )
    const [{ lineage = '' } = {}] = await database.query<{ lineage: string }>(
      'select data_lineage() as lineage',
    )
    const read = await rowsRead(database, 'payments', async (tx) => {
      const taken = await claimPayments(tx, 1 as NodeId, lineage, Date.now(), SIZE)
      assert.equal(taken.length, SIZE)
    })
    assert.ok(read <= 10 * SIZE, `${read} rows read`)
  })
})

/** In a database that nobody uses any more when this returns its URL. */
async function processAmong(known: readonly string[] | undefined): Promise<string> {
  const service = await startService()
  const { node, database, databaseUrl } = service
  try {
    await prepare(service, known)
    const made: Made = { deposits: [], payouts: [], waiting: [] }
    for (let round = 0; round < ROUNDS; round += 1) await oneOfEach(service, made)
    await loseItsName(service)
    await readThem(service, made)
    await payOutAgain(service, made)
    return databaseUrl
  } finally {
    // Without a look at the books: the crowd is in none.
    await node.stop()
    await database.close()
  }
}

async function prepare(service: Service, known: readonly string[] | undefined): Promise<void> {
  const { database } = service
  const receiver = await startReceiver()
  after(() => receiver.close())
  await setAllCallbacks(service, receiver.url)
  await delayPayingOut(service)
  // Or the server looks at them meanwhile.
  for (const table of CROWDED) {
    await database.query(`alter table ${table} set (autovacuum_enabled = false)`)
  }
  for (const statement of known ?? []) await database.query(statement)
  if (known !== undefined) await database.query('analyze')
  for (const statement of crowd({ merchantId: MERCHANT, size: SIZE })) {
    await database.query(statement)
  }
  await database.query('select pg_stat_reset()')
}

type Made = { readonly deposits: string[]; readonly payouts: string[]; readonly waiting: string[] }

/** Every kind with every ending, and asked for twice; a checkout that is paid in the second attempt. */
async function oneOfEach(service: Service, made: Made): Promise<void> {
  for (const kind of ALL_KINDS) {
    const { id } = await start(service, kind, 'COMPLETED')
    if (kind === 'deposit') made.deposits.push(id)
    if (kind === 'payout') made.payouts.push(id)
    if (kind !== 'splitPayment') {
      const open = await start(service, kind, 'OPEN')
      if (kind === 'payout') made.waiting.push(open.id)
    }
    if (kind === 'refund') continue
    await start(service, kind, 'FAILED')
    const repeated = bodyOf(kind, 'COMPLETED')
    await service.post(KINDS[kind].path, repeated)
    await service.post(KINDS[kind].path, repeated)
  }
  const opened = await checkout(service)
  await failOnce(service, opened)
  await service.node.hosted.payOnCheckout(opened.code, form())
  await checkoutReaches(service, opened.id, 'COMPLETED')
}

/** As a node does that is late with its heartbeat: what it held is free for its next name. */
async function loseItsName({ node, database }: Service): Promise<void> {
  const name = node.ctx.node.id()
  node.ctx.work.startOver()
  await eventually(() => assert.notEqual(node.ctx.node.id(), name))
  await freeOrphans(database, Date.now())
}

/** What the waiting pages of customers, lists of links, and files of payouts ask about many at once. */
async function readThem({ database }: Service, { deposits, payouts }: Made): Promise<void> {
  await database.query(
    `insert into users (email, created_at) values ('one@shop.example', now()) on conflict do nothing`,
  )
  await database.query(
    `insert into payment_links (merchant_id, id, kind, key, created_at, expires_at, created_by)
     select 1, id, 'PAGE', gen_random_uuid(), now(), now(), (select max(user_id) from users)
     from unnest($1::uuid[]) id`,
    [deposits],
  )
  const bulkId = randomUUID()
  await database.query(
    `with bulk as (
       insert into bulk_payouts
         (merchant_id, id, name, file_hash, created_at, created_by, row_count, totals, countries)
       select 1, $1, '', '', now(), max(user_id), 1, '{}', '{}' from users)
     insert into bulk_payout_rows (merchant_id, bulk_id, number, payout_id, fields, state)
     select 1, $1, number, id, '{}', 'ACCEPTED' from unnest($2::text[]) with ordinality i (id, number)`,
    [bulkId, payouts],
  )
  const merchantId = MERCHANT as MerchantId
  for (let round = 0; round < ROUNDS; round += 1) {
    const watched = deposits.map((id) => ({
      kind: 'deposit' as const,
      merchantId,
      id: id as PaymentId,
    }))
    const versions = await findVersions(database, watched)
    assert.ok(versions.every((version) => version !== undefined))
    const links = await listLinks(database, merchantId, [], undefined, 100)
    assert.equal(links.length, deposits.length)
    const { completed } = await readProgress(database, merchantId, bulkId)
    assert.equal(completed, payouts.length)
    const used = await findUsedIds(database, merchantId, bulkId, payouts)
    assert.equal(used.size, payouts.length)
  }
}

/** The provider works again, and what waits in line goes on. */
async function payOutAgain(service: Service, { waiting }: Made): Promise<void> {
  for (const operationType of ['PAYOUT', 'REFUND', 'REMITTANCE']) {
    const control = { provider: 'AIRTEL_OAPI_ZMB', operationType, status: 'OPERATIONAL' }
    assert.equal((await service.put('/sandbox/availability', control)).status, 204)
  }
  for (const id of waiting) await reachesState(service, 'payout', id, 'COMPLETED')
}

/**
 * By all connections of a database that nobody uses any more, beyond one row for each look into an index:
 * how often a status is asked for until it has come depends on the machine.
 */
async function surplusRows(url: string) {
  const client = await connectTo(url)
  try {
    // The server adds up what a connection has read when it ends.
    await eventually(async () => {
      const { rowCount } = await client.query(
        `select from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid()`,
      )
      assert.equal(rowCount, 0)
    })
    const { rows } = await client.query<{ table: string; rows: number }>(
      `select t.relname as "table", (t.seq_tup_read
         + (select sum(greatest(i.idx_tup_read - i.idx_scan, 0)) from pg_stat_user_indexes i
            where i.relid = t.relid))::int as rows
       from pg_stat_user_tables t where t.relname = any($1)`,
      [CROWDED],
    )
    assert.equal(rows.length, CROWDED.length)
    return rows
  } finally {
    await client.end()
  }
}
