import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { cloneDatabase } from '../../harness/service.ts'
import type { MerchantId } from '../../src/domain/ids.ts'
import { openDatabase } from '../../src/store/engine/database.ts'
import { browsePayments, countPayments } from '../../src/store/payments/browse.ts'
import type { BrowseFilter } from '../../src/store/payments/browse-filter.ts'
import { countHours } from '../../src/store/payments/hours.ts'
import { rowsRead } from '../support/rows-read.ts'

const MERCHANT = 1 as MerchantId
const PAYMENTS = 10_000
const HOUR = 3_600_000
const START = Date.UTC(2026, 0, 1)
const END = START + 100 * HOUR

const database = openDatabase({ connectionString: await cloneDatabase() }, 2)
after(() => database.close())

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
