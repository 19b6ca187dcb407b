import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { it, type TestContext } from 'node:test'
import { addOperatorAccount } from '../../harness/operator-accounts.ts'
import { eventually, payer, startService } from '../../harness/service.ts'
import { MTN_MOMO_STAND_IN } from '../../src/providers/mtn-momo/stand-in/operator.ts'
import { startStandIn } from '../../src/providers/stand-in/server.ts'
import { startDatabaseLink } from '../support/database-link.ts'

const ROUNDS = 5

it('an order that a late node did not send has not left, and is given up', {
  timeout: 540_000,
}, async (test) => {
  let isShown = false
  for (let round = 1; round <= ROUNDS && !isShown; round += 1) isShown = await isGivenUp(test)
  assert.ok(isShown, `in ${ROUNDS} rounds the node lost its name before it could act again`)
})

/** False where the machine was so slow that the node lost its name: then nobody knows what was sent. */
async function isGivenUp(test: TestContext): Promise<boolean> {
  const service = await startService()
  const operator = await startStandIn(MTN_MOMO_STAND_IN)
  const link = await startDatabaseLink(service.databaseUrl)
  const node = await service.addNode({ DATABASE_URL: link.url })
  test.after(async () => {
    await operator.close()
    await node.stop()
    await link.close()
    await service.stop()
  })
  const credentials = { subscriptionKey: 'sub-01234', apiUser: 'user-01234', apiKey: 'key-01234' }
  await addOperatorAccount(service, {
    name: 'only',
    connector: 'mtn-momo',
    baseUrl: operator.url,
    providers: { MTN_MOMO_ZMB: ['DEPOSIT'] },
    priority: 1,
    settings: { targetEnvironment: 'mtnzambia' },
    secrets: { collection: credentials },
  })
  await eventually(() => assert.ok(node.node.ctx.providers.takes('only', 'DEPOSIT')))
  // Alone: no other node takes this one for dead.
  await service.node.stop()
  operator.faults.set([{ on: 'any', fault: 'drop-before' }])
  const held = link.holdAnswerTo('is-held-by')
  const depositId = randomUUID()
  const { body } = await node.post('/v2/deposits', {
    ...{ depositId, amount: '15', currency: 'ZMW' },
    payer: payer('260763500001', 'MTN_MOMO_ZMB'),
  })
  assert.equal(body.status, 'ACCEPTED', JSON.stringify(body))
  // It could not leave. About to be sent again, it meets a node without a fresh heartbeat.
  await held.reached
  const name = node.node.ctx.node.id()
  const heartbeat = link.holdAnswerTo('heartbeat')
  await eventually(() => assert.equal(node.node.ctx.node.mayAct(), false))
  held.letThrough()
  // Answered over the same link, and so after what was let through.
  await node.get(`/v2/deposits/${depositId}`)
  heartbeat.letThrough()
  const hasLostName = (): boolean => node.node.ctx.node.id() !== name
  return eventually(async () => {
    await node.advance(1)
    const { body: found } = await node.get(`/v2/deposits/${depositId}`)
    const isOver = found.data.status === 'FAILED'
    assert.ok(isOver || hasLostName(), found.data.status)
    return isOver
  })
}
