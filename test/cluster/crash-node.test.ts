import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  assertNothingLost,
  newAnswerBook,
  newSeed,
  seededRandom,
  settleDoubts,
  startLoad,
  startProcess,
} from '../../harness/process.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { cloneDatabase, eventually } from '../../harness/service.ts'
import { openDatabase } from '../../src/store/engine/database.ts'

const KILLS = 5
/** So many are accepted for sure from one kill to the next, however slow the machine is. */
const ACCEPTED_BY_KILL = 11
const seed = newSeed()
const random = seededRandom(seed)

const databaseUrl = await cloneDatabase()
const database = openDatabase({ connectionString: databaseUrl }, 4)
const receiver = await startReceiver()
const start = () =>
  startProcess({
    DATABASE_URL: databaseUrl,
    MALIPO_SANDBOX_CALLBACK_URL: receiver.url,
    MALIPO_SANDBOX_DELAY_MS: '30',
  })
let node = await start()
after(async () => {
  await node.kill()
  await database.close()
  await receiver.close()
})

it('a node killed again and again under load loses nothing and doubles nothing', {
  timeout: 540_000,
}, async (test) => {
  test.diagnostic(`MALIPO_TEST_SEED=${seed}`)
  const book = newAnswerBook()
  const acceptedOnce = () => [...book.accepted.values()].filter((times) => times === 1).length
  const load = startLoad(() => node, book)
  try {
    for (let kills = 0; kills < KILLS; kills += 1) {
      await sleep(random(100, 900))
      await eventually(() => assert.ok(acceptedOnce() > ACCEPTED_BY_KILL * (kills + 1)), 180_000)
      await node.kill()
      node = await start()
    }
  } finally {
    await load.stop()
  }
  await settleDoubts(node, book)
  assert.ok(acceptedOnce() > 50)
  await assertNothingLost(database, book, receiver).catch((error) => {
    throw new Error(`with MALIPO_TEST_SEED=${seed}: ${error.message}`, { cause: error })
  })
})
