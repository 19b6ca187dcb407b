import assert from 'node:assert/strict'
import { it } from 'node:test'
import { eventually, startService } from '../../harness/service.ts'
import { startDatabaseLink } from '../support/database-link.ts'

// The answer has to come within the 2.5 s that a node waits for requests when it stops.
it('an answer of a node that stops says that its connection closes', {
  timeout: 540_000,
}, async (test) => {
  const service = await startService()
  const link = await startDatabaseLink(service.databaseUrl)
  const node = await service.addNode({ DATABASE_URL: link.url })
  test.after(async () => {
    await link.close()
    await service.stop()
  })
  assert.equal((await node.deposit()).headers.get('connection'), 'keep-alive')
  const held = link.holdAnswerTo('accept')
  const answer = node.deposit()
  await held.reached
  const stopped = node.stop()
  await eventually(() => assert.rejects(node.get('/livez')))
  held.letThrough()
  const { status, headers } = await answer
  assert.deepEqual([status, headers.get('connection')], [200, 'close'])
  await stopped
})
