import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { cloneDatabase } from '../../harness/service.ts'
import type { MerchantId } from '../../src/domain/ids.ts'
import { type Db, openDatabase } from '../../src/store/engine/database.ts'
import { listLinks } from '../../src/store/hosted/payment-links.ts'
import { browsePayments, countPayments } from '../../src/store/payments/browse.ts'
import type { BrowseFilter } from '../../src/store/payments/browse-filter.ts'
import { countHours } from '../../src/store/payments/hours.ts'
import { listCheckouts, listSplits } from '../../src/store/payments/wholes.ts'
import { crowd } from '../support/crowd.ts'
import { rowsRead } from '../support/rows-read.ts'

const MERCHANT = 1 as MerchantId
const PAYMENTS = 10_000
const HOUR = 3_600_000
const START = Date.UTC(2026, 0, 1)
const END = START + 100 * HOUR

const database = openDatabase({ connectionString: await cloneDatabase() }, 2)
after(() => database.close())

let readByFirstCount = 0

/** A hundred hours of payments, all of them counted: most completed, some failed, few of one provider. */
before(async () => {
  await database.query(
    `insert into payments (merchant_id, kind, id, key, generation, created_at, amount, currency,
       country, provider, phone_number, details, state, holder, due_at, failure_code, ended_at)
     select 1, 'deposit', gen_random_uuid(),
       (lpad(to_hex(ms), 12, '0') || '70008000000000000000')::uuid, 'v2', to_timestamp(ms / 1000.0),
       case when n % 1000 = 0 then 90000 else 100 + n % 400 end, 'ZMW', 'ZMB',
       case when n % 100 = 0 then 'ZAMTEL_ZMB' else 'MTN_MOMO_ZMB' end, '260763456789', '{}',
       case when n % 10 = 3 then 'FAILED' else 'COMPLETED' end, 0, null,
       case when n % 10 = 3 then 'OTHER_ERROR' end, to_timestamp(ms / 1000.0)
     from (select n, $1::bigint + n * $2::bigint as ms from generate_series(0, $3::int - 1) n) one`,
    [START, (END - START) / PAYMENTS, PAYMENTS],
  )
  await database.query('analyze payments')
  readByFirstCount = await rowsRead(database, 'payments', (tx) =>
    countHours(tx, MERCHANT, () => END),
  )
  while (await database.inLongTransaction((tx) => countHours(tx, MERCHANT, () => END))) {}
  await database.query('analyze payment_terms')
})

const PAGE = 50
const COUNTED = 1000

const FILTERS: Readonly<Record<string, Partial<BrowseFilter>>> = {
  'that nearly all have': { states: ['COMPLETED'] },
  'that some have': { states: ['FAILED'] },
  'that few have': { provider: 'ZAMTEL_ZMB' },
  'of two kinds, of which one is rare': { provider: 'ZAMTEL_ZMB', states: ['COMPLETED'] },
  'of rare amounts': { min: '80000' },
  'that none has': { provider: 'AIRTEL_OAPI_ZMB' },
}

describe('a list of many payments', { timeout: 540_000 }, () => {
  for (const [name, more] of Object.entries(FILTERS)) {
    it(`with a filter ${name} reads what it shows`, async () => {
      const filter: BrowseFilter = { merchantId: MERCHANT, kinds: ['deposit'], within: [], ...more }
      for (const order of ['newest', 'oldest'] as const) {
        const listed = await rowsRead(database, 'payments', (tx) =>
          browsePayments(tx, filter, { limit: PAGE, order }),
        )
        assert.ok(listed <= 3 * PAGE, `${listed} payments for a page, ${order} first`)
      }
      const counted = await rowsRead(database, 'payments', (tx) =>
        countPayments(tx, filter, COUNTED),
      )
      assert.ok(counted <= 2 * COUNTED, `${counted} payments to count ${COUNTED} at most`)
    })
  }
})

it('counting a day reads the payments of that day, once for each of three purposes', () => {
  const ofADay = (PAYMENTS / 100) * 24
  assert.ok(readByFirstCount >= ofADay, `${readByFirstCount} payments`)
  assert.ok(readByFirstCount <= 3.5 * ofADay, `${readByFirstCount} payments for ${ofADay}`)
})

describe('a list of many others', { timeout: 540_000 }, () => {
  const OTHER = 2 as MerchantId
  const place = { limit: PAGE }
  const filter = { merchantId: OTHER, within: [] }
  const LISTS = {
    split_payments: (tx: Db) => listSplits(tx, filter, place),
    checkouts: (tx: Db) => listCheckouts(tx, filter, place),
    payment_links: (tx: Db) => listLinks(tx, OTHER, [], undefined, PAGE),
  }

  before(async () => {
    for (const statement of crowd({ merchantId: OTHER, size: 2000 }))
      await database.query(statement)
    await database.query(
      `insert into payments (merchant_id, kind, id, key, generation, created_at, amount, currency,
         country, provider, phone_number, details, state, holder, failure_code)
       select merchant_id, 'deposit', id, key, 'v2', created_at, 100, 'ZMW', 'ZMB', 'MTN_MOMO_ZMB',
         '260763456789', '{}', 'FAILED', 0, 'OTHER_ERROR' from split_payments`,
    )
    await database.query(
      `with merchant as (
         insert into merchants (merchant_id, slug, name, created_at) overriding system value
         values (2, 'other', 'Other', now())
       ), creator as (
         insert into users (user_id, email, created_at) overriding system value
         values (1, 'one@shop.example', now())
       )
       insert into payment_links (merchant_id, id, kind, key, created_at, expires_at, created_by)
       select merchant_id, id, 'PAGE', key, created_at, created_at, 1 from split_payments`,
    )
    await database.query('analyze')
  })

  for (const [table, list] of Object.entries(LISTS)) {
    it(`reads what it shows of ${table}`, async () => {
      const read = await rowsRead(database, table, async (tx) => {
        assert.equal((await list(tx)).length, PAGE)
      })
      assert.ok(read <= 2 * PAGE, `${read} rows for a page`)
    })
  }
})
