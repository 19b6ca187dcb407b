import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { assertAllWorkEnds, newSeed, seededRandom } from '../../harness/process.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { assertBooks, cloneDatabase, payer } from '../../harness/service.ts'
import { DEPOSIT_FAILS, PAYOUT_FAILS, part, splitBody } from '../../harness/splits.ts'
import { openDatabase } from '../../src/store/engine/database.ts'
import { type Asker, createAsker, storm } from '../support/storm.ts'

const seed = newSeed()
const random = seededRandom(seed)
const databaseUrl = await cloneDatabase()
const database = openDatabase({ connectionString: databaseUrl }, 4)
const receiver = await startReceiver()
after(async () => {
  await database.close()
  await receiver.close()
})

/** Most complete; some payers do not pay and some recipients cannot be paid. */
function randomSplit(): Record<string, unknown> {
  const payerNumber = random(0, 5) === 0 ? DEPOSIT_FAILS : '260763456789'
  const splits = Array.from({ length: random(1, 6) }, () =>
    part('15', random(0, 6) === 0 ? PAYOUT_FAILS : '260763456789'),
  )
  return splitBody({ payer: payer(payerNumber, 'MTN_MOMO_ZMB'), splits })
}

it('nodes killed in a storm of split payments: all end, and each end is told as it is', {
  timeout: 540_000,
}, async (test) => {
  test.diagnostic(`MALIPO_TEST_SEED=${seed}`)
  const asker = createAsker('/v2/split-payments', 'splitPaymentId')
  const { place, stop } = await storm({
    settings: {
      DATABASE_URL: databaseUrl,
      MALIPO_SANDBOX_CALLBACK_URL: receiver.url,
      MALIPO_SANDBOX_DELAY_MS: '20',
    },
    kills: 3,
    clients: 4,
    random,
    asker,
    act: async (somewhere) => {
      const doubtful = [...asker.asks.values()].find(({ inDoubt }) => inDoubt)
      await asker.ask(somewhere, doubtful?.body ?? randomSplit())
    },
  })
  try {
    await asker.settle(place)
    await assertAllWorkEnds(database)
    await assertSplits(asker)
    await assertBooks(database)
  } catch (error) {
    throw new Error(`with MALIPO_TEST_SEED=${seed}: ${(error as Error).message}`, { cause: error })
  } finally {
    await stop()
  }
})

async function assertSplits({ asks }: Asker): Promise<void> {
  const rows = await database.query<{ id: string; state: string; callbacks: number }>(
    `select s.id, s.state, (select count(*)::int from callbacks c
                            where c.merchant_id = s.merchant_id and c.payment_key = s.key) as callbacks
     from split_payments s`,
  )
  const stored = new Set(rows.map(({ id }) => id))
  const told = new Map(
    receiver.received
      .map(({ body }) => JSON.parse(body))
      .filter((body) => 'splits' in body)
      .map((body) => [body.splitPaymentId, body]),
  )
  assert.ok(rows.length > 20, `only ${rows.length} split payments came about`)
  for (const [id, { accepted }] of asks) {
    assert.ok(accepted <= 1, `${id} was accepted ${accepted} times`)
    assert.ok(stored.has(id), `${id} was answered and is not there`)
  }
  assert.equal(stored.size, asks.size)
  for (const { id, state, callbacks } of rows) {
    assert.equal(callbacks, 1)
    assert.equal(told.get(id)?.status, state, `what was told of ${id}`)
    const states = told.get(id).splits.map((one: { status: string }) => one.status)
    const expected = state === 'COMPLETED' ? /^COMPLETED$/ : /^(COMPLETED|FAILED)$/
    for (const one of states) assert.match(one, expected)
  }
}
