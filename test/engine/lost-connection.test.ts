import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { startDatabaseLink } from '../support/database-link.ts'
import { eventually, payer, startService } from '../support/service.ts'

const service = await startService()
const link = await startDatabaseLink(service.databaseUrl)
const node = await service.addNode({ DATABASE_URL: link.url })
after(async () => {
  await node.stop()
  await link.close()
  await service.stop()
})

const account = payer('260763456789', 'MTN_MOMO_ZMB')

/** Requests that are stored in a transaction of several statements, and one of these. */
const REQUESTS = [
  {
    what: 'a refund',
    statement: 'lock-deposits',
    path: '/v2/refunds',
    body: async () => {
      const { id } = await service.deposit()
      await service.reaches(id, 'COMPLETED')
      return { refundId: randomUUID(), depositId: id }
    },
  },
  {
    what: 'a split payment',
    statement: 'insert-split',
    path: '/v2/split-payments',
    body: async () => ({
      splitPaymentId: randomUUID(),
      amount: '15',
      currency: 'ZMW',
      payer: account,
      splits: [{ payoutId: randomUUID(), amount: '10', recipient: account }],
    }),
  },
]

describe('a connection that breaks in the middle of a transaction', { timeout: 60_000 }, () => {
  for (const { what, statement, path, body } of REQUESTS) {
    it(`undoes ${what} as a whole, and the node goes on`, async () => {
      const request = await body()
      const [id] = Object.values(request)
      const lost = link.loseAnswerTo(statement)
      const answer = await node.post(path, request)
      await lost
      assert.equal(answer.status, 500)
      assert.equal(answer.body.failureReason.failureCode, 'UNKNOWN_ERROR')
      assert.equal((await service.get(`${path}/${id}`)).body.status, 'NOT_FOUND')
      // Under the same identifier, once the node has found its database again.
      await eventually(async () => {
        assert.equal((await node.get('/readyz')).status, 200)
      })
      assert.equal((await node.post(path, request)).body.status, 'ACCEPTED')
      await eventually(async () => {
        const { body: found } = await service.get(`${path}/${id}`)
        assert.equal(found.data?.status, 'COMPLETED')
      })
    })
  }
})
