import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { cloneDatabase, eventually, startService } from '../../harness/service.ts'
import type { MerchantId, NodeId, PaymentId } from '../../src/domain/ids.ts'
import { openDatabase } from '../../src/store/engine/database.ts'
import { claimPayments, findPayment } from '../../src/store/payments/payments.ts'
import { rowsRead } from '../support/rows-read.ts'

const MERCHANT = 1 as MerchantId
const PAYMENTS = 1000

/** As in the first minute of a load: many payments, and the server has not yet looked at them. */
describe('a table without statistics', { timeout: 540_000 }, async () => {
  const database = openDatabase({ connectionString: await cloneDatabase() }, 2)
  after(() => database.close())
  before(async () => {
    await database.query('alter table payments set (autovacuum_enabled = false)')
    await database.query(
      `insert into payments (merchant_id, kind, id, key, generation, created_at, amount, currency,
         country, provider, phone_number, details, state, holder, due_at)
       select 1, 'deposit', gen_random_uuid(), gen_random_uuid(), 'v2', now(), 100, 'ZMW', 'ZMB',
         'MTN_MOMO_ZMB', '260763456789', '{}', 'ACCEPTED', 0, to_timestamp(0)
       from generate_series(1, $1::int)`,
      [PAYMENTS],
    )
  })

  it('lets a node take its due payments one by one, not each by reading all', async () => {
    const [{ lineage = '' } = {}] = await database.query<{ lineage: string }>(
      'select data_lineage() as lineage',
    )
    const read = await rowsRead(database, 'payments', async (tx) => {
      const taken = await claimPayments(tx, 1 as NodeId, lineage, Date.now(), PAYMENTS)
      assert.equal(taken.length, PAYMENTS)
    })
    assert.ok(read <= 10 * PAYMENTS, `${read} rows read`)
  })
})

describe('a new database', { timeout: 540_000 }, async () => {
  const service = await startService()
  const { database } = service
  after(() => service.stop())

  it('has statistics after a hundred payments, and finds one by its identifier', async () => {
    // Whatever the server does by itself once a minute does not help here.
    await database.query('alter table payments set (autovacuum_enabled = false)')
    const answers = await Promise.all(Array.from({ length: 150 }, () => service.deposit()))
    await eventually(async () => {
      const [row] = await database.query<{ rows: number }>(
        `select reltuples::int as rows from pg_class where oid = 'payments'::regclass`,
      )
      assert.ok((row?.rows ?? -1) > 0)
    })
    const id = answers[0]?.id ?? ''
    const read = await rowsRead(database, 'payments', async (tx) => {
      assert.ok(await findPayment(tx, MERCHANT, 'deposit', id as PaymentId))
    })
    assert.ok(read <= 3, `${read} rows read`)
  })
})
