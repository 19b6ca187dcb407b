/** The judge of the crash and cluster proofs: a true history, and a table of forged ones. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { chanceOf } from '../../harness/random/chance.ts'
import { copyDatabase, startService } from '../../harness/service.ts'
import { allWorkEnds, checkEverything, type Verdict } from '../../proof/support/check.ts'
import { startListener } from '../../proof/support/listener.ts'
import { nameOf } from '../../proof/support/names.ts'
import { openShop } from '../../proof/support/shop.ts'
import { openDatabase } from '../../src/store/engine/database.ts'
import { FORGERIES, type History } from './rig-forgeries.ts'

const REQUESTS = 120
const AT_ONCE = 4
const PARTS = 2

async function makeHistory(): Promise<History> {
  const listener = await startListener()
  const service = await startService({ MALIPO_SANDBOX_CALLBACK_URL: listener.url })
  const wallet = { country: 'ZMB', currency: 'ZMW', balance: '1000000' }
  assert.equal((await service.put('/sandbox/wallets', wallet)).status, 204)
  const shop = openShop(listener, chanceOf(1))
  const buy = async (): Promise<void> => {
    for (let count = 0; count < REQUESTS / PARTS / AT_ONCE; count += 1) await shop.next(service)
  }
  // After the first part there surely is a deposit that can be given back.
  for (let part = 0; part < PARTS; part += 1) {
    await Promise.all(Array.from({ length: AT_ONCE }, buy))
    assert.ok(await shop.settle([service]))
    assert.deepEqual((await allWorkEnds(service.database, 60_000)).findings, [])
  }
  await service.stop()
  await listener.close()
  const { databaseUrl } = service
  return { databaseUrl, asks: new Map(shop.asks), received: new Map(listener.received) }
}

/** All verdicts on a copy of the history, after `forge` was at it. */
async function judged(
  history: History,
  forge: (copy: History, query: (sql: string, values: unknown[]) => Promise<unknown>) => unknown,
): Promise<readonly Verdict[]> {
  const template = new URL(history.databaseUrl).pathname.slice(1)
  const databaseUrl = await copyDatabase(history.databaseUrl, template)
  const database = openDatabase({ connectionString: databaseUrl }, 2)
  try {
    const { asks, received } = structuredClone({ asks: history.asks, received: history.received })
    const copy = { databaseUrl, asks, received }
    await forge(copy, (sql, values) => database.query(sql, values))
    return [await allWorkEnds(database, 0), ...(await checkEverything(database, copy, copy))]
  } finally {
    await database.close()
  }
}

describe('the judge of the rigs', { timeout: 540_000 }, () => {
  let history: History
  before(async () => {
    history = await makeHistory()
  })

  it('finds nothing in a true history of every kind', async () => {
    const verdicts = await judged(history, () => {})
    assert.deepEqual(
      verdicts.flatMap(({ findings }) => findings),
      [],
    )
    const kinds = new Set([...history.asks.values()].map(({ kind }) => kind))
    assert.equal(kinds.size, 5)
    const wallets = verdicts.find(({ guarantee }) => guarantee.startsWith('wallets'))
    assert.equal(wallets?.checked, 4)
  })

  it('is shown a forgery for each of its guarantees', async () => {
    const verdicts = await judged(history, () => {})
    const guarantees = verdicts.map(({ guarantee }) => guarantee)
    assert.deepEqual(Object.keys(FORGERIES).toSorted(), guarantees.toSorted())
  })

  for (const [guarantee, forgeries] of Object.entries(FORGERIES)) {
    for (const { what, about, sql, lie, says } of forgeries) {
      it(`finds that ${what}`, async () => {
        const verdicts = await judged(history, async (copy, query) => {
          const ask = [...copy.asks.values()].find(about)
          assert.ok(ask !== undefined, 'the history has nothing of the kind')
          const received = copy.received.get(nameOf(ask.kind, ask.id))
          assert.ok(received !== undefined)
          if (sql !== undefined) await query(sql, [ask.id])
          lie?.(ask, received, copy)
        })
        const findings = verdicts.find((one) => one.guarantee === guarantee)?.findings ?? []
        assert.ok(
          findings.some((finding) => says.test(finding)),
          JSON.stringify(verdicts),
        )
      })
    }
  }
})
