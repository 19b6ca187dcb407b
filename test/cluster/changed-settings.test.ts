import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { eventually, startService } from '../../harness/service.ts'
import { type DatabaseLink, startDatabaseLink } from '../support/database-link.ts'

const service = await startService()
const link = await startDatabaseLink(service.databaseUrl)
const listeners = async (): Promise<number> => {
  const rows = await service.database.query(
    `select from pg_stat_activity
     where datname = current_database() and application_name = 'malipo listener'`,
  )
  return rows.length
}
const node = await service.addNode({ DATABASE_URL: link.url })
after(async () => {
  await node.stop()
  await link.close()
  await service.stop()
})

const PHONE = '/sandbox/phones/260763456789'
const modeOn = async (one: typeof node): Promise<string> => (await one.get(PHONE)).body.mode

/** What is set on the first node is read on the other, whether it is notified or not. */
async function followsAtOnce(): Promise<void> {
  for (const mode of ['interactive', 'auto', 'interactive', 'auto']) {
    await modeOn(node)
    assert.equal((await service.put(PHONE, { mode })).status, 204)
    assert.equal(await modeOn(node), mode)
  }
}

/** It answers from memory again, and is notified of what changes. */
async function isNotifiedAgain(one: typeof node, through: DatabaseLink): Promise<void> {
  await eventually(async () => {
    await modeOn(one)
    const before = through.sent('find-merchant')
    for (let request = 0; request < 3; request += 1) await modeOn(one)
    assert.equal(through.sent('find-merchant'), before)
  })
  for (const mode of ['interactive', 'auto']) {
    assert.equal((await service.put(PHONE, { mode })).status, 204)
    await eventually(async () => {
      assert.equal(await modeOn(one), mode)
    })
  }
}

describe('a node that is not notified of changed settings', { timeout: 540_000 }, () => {
  it('asks the database until it is notified again', async () => {
    const relisten = link.holdRequestsOf('listen')
    const sent = link.sent('listen')
    link.cut()
    await relisten.reached
    await followsAtOnce()
    // The first connection is given up, and must be gone with it.
    await eventually(() => {
      assert.ok(link.sent('listen') >= sent + 2)
    })
    await followsAtOnce()
    relisten.letThrough()
    await isNotifiedAgain(node, link)
    await eventually(async () => {
      // One for each node.
      assert.equal(await listeners(), 2)
    })
  })

  it('leaves a server that has fallen silent', async (test) => {
    const silent = await startDatabaseLink(service.databaseUrl)
    const other = await startDatabaseLink(service.databaseUrl)
    const { host } = new URL(other.url)
    const url = silent.url.replace(/@([^/]+)/, `@$1,${host}`)
    const third = await service.addNode({ DATABASE_URL: url })
    test.after(async () => {
      await third.stop()
      await silent.close()
      await other.close()
    })
    await modeOn(third)
    silent.swallow()
    await eventually(() => {
      assert.ok(other.sent('listen') > 0)
    })
    await isNotifiedAgain(third, other)
  })
})
