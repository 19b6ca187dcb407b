import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it, type TestContext } from 'node:test'
import { startReceiver } from '../../harness/receiver.ts'
import { depositBody, eventually, payer, startService } from '../../harness/service.ts'
import type { MerchantId } from '../../src/domain/ids.ts'
import { startDatabaseLink } from '../support/database-link.ts'

const service = await startService()
const link = await startDatabaseLink(service.databaseUrl)
const node = await service.addNode({ DATABASE_URL: link.url })
after(async () => {
  await node.stop()
  await link.close()
  await service.stop()
})

const account = payer('260763456789', 'MTN_MOMO_ZMB')
const drawn = { amount: '15', currency: 'ZMW', recipient: account }

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

describe('a connection that breaks in the middle of a transaction', { timeout: 540_000 }, () => {
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

describe('a connection that breaks while a payment is taken out of the queue', {
  timeout: 540_000,
}, () => {
  it('leaves a payment that is cancelled as a whole, callback included', async (test) => {
    const receiver = await startReceiver()
    test.after(receiver.close)
    await service.put('/sandbox/callbacks', { payout: receiver.url })
    const switchTo = (status: string) =>
      service.put('/sandbox/availability', {
        provider: 'MTN_MOMO_ZMB',
        operationType: 'PAYOUT',
        status,
      })
    await switchTo('DELAYED')
    const payoutId = randomUUID()
    const body = { payoutId, amount: '15', currency: 'ZMW', recipient: account }
    const reaches = (status: string) =>
      eventually(async () => {
        const { body: found } = await service.get(`/v2/payouts/${payoutId}`)
        assert.equal(found.data?.status, status)
        return found.data
      })
    assert.equal((await service.post('/v2/payouts', body)).body.status, 'ACCEPTED')
    await reaches('ENQUEUED')
    // The other node learns of the address a moment later.
    await eventually(async () => {
      const merchant = await node.node.ctx.merchants.byId(1 as MerchantId)
      assert.equal(merchant?.callbackUrls.payout, receiver.url)
    })
    const lost = link.loseAnswerTo('advance')
    const answer = await node.post(`/v2/payouts/fail-enqueued/${payoutId}`)
    await lost
    assert.equal(answer.status, 500)
    const record = await reaches('FAILED')
    assert.equal(record.failureReason.failureCode, 'MANUALLY_CANCELLED')
    await eventually(() => {
      assert.deepEqual(
        receiver.received.map(({ body: text }) => JSON.parse(text)),
        [record],
      )
    })
    await switchTo('OPERATIONAL')
  })
})

describe('a network that swallows what goes to the database and back', { timeout: 540_000 }, () => {
  it('makes payments fail with 500 and the node not ready, until it is back', async (test) => {
    const { impatient, road } = await startImpatient(test)
    road.swallow()
    const body = depositBody()
    const [path, payout] = ['/v2/payouts', { payoutId: randomUUID(), ...drawn }]
    const [deposit, other, wallets] = await Promise.all([
      impatient.post('/v2/deposits', body),
      impatient.post(path, payout),
      impatient.get('/v2/wallet-balances'),
    ])
    for (const answer of [deposit, other, wallets]) {
      assert.equal(answer.status, 500)
      assert.equal(answer.body.status, undefined)
      assert.equal(answer.body.failureReason.failureCode, 'UNKNOWN_ERROR')
    }
    await eventually(async () => assert.equal((await impatient.get('/readyz')).status, 503))
    road.recover()
    await eventually(async () => assert.equal((await impatient.get('/readyz')).status, 200))
    for (const [where, request] of [
      ['/v2/deposits', body],
      [path, payout],
    ] as const) {
      // On a machine that stands still for a while one more may end with 500, which says: ask again.
      await eventually(async () => {
        const again = await impatient.post(where, request)
        assert.match(again.body.status, /^(ACCEPTED|DUPLICATE_IGNORED)$/)
      })
    }
    await service.reaches(body.depositId, 'COMPLETED')
  })
})

/** A node that soon takes a silent database for lost, on a road of its own. */
async function startImpatient(test: TestContext) {
  const road = await startDatabaseLink(service.databaseUrl)
  const impatient = await service.addNode({ DATABASE_URL: road.url, MALIPO_DB_TIMEOUT_MS: '3000' })
  test.after(async () => {
    await impatient.stop()
    await road.close()
  })
  // Everything that is cached is cached now.
  await eventually(async () => {
    assert.equal((await impatient.get('/v2/wallet-balances')).status, 200)
  })
  return { impatient, road }
}
