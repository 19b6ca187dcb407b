import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, it } from 'node:test'
import {
  assertAllWorkEnds,
  callAt,
  newSeed,
  type Place,
  seededRandom,
} from '../../harness/process.ts'
import { startReceiver } from '../../harness/receiver.ts'
import {
  assertBooks,
  cloneDatabase,
  depositBody,
  eventually,
  payer,
} from '../../harness/service.ts'
import { openDatabase } from '../../src/store/engine/database.ts'
import { createAsker, storm } from '../support/storm.ts'

const seed = newSeed()
const random = seededRandom(seed)
const databaseUrl = await cloneDatabase()
const database = openDatabase({ connectionString: databaseUrl }, 4)
const receiver = await startReceiver()
after(async () => {
  await database.close()
  await receiver.close()
})

const DEPOSIT = 2000
/** Customers whose refunds complete, and one whose refunds fail. */
const NUMBERS = ['260763456789', '260763450001', '260763450002', '260763456119']

async function completedDeposit(place: Place, number: string): Promise<string> {
  const body = depositBody({ amount: String(DEPOSIT), payer: payer(number, 'MTN_MOMO_ZMB') })
  await callAt(place, 'POST', '/v2/deposits', body)
  await eventually(async () => {
    const answer = await callAt(place, 'GET', `/v2/deposits/${body.depositId}`)
    assert.equal(answer?.body.data?.status, 'COMPLETED')
  })
  return body.depositId
}

it('nodes killed among refunds: none is lost, none is paid twice, no deposit is overdrawn', {
  timeout: 540_000,
}, async (test) => {
  test.diagnostic(`MALIPO_TEST_SEED=${seed}`)
  const deposits: string[] = []
  const asker = createAsker('/v2/refunds', 'refundId')
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
    prepare: async (first) => {
      for (const number of NUMBERS) deposits.push(await completedDeposit(first, number))
    },
    act: async (somewhere) => {
      const doubtful = [...asker.asks.values()].find(({ inDoubt }) => inDoubt)
      const depositId = deposits[random(0, deposits.length)] ?? ''
      const amount = String(random(1, 40))
      await asker.ask(somewhere, doubtful?.body ?? { refundId: randomUUID(), depositId, amount })
    },
  })
  try {
    await asker.settle(place)
    await assertAllWorkEnds(database)
    await assertRefunds(deposits, asker)
    await assertBooks(database)
  } catch (error) {
    throw new Error(`with MALIPO_TEST_SEED=${seed}: ${(error as Error).message}`, { cause: error })
  } finally {
    await stop()
  }
})

async function assertRefunds(
  deposits: readonly string[],
  { asks }: ReturnType<typeof createAsker>,
): Promise<void> {
  const rows = await database.query<{ id: string; state: string; of: string; amount: string }>(
    `select id, state, refund_of as of, amount from payments where kind = 'refund'`,
  )
  const stored = new Map(rows.map((row) => [row.id, row]))
  const told = new Set(receiver.received.map(({ body }) => JSON.parse(body).refundId))
  assert.ok(rows.length > 20, `only ${rows.length} refunds came about`)
  for (const [id, { accepted, refusal }] of asks) {
    assert.ok(accepted <= 1, `${id} was accepted ${accepted} times`)
    if (accepted === 1) assert.ok(stored.has(id), `${id} was accepted and is not there`)
    // The last word: refused means that it is not there, anything else that it is.
    assert.equal(stored.has(id), refusal === undefined, `${id}: ${refusal}`)
  }
  for (const { id, state } of rows) {
    assert.match(state, /^(COMPLETED|FAILED)$/)
    assert.ok(told.has(id), `nobody was told that ${id} is ${state}`)
  }
  for (const depositId of deposits) {
    const sum = rows
      .filter(({ of, state }) => of === depositId && state === 'COMPLETED')
      .reduce((total, { amount }) => total + Number(amount), 0)
    assert.ok(sum <= DEPOSIT, `${sum} was given back of ${depositId}`)
  }
}
