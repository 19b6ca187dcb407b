import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { cloneDatabase } from '../../harness/service.ts'
import { listBulks } from '../../src/store/bulk/bulk-payouts.ts'
import { type Db, openDatabase } from '../../src/store/engine/database.ts'
import { findEntries } from '../../src/store/people/audit.ts'
import { createMerchant } from '../../src/usecases/accounts/manage-merchants.ts'

const ENTRIES = 5000
const BULKS = 20
const ROWS = 100

const database = openDatabase({ connectionString: await cloneDatabase() }, 2)
after(() => database.close())
const order = { slug: 'years', name: 'Years', providers: [], now: Date.now() }
const merchantId = await createMerchant(database, order)
assert.ok(merchantId !== undefined)

const ids = (n: string): string => `lpad(to_hex(${n}), 32, '0')::uuid`

/** Years of refunds by people, and of files of payouts. */
before(async () => {
  await database.query(
    `insert into audit_entries (merchant_id, number, at, actor, action, object, address, hash)
     select $2, n, now(), 'a@example.com', 'refund requested', ${ids('n')}::text, '127.0.0.1', ''
     from generate_series(1000, $1::int + 999) n`,
    [ENTRIES, merchantId],
  )
  const [user] = await database.query<{ id: number }>(
    `insert into users (email, name, created_at) values ('maker@example.com', '', now())
     returning user_id as id`,
  )
  await database.query(
    `insert into bulk_payouts
       (merchant_id, id, name, file_hash, created_at, created_by, row_count, totals, countries)
     select $4, ${ids('n')}, 'f', '', now(), $1, $3, '[{"amount":"100","currency":"ZMW"}]', '{}'
     from generate_series(1, $2::int) n`,
    [user?.id, BULKS, ROWS, merchantId],
  )
  await database.query(
    `insert into bulk_payout_rows (merchant_id, bulk_id, number, payout_id, fields)
     select b.merchant_id, b.id, n, gen_random_uuid()::text, '{}'
     from bulk_payouts b cross join generate_series(1, $1::int) n`,
    [ROWS],
  )
  await database.query('analyze audit_entries, bulk_payouts, bulk_payout_rows')
})

/** How many rows of the table the work looks at. */
function rowsRead(table: string, work: (tx: Db) => Promise<unknown>): Promise<number> {
  return database.inTransaction(async (tx) => {
    const before = await readSoFar(tx, table)
    await work(tx)
    return (await readSoFar(tx, table)) - before
  })
}

/** By this connection; the server adds up for longer than one transaction. */
async function readSoFar(tx: Db, table: string): Promise<number> {
  const [row] = await tx.query<{ read: number }>(
    `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read
     from pg_stat_xact_user_tables where relname = $1`,
    [table],
  )
  return row?.read ?? 0
}

it('who did something with an object is found without a look at all who did the like', async () => {
  const asked = {
    merchantId,
    action: 'refund requested',
    object: '00000000-0000-0000-0000-000000000bb8',
  }
  const read = await rowsRead('audit_entries', async (tx) => {
    assert.deepEqual(await findEntries(tx, asked), [{ actor: 'a@example.com', after: null }])
  })
  assert.ok(read <= 2, `${read} of ${ENTRIES} entries`)
})

it('the list of bulk payouts has their totals without a look at their rows', async () => {
  const seer = { userId: 0, countries: [] }
  const read = await rowsRead('bulk_payout_rows', async (tx) => {
    const found = await listBulks(tx, merchantId, seer, {}, 50)
    assert.equal(found.length, BULKS)
    assert.ok(found.every(({ rowCount, totals }) => rowCount === ROWS && totals.length === 1))
  })
  assert.equal(read, 0)
})
