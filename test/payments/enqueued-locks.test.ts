import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, describe, it } from 'node:test'
import {
  areOver,
  enqueuePayouts,
  MTN,
  payout,
  reachesPayout,
  switchPayouts,
} from '../../harness/payouts.ts'
import { connectTo } from '../../harness/process.ts'
import { IS_PROOF } from '../../harness/scale.ts'
import { eventually, type Service, startService } from '../../harness/service.ts'
import { paymentFailure } from '../../src/domain/failure.ts'
import type { MerchantId, PaymentId } from '../../src/domain/ids.ts'
import { findPayment } from '../../src/store/payments/payments.ts'
import { advancePayment } from '../../src/usecases/payments/advance-payment.ts'
import { startDatabaseLink } from '../support/database-link.ts'
import { startLegacy } from '../support/legacy-payments.ts'
import { STEP, waitForLock } from '../support/lock-waits.ts'

/** A race is run more often in the proof. */
const ROUNDS = IS_PROOF ? 8 : 2

const service = await startService()
const second = await service.addNode()
const link = await startDatabaseLink(service.databaseUrl)
const behindLink = await service.addNode({ DATABASE_URL: link.url })
after(async () => {
  await behindLink.stop()
  await link.close()
  await second.stop()
  await service.stop()
})
beforeEach(() => switchPayouts(service, 'OPERATIONAL'))

const nodes = [service, second]
const nodeAt = (index: number): Service => nodes[index % 2] as Service

describe('the rows of a queue', { timeout: 540_000 }, () => {
  it('are always locked in one order: a switch and cancellations do not deadlock', async (test) => {
    await switchPayouts(service, 'DELAYED')
    // One after the other, so that they lie in the table in another order than in that of their ids.
    const ids = Array.from({ length: 12 }, () => randomUUID())
      .toSorted()
      .toReversed()
    for (const payoutId of ids) {
      await payout(service, { payoutId })
      await reachesPayout(service, payoutId, 'ENQUEUED')
    }
    // A payout that is not in line yet would wait for the switch as well.
    const inPlace = await eventually(async () => {
      const inLine = await service.database.query<{ id: PaymentId }>(
        `select id from payments where due_at = 'infinity' and id = any($1) order by ctid`,
        [ids],
      )
      assert.equal(inLine.length, ids.length)
      return inLine
    })
    const [last, middle, first] = descending(inPlace.map(({ id }) => id))
    const { ctx } = behindLink.node
    const waiting = await Promise.all(
      [first, middle, last].map((id) => findPayment(ctx.db, 1 as MerchantId, 'payout', id)),
    )
    const blocker = await connectTo(service.databaseUrl)
    // Also when this test fails, so that those after it do not wait for the row.
    test.after(() => blocker.end())
    await blocker.query('begin')
    await blocker.query('select from payments where id = $1 for update', [middle])
    const before = link.sent('advance')
    const failure = paymentFailure('MANUALLY_CANCELLED')
    const cancelled = Promise.all(
      waiting.map((one) => one && advancePayment(ctx, one, 'cancel', { failure })),
    )
    await waitForLock(service, STEP)
    const switched = service.put('/sandbox/availability', {
      provider: MTN,
      operationType: 'PAYOUT',
      status: 'OPERATIONAL',
    })
    await waitForLock(service, '^with waiting as')
    await blocker.query('rollback')
    assert.equal((await switched).status, 204)
    const ends = (await cancelled).map((one) => one?.state)
    assert.deepEqual(ends, ['FAILED', 'FAILED', 'FAILED'])
    assert.equal(link.sent('advance'), before + 1, 'a deadlock was resolved by writing again')
    await areOver(service, ids)
  })

  it('are wiped by a reset at the moment of a switch', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await enqueuePayouts(nodes, 20)
      const [, answer] = await Promise.all([
        switchPayouts(nodeAt(round), 'OPERATIONAL'),
        nodeAt(round + 1).post('/sandbox/reset'),
      ])
      assert.equal(answer.status, 204)
      const { id } = await payout(service)
      await reachesPayout(service, id, 'COMPLETED')
    }
  })

  it('are wiped by a reset right after a switch on another node, and the provider is open', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await switchPayouts(nodeAt(round), 'DELAYED')
      await nodeAt(round + 1).post('/sandbox/reset')
      const [seen] = await service.database.query(
        `select count(*)::int as delayed from provider_availability where status <> 'OPERATIONAL'`,
      )
      assert.deepEqual(seen, { delayed: 0 })
    }
  })
})

it('a payout of the earlier generation is answered with ENQUEUED once it is, not before', async () => {
  await switchPayouts(service, 'DELAYED')
  const blocker = await connectTo(service.databaseUrl)
  await blocker.query('begin')
  // Needed for the step to ENQUEUED, and not to store the payout.
  await blocker.query('lock table callbacks in share mode')
  let isAnswered = false
  const payoutId = randomUUID()
  const started = startLegacy(service, 'payout', { payoutId }).finally(() => {
    isAnswered = true
  })
  try {
    await eventually(async () => {
      const stored = await service.database.query('select from payments where id = $1', [payoutId])
      assert.equal(stored.length, 1)
    })
    // Another request is answered meanwhile, so this one had its time as well.
    await service.get('/v2/wallet-balances')
    assert.equal(isAnswered, false)
  } finally {
    await blocker.query('rollback')
    await blocker.end()
  }
  const { body } = await started
  assert.equal(body.status, 'ENQUEUED')
  const cancelled = await service.post(`/payouts/fail-enqueued/${payoutId}`)
  assert.equal(cancelled.body.status, 'ACCEPTED', JSON.stringify(cancelled.body))
})

/** Three of the list, each smaller than the one before it. */
function descending(ids: readonly PaymentId[]): [PaymentId, PaymentId, PaymentId] {
  for (const [at, last] of ids.entries()) {
    for (const [nth, middle] of ids.slice(at + 1).entries()) {
      const first = ids.slice(at + nth + 2).find((id) => id < middle)
      if (middle < last && first !== undefined) return [last, middle, first]
    }
  }
  throw new Error('the identifiers grow in the order of their places')
}
