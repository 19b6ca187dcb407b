import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { cloneDatabase } from '../../harness/service.ts'
import type { CallbackStatus } from '../../src/domain/callbacks/callback.ts'
import type { CallbackFilter } from '../../src/domain/callbacks/replay.ts'
import { type MerchantId, paymentKeyFrom } from '../../src/domain/ids.ts'
import { listCallbacks } from '../../src/store/callbacks/deliveries.ts'
import { releasePaused } from '../../src/store/callbacks/endpoints.ts'
import {
  countMatching,
  insertReplay,
  oweNext,
  takeDueReplay,
} from '../../src/store/callbacks/replays.ts'
import { type Db, openDatabase } from '../../src/store/engine/database.ts'
import { rowsRead } from '../support/rows-read.ts'

const MERCHANT = 1 as MerchantId
const DELIVERED = 10_000
const OF_EACH_OTHER = 100
const MINUTE = 60_000
const START = Date.UTC(2026, 0, 1)

const database = openDatabase({ connectionString: await cloneDatabase() }, 2)
after(() => database.close())

/** A long history: one callback every second, and a few at its end that did not arrive. */
before(async () => {
  const keyed = `(lpad(to_hex($1::bigint + n * 1000), 12, '0') || '70008000000000000000')::uuid`
  await database.query(
    `insert into callbacks (merchant_id, payment_key, state, kind, payment_id, created_at, status,
       holder, due_at, round_started_at, tries, attempts, resend)
     select 1, ${keyed}, 'COMPLETED', 'deposit', gen_random_uuid(),
       to_timestamp($1::bigint / 1000 + n), status, 0,
       case status when 'PENDING' then to_timestamp($1::bigint / 1000 + n) end,
       to_timestamp($1::bigint / 1000 + n), 1, 1, false
     from (select n, case when n < $2 then 'DELIVERED'
                          when n < $2 + $3 then 'GIVEN_UP'
                          when n < $2 + 2 * $3 then 'PAUSED' else 'PENDING' end as status
           from generate_series(0, $2::int + 3 * $3::int - 1) as n) history`,
    [START, DELIVERED, OF_EACH_OTHER],
  )
  await database.query('analyze callbacks')
})

const NOW = START + 10 * DELIVERED * 1000
const filterOf = (status: CallbackStatus, more: Partial<CallbackFilter> = {}): CallbackFilter => ({
  statuses: [status],
  kinds: ['deposit'],
  ...more,
})

describe('in a long history', { timeout: 540_000 }, () => {
  for (const status of ['GIVEN_UP', 'PAUSED', 'PENDING'] as const) {
    it(`counting, listing and taking what is ${status} reads only that`, async () => {
      const filter = filterOf(status)
      const counted = await rowsRead(database, 'callbacks', async (tx) => {
        assert.equal(await countMatching(tx, MERCHANT, filter, NOW), OF_EACH_OTHER)
      })
      assert.ok(counted <= 3 * OF_EACH_OTHER, `${counted} rows to count`)
      const listed = await rowsRead(database, 'callbacks', (tx) =>
        listCallbacks(tx, MERCHANT, filter, { status, limit: 10 }),
      )
      assert.ok(listed <= 3 * OF_EACH_OTHER, `${listed} rows to list`)
      const taken = await rowsRead(database, 'callbacks', (tx) => takePage(tx, filter, status))
      assert.ok(taken <= 4 * OF_EACH_OTHER, `${taken} rows to take`)
    })
  }

  it('a page of what was delivered reads that page, wherever it lies', async () => {
    const fromMs = START + 100 * MINUTE
    const filter = filterOf('DELIVERED', { fromMs, toMs: fromMs + 6 * MINUTE })
    const counted = await rowsRead(database, 'callbacks', async (tx) => {
      assert.equal(await countMatching(tx, MERCHANT, filter, NOW), 360)
    })
    assert.ok(counted <= 370, `${counted} rows to count`)
    const read = await rowsRead(database, 'callbacks', (tx) => takePage(tx, filter, 'DELIVERED'))
    assert.ok(read <= 100, `${read} rows`)
  })

  it('looking for what is paused without a pause reads nothing else', async () => {
    const read = await rowsRead(database, 'callbacks', (tx) => releasePaused(tx, NOW))
    assert.ok(read <= 5 * OF_EACH_OTHER, `${read} rows`)
  })
})

const random = new Uint8Array(10)

/** Ten callbacks of a replay that begins now; what was taken before lies behind it. */
async function takePage(tx: Db, filter: CallbackFilter, status: CallbackStatus): Promise<void> {
  const id = paymentKeyFrom(NOW, random)
  const order = { merchantId: MERCHANT, filter, perSecond: 10, matched: 0, startedMs: NOW }
  await tx.query('delete from callback_replays')
  await insertReplay(tx, { ...order, id })
  const replay = await takeDueReplay(tx, NOW)
  assert.ok(replay !== undefined)
  const { taken } = await oweNext(tx, replay, status, 10, NOW)
  assert.equal(taken, 10)
  await tx.query('delete from callback_replays')
}
