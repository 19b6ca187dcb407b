import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { cloneDatabase } from '../../harness/service.ts'
import type { MerchantId } from '../../src/domain/ids.ts'
import {
  type HistoryFilter,
  type HistoryPlace,
  readHistory,
} from '../../src/store/callbacks/history.ts'
import { type Db, openDatabase } from '../../src/store/engine/database.ts'

const MERCHANT = 1 as MerchantId
const DELIVERED = 10_000
const OF_EACH_OTHER = 100
const START = Date.UTC(2026, 0, 1)
const ALL: HistoryFilter = { merchantId: MERCHANT, countries: [] }

const database = openDatabase({ connectionString: await cloneDatabase() }, 2)
after(() => database.close())

/** A long history, in the middle of which some did not arrive, and one is of another kind. */
before(async () => {
  await database.query(
    `insert into callbacks (merchant_id, payment_key, state, kind, payment_id, created_at, status,
       holder, due_at, round_started_at, tries, attempts, resend)
     select 1, (lpad(to_hex($1::bigint + n * 1000), 12, '0') || '70008000000000000000')::uuid,
       'COMPLETED', case n when 0 then 'payout' else 'deposit' end, gen_random_uuid(),
       to_timestamp($1::bigint / 1000 + n), status, 0,
       case status when 'PENDING' then to_timestamp($1::bigint / 1000 + n) end,
       to_timestamp($1::bigint / 1000 + n), 1, 1, false
     from (select n, case n / $2::int when 50 then 'GIVEN_UP' when 51 then 'PAUSED'
                                      when 52 then 'PENDING' else 'DELIVERED' end as status
           from generate_series(0, $3::int - 1) as n) history`,
    [START, OF_EACH_OTHER, DELIVERED],
  )
  await database.query('analyze callbacks')
})

function rowsRead(work: (tx: Db) => Promise<unknown>): Promise<number> {
  return database.inTransaction(async (tx) => {
    const before = await readSoFar(tx)
    await work(tx)
    return (await readSoFar(tx)) - before
  })
}

/** By this connection; the server adds up for longer than one transaction. */
async function readSoFar(tx: Db): Promise<number> {
  const [row] = await tx.query<{ read: number }>(
    `select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read
     from pg_stat_xact_user_tables where relname = 'callbacks'`,
  )
  return row?.read ?? 0
}

/** Every page until there is none, each where the one before ended. */
async function allPages(filter: HistoryFilter, limit: number): Promise<string[]> {
  const keys: string[] = []
  let after: HistoryPlace | undefined
  for (;;) {
    const page = await readHistory(database, filter, { after, limit })
    assert.ok(page.rows.length <= limit)
    keys.push(...page.rows.map(({ key }) => key))
    if (page.next === undefined) return keys
    after = page.next
  }
}

describe('in a long history', { timeout: 540_000 }, () => {
  for (const result of [undefined, 'GIVEN_UP', 'PAUSED', 'FAILED', 'PENDING'] as const) {
    it(`a page of ${result ?? 'everything'} reads a part that does not grow with it`, async () => {
      const read = await rowsRead(async (tx) => {
        const { rows } = await readHistory(tx, { ...ALL, result }, { after: undefined, limit: 50 })
        assert.equal(rows.length, 50)
      })
      assert.ok(read <= 3 * OF_EACH_OTHER, `${read} rows`)
    })
  }

  it('the pages together are everything once, the newest first', async () => {
    const keys = await allPages(ALL, 200)
    assert.equal(keys.length, DELIVERED)
    assert.deepEqual(keys, [...new Set(keys)].toSorted().toReversed())
    assert.equal((await allPages({ ...ALL, result: 'FAILED' }, 50)).length, 2 * OF_EACH_OTHER)
    assert.equal((await allPages({ ...ALL, result: 'DELIVERED' }, 50)).length, 9700)
  })

  it('a search for what is rare stops, says so, and goes on from there', async () => {
    const filter = { ...ALL, kind: 'payout' } as const
    const read = await rowsRead(async (tx) => {
      const page = await readHistory(tx, filter, { after: undefined, limit: 50 })
      assert.deepEqual([page.rows.length, page.stoppedAfter], [0, 2000])
      assert.ok(page.next !== undefined)
    })
    assert.ok(read <= 2200, `${read} rows`)
    assert.equal((await allPages(filter, 50)).length, 1)
  })

  it('a span of time is a span of keys', async () => {
    const span = { fromMs: START + 1000, toMs: START + 11_000 }
    assert.equal((await allPages({ ...ALL, ...span }, 50)).length, 10)
    assert.equal((await allPages({ ...ALL, countries: ['ZMB'], ...span }, 50)).length, 0)
  })
})
