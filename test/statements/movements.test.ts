import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { cloneDatabase } from '../../harness/service.ts'
import type { MerchantId } from '../../src/domain/ids.ts'
import { walletName } from '../../src/domain/payments/ledger.ts'
import { type Database, type Db, openDatabase } from '../../src/store/engine/database.ts'
import { beginReading, readMovements } from '../../src/store/payments/movements.ts'
import { writeMovements } from '../support/movements.ts'

const COUNT = 1000
const TABLES = ['payments', 'payment_events', 'transfers', 'split_payments']
const DAY_MS = 86_400_000

const PERIOD = {
  merchantId: 1 as MerchantId,
  wallet: walletName('ZMB', 'ZMW'),
  startAt: Date.now() - 30 * DAY_MS,
  endAt: Date.now() + DAY_MS,
}

async function openBooks(test: TestContext): Promise<Database> {
  const database = openDatabase({ connectionString: await cloneDatabase('malipo_demo') }, 1)
  test.after(database.close)
  return database
}

const analyse = (database: Database) => database.query(`analyze ${TABLES.join(', ')}`)

/** How many movements there are, and how many rows of all tables were looked at to read them. */
async function read(database: Database): Promise<{ movements: number; rows: number }> {
  return database.inTransaction(async (tx) => {
    await beginReading(tx, PERIOD)
    const before = await rowsRead(tx)
    let movements = 0
    for await (const some of readMovements(tx, PERIOD)) movements += some.length
    return { movements, rows: (await rowsRead(tx)) - before }
  })
}

async function rowsRead(tx: Db): Promise<number> {
  const [row] = await tx.query<{ rows: number }>(
    `select sum(seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows
     from pg_stat_xact_user_tables where relname = any ($1)`,
    [TABLES],
  )
  assert.ok(row !== undefined)
  return row.rows
}

describe('the movements of a wallet are read by a few rows each', () => {
  const assertFewRows = async (database: Database) => {
    const { movements, rows } = await read(database)
    assert.ok(movements >= COUNT)
    assert.ok(rows > movements && rows < 4 * movements, `${rows} rows for ${movements} movements`)
  }

  it('where the tables were never analysed, as after a restore', async (test) => {
    const database = await openBooks(test)
    await writeMovements(database, COUNT)
    await assertFewRows(database)
  })

  it('where they were analysed when they were small', async (test) => {
    const database = await openBooks(test)
    await writeMovements(database, 10)
    await analyse(database)
    await writeMovements(database, COUNT)
    await assertFewRows(database)
  })

  it('where they were analysed as they are', async (test) => {
    const database = await openBooks(test)
    await writeMovements(database, COUNT)
    await analyse(database)
    await assertFewRows(database)
  })
})
