import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  assertNothingLost,
  callAt,
  killDatabase,
  newAnswerBook,
  newSeed,
  PAYOUTS,
  type Place,
  seededRandom,
  settleDoubts,
  startLoad,
  startProcess,
} from '../../harness/process.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { cloneDatabase } from '../../harness/service.ts'
import { attachEmbedded } from '../../src/store/embedded/server.ts'
import { type Database, openDatabase } from '../../src/store/engine/database.ts'

const seed = newSeed()
const random = seededRandom(seed)
/** Less than the load asks for: some payouts find no money, while others give theirs back. */
const FUNDS = 1500
const AMOUNT = 15

describe('a storm of payouts from one wallet', { timeout: 540_000 }, () => {
  it('over two nodes, one killed again and again, loses no money and pays none twice', async (test) => {
    test.diagnostic(`MALIPO_TEST_SEED=${seed}`)
    const databaseUrl = await cloneDatabase()
    const database = openDatabase({ connectionString: databaseUrl }, 4)
    const receiver = await startReceiver()
    const start = () =>
      startProcess({
        DATABASE_URL: databaseUrl,
        MALIPO_SANDBOX_CALLBACK_URL: receiver.url,
        MALIPO_SANDBOX_DELAY_MS: '30',
      })
    const living = await start()
    let mortal = await start()
    test.after(async () => {
      await mortal.kill()
      await living.kill()
      await database.close()
      await receiver.close()
    })
    await fund(living)
    const book = newAnswerBook(PAYOUTS)
    let turn = 0
    const load = startLoad(() => {
      turn += 1
      return turn % 2 === 0 ? living : mortal
    }, book)
    try {
      for (let kills = 0; kills < 3; kills += 1) {
        await sleep(random(100, 900))
        await mortal.kill()
        mortal = await start()
      }
    } finally {
      await load.stop()
    }
    await settleDoubts(living, book)
    await assertNothingLost(database, book, receiver).catch(withSeed)
    await assertMoney(database)
  })

  it('over a database that is killed under it loses no money and pays none twice', async (test) => {
    test.diagnostic(`MALIPO_TEST_SEED=${seed}`)
    const dataDir = await mkdtemp(join(tmpdir(), 'malipo-test-'))
    const receiver = await startReceiver()
    const node = await startProcess({
      MALIPO_DATA_DIR: dataDir,
      MALIPO_SANDBOX_CALLBACK_URL: receiver.url,
      MALIPO_SANDBOX_DELAY_MS: '30',
    })
    test.after(async () => {
      await node.stop()
      await receiver.close()
      await rm(dataDir, { recursive: true, force: true })
    })
    await fund(node)
    const book = newAnswerBook(PAYOUTS)
    const load = startLoad(() => node, book)
    try {
      for (let kills = 0; kills < 2; kills += 1) {
        await sleep(random(100, 900))
        await killDatabase(node, dataDir)
      }
    } finally {
      await load.stop()
    }
    await settleDoubts(node, book)
    for (const { status, body } of book.serverErrors) {
      assert.deepEqual([status, Object.keys(body)], [500, ['payoutId', 'failureReason']])
    }
    const connection = await attachEmbedded({ dataDir })
    assert.ok(connection !== undefined)
    const database = openDatabase(connection, 4)
    await assertNothingLost(database, book, receiver)
      .catch(withSeed)
      .then(() => assertMoney(database))
      .finally(() => database.close())
  })
})

async function fund(node: Place): Promise<void> {
  const wallet = { country: 'ZMB', currency: 'ZMW', balance: String(FUNDS) }
  assert.equal((await callAt(node, 'PUT', '/sandbox/wallets', wallet))?.status, 204)
}

/** What is left is what was there less what was paid, to the last hundredth; nothing is held. */
async function assertMoney(database: Database): Promise<void> {
  const [seen] = await database.query<{ completed: number; left: number; held: number }>(
    `select (select count(*)::int from payments where state = 'COMPLETED') as completed,
       (select balance::int from accounts where account = 'wallet:ZMB:ZMW') as left,
       (select balance::int from accounts where account = 'reserve:ZMB:ZMW') as held`,
  )
  assert.ok(seen !== undefined && seen.completed > 0)
  assert.deepEqual(seen, { ...seen, left: FUNDS - AMOUNT * seen.completed, held: 0 })
}

function withSeed(error: Error): never {
  throw new Error(`with MALIPO_TEST_SEED=${seed}: ${error.message}`, { cause: error })
}
