import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { cloneDatabase } from '../../harness/service.ts'
import type { MerchantId, NodeId, PaymentId } from '../../src/domain/ids.ts'
import type { Payment } from '../../src/domain/payments/payment.ts'
import { createReleaseGroup } from '../../src/store/callbacks/callbacks.ts'
import { recordCutOff } from '../../src/store/callbacks/sendings.ts'
import { type Database, openDatabase } from '../../src/store/engine/database.ts'
import { findPayment } from '../../src/store/payments/payments.ts'
import { rowsCompared } from '../support/rows-compared.ts'

const NODE = 7 as NodeId
const COUNT = 2048
const AT_ONCE = 128

/** Endpoints together have thousands of attempts under way, and whatever ends them concerns all at once. */
describe('thousands of attempts under way', { timeout: 120_000 }, () => {
  it('are recorded when their node is gone, without comparing each with each', async () => {
    const database = await withNotes()
    const compared = await rowsCompared(database, (db) => recordCutOff(db, Date.now()))
    assert.ok(compared <= 10 * COUNT, `${compared} pairs of rows were compared`)
    assert.deepEqual(await totals(database), { callbacks: COUNT, attempts: COUNT, noted: 0 })
  })

  it('two of one callback count as one when the node is gone', async () => {
    const database = await withNotes()
    await database.query(
      `insert into sendings select node_id + 1, batch, begun_at + interval '1 s', array['https://late.example/'],
         merchant_ids, payment_keys, states, attempts, url_at, kinds, payment_ids from sendings`,
    )
    assert.equal(await recordCutOff(database, Date.now()), COUNT)
    assert.deepEqual(await totals(database), { callbacks: COUNT, attempts: COUNT, noted: 0 })
    const urls = await database.query(
      'select distinct url, at = to_timestamp(0) as first from callback_attempts',
    )
    assert.deepEqual(urls, [{ url: 'https://shop.example/', first: true }])
  })

  it('leave the notes of the node that gives them back, without comparing each with each', async () => {
    const database = await withNotes()
    await database.query(
      `insert into callbacks (merchant_id, payment_key, state, kind, payment_id, created_at, status,
         holder, due_at, round_started_at, tries, attempts, resend)
       select merchant_id, key, state, kind, id, now(), 'PENDING', $1, now(), now(), 0, 0, false
       from payments`,
      [NODE],
    )
    const back = COUNT / 4
    const payments = await somePayments(database, back)
    const compared = await rowsCompared(database, async (db) => {
      const release = createReleaseGroup(db)
      await Promise.all(
        payments.map((subject) => {
          const times = { createdAt: 0, roundStartedAt: 0 }
          const owed = { subject, state: subject.state, ...times, tries: 0, attempts: 0 } as const
          return release.add({ owed, holder: NODE, dueAt: Date.now() })
        }),
      )
    })
    assert.ok(compared <= 10 * COUNT, `${compared} pairs of rows were compared`)
    assert.deepEqual(await totals(database), { callbacks: COUNT, attempts: 0, noted: COUNT - back })
    const [{ wrong = 0 } = {}] = await database.query<{ wrong: number }>(
      `select count(*)::int as wrong
       from sendings s cross join unnest(s.payment_keys, s.kinds) u (key, kind)
       left join callbacks c on c.payment_key = u.key
       where (u.key is null) <> (u.kind is null) or c.holder <> s.node_id`,
    )
    assert.equal(wrong, 0)
  })
})

/** Completed payments whose callbacks have no row yet and are being sent. */
async function withNotes(): Promise<Database> {
  const database = openDatabase({ connectionString: await cloneDatabase() }, 2)
  after(() => database.close())
  await database.query(
    `insert into payments (merchant_id, kind, id, key, generation, created_at, amount, currency,
       country, provider, phone_number, details, state, holder)
     select 1, 'deposit', gen_random_uuid(), gen_random_uuid(), 'v2', now(), 100, 'ZMW', 'ZMB',
       'MTN_MOMO_ZMB', '260763456789', '{}', 'COMPLETED', 0
     from generate_series(1, $1::int)`,
    [COUNT],
  )
  await database.query(
    `insert into sendings (node_id, batch, begun_at, urls, merchant_ids, payment_keys, states, attempts,
       url_at, kinds, payment_ids)
     select $1, batch, to_timestamp(0), array['https://shop.example/'], array_agg(merchant_id),
       array_agg(key), array_agg(state), array_agg(0), array_agg(1), array_agg(kind), array_agg(id)
     from (select *, (row_number() over (order by key))::int / $2 as batch from payments) p
     group by batch`,
    [NODE, AT_ONCE],
  )
  return database
}

async function somePayments(database: Database, count: number): Promise<readonly Payment[]> {
  const rows = await database.query<{ id: PaymentId }>('select id from payments limit $1', [count])
  return Promise.all(
    rows.map(async ({ id }) => {
      const payment = await findPayment(database, 1 as MerchantId, 'deposit', id)
      assert.ok(payment !== undefined)
      return payment
    }),
  )
}

async function totals(database: Database) {
  const [row] = await database.query(
    `select (select count(*)::int from callbacks) as callbacks,
       (select count(*)::int from callback_attempts) as attempts,
       (select count(k)::int from sendings cross join unnest(payment_keys) k) as noted`,
  )
  return row
}
