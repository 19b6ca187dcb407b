import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  assertNothingLost,
  killDatabase,
  newAnswerBook,
  newSeed,
  seededRandom,
  settleDoubts,
  startLoad,
  startProcess,
} from '../../harness/process.ts'
import { startReceiver } from '../../harness/receiver.ts'
import { attachEmbedded } from '../../src/store/embedded/server.ts'
import { openDatabase } from '../../src/store/engine/database.ts'

const KILLS = 4
const seed = newSeed()
const random = seededRandom(seed)

const dataDir = await mkdtemp(join(tmpdir(), 'malipo-test-'))
const receiver = await startReceiver()
const node = await startProcess({
  MALIPO_DATA_DIR: dataDir,
  MALIPO_SANDBOX_CALLBACK_URL: receiver.url,
  MALIPO_SANDBOX_DELAY_MS: '30',
})
after(async () => {
  await node.stop()
  await receiver.close()
  await rm(dataDir, { recursive: true, force: true })
})

it('a database killed again and again under load loses nothing, and the node comes back', {
  timeout: 540_000,
}, async (test) => {
  test.diagnostic(`MALIPO_TEST_SEED=${seed}`)
  const book = newAnswerBook()
  const load = startLoad(() => node, book)
  try {
    for (let kills = 0; kills < KILLS; kills += 1) {
      await sleep(random(100, 900))
      await killDatabase(node, dataDir)
    }
  } finally {
    await load.stop()
  }
  await settleDoubts(node, book)
  assert.ok(book.serverErrors.length > 0, 'no request met the outage')
  for (const { status, body } of book.serverErrors) {
    assert.equal(status, 500)
    assert.equal(body.status, undefined)
    assert.deepEqual(Object.keys(body), ['depositId', 'failureReason'])
  }
  const connection = await attachEmbedded({ dataDir })
  assert.ok(connection !== undefined)
  const database = openDatabase(connection, 4)
  await assertNothingLost(database, book, receiver)
    .catch((error) => {
      throw new Error(`with MALIPO_TEST_SEED=${seed}: ${error.message}`, { cause: error })
    })
    .finally(() => database.close())
})
