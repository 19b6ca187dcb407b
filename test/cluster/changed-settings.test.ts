import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { eventually, startService } from '../../harness/service.ts'
import { startDatabaseLink } from '../support/database-link.ts'

const service = await startService()
const link = await startDatabaseLink(service.databaseUrl)
const { db } = service.node.ctx
const listeners = async (): Promise<number[]> => {
  const rows = await db.query<{ pid: number }>(
    `select pid from pg_stat_activity
     where datname = current_database() and application_name = 'malipo listener'`,
  )
  return rows.map(({ pid }) => pid)
}
const ofFirst = await listeners()
const node = await service.addNode({ DATABASE_URL: link.url })
after(async () => {
  await node.stop()
  await link.close()
  await service.stop()
})

const PHONE = '/sandbox/phones/260763456789'
const modeOn = async (one: typeof node): Promise<string> => (await one.get(PHONE)).body.mode

/** How often the node asks the database for the merchant in three requests. */
async function readsInThreeRequests(): Promise<number> {
  const before = link.sent('find-merchant')
  for (let request = 0; request < 3; request += 1) await modeOn(node)
  return link.sent('find-merchant') - before
}

describe('a node that is not notified of changed settings', { timeout: 540_000 }, () => {
  it('answers no request from memory until it is notified again', async () => {
    const relisten = link.holdRequestOf('listen')
    const ofSecond = (await listeners()).filter((pid) => !ofFirst.includes(pid))
    assert.equal(ofSecond.length, 1)
    await db.query('select pg_terminate_backend(pid) from unnest($1::int[]) as one (pid)', [
      ofSecond,
    ])
    await relisten.reached
    for (const mode of ['interactive', 'auto', 'interactive', 'auto']) {
      await modeOn(node)
      assert.equal((await service.put(PHONE, { mode })).status, 204)
      assert.equal(await modeOn(node), mode)
    }
    relisten.letThrough()
    await eventually(async () => {
      assert.equal(await readsInThreeRequests(), 0)
    })
    assert.equal((await service.put(PHONE, { mode: 'interactive' })).status, 204)
    await eventually(async () => {
      assert.equal(await modeOn(node), 'interactive')
    })
  })
})
