import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant } from '../../../../harness/merchant.ts'
import { balanceOf } from '../../../../harness/payouts.ts'
import { startReceiver } from '../../../../harness/receiver.ts'
import {
  completedDeposit,
  depositThatHangs,
  refund,
  refunded,
  refundReaches,
  setAvailability,
} from '../../../../harness/refunds.ts'
import { eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await shareService()
const second = await service.addNode()
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { refund: receiver.url })
after(async () => {
  await second.stop()
  await service.stop()
  await receiver.close()
})

const cancel = '/v2/refunds/fail-enqueued'

/** A refund of a completed deposit that waits because its provider is delayed. */
async function enqueued(): Promise<{ refundId: string; depositId: string }> {
  const depositId = await completedDeposit(service)
  await setAvailability(service, 'REFUND', 'DELAYED')
  const { id, body } = await refund(service, depositId)
  assert.equal(body.status, 'ACCEPTED')
  await refundReaches(service, id, 'ENQUEUED')
  return { refundId: id, depositId }
}
const open = () => setAvailability(service, 'REFUND', 'OPERATIONAL')

describe('an enqueued refund is cancelled, asked with', () => {
  for (const [what, body] of [
    ['no body', undefined],
    ['an empty object', '{}'],
  ] as const) {
    it(`${what}: it fails, its money is back, the callback follows, and it can be requested again`, async () => {
      const { refundId, depositId } = await enqueued()
      const held = Number(await balanceOf(service))
      const answer = await service.post(`${cancel}/${refundId}`, body)
      assertAnswer(answer, 200, { refundId, status: 'ACCEPTED' })
      const record = await refundReaches(service, refundId, 'FAILED')
      assert.deepEqual(record.failureReason, {
        failureCode: 'MANUALLY_CANCELLED',
        failureMessage: 'The payment was cancelled while it was waiting for the provider.',
      })
      assert.equal(Number(await balanceOf(service)), held + 100)
      await eventually(() => assert.deepEqual(callbacksOf(refundId), [record]))
      await open()
      assert.equal((await refunded(service, depositId)).amount, '100')
      await refundReaches(service, refundId, 'FAILED')
    })
  }

  it('its identifier in another case, on another node', async () => {
    const { refundId } = await enqueued()
    const answer = await second.post(`${cancel}/${refundId.toUpperCase()}`)
    assertAnswer(answer, 200, { refundId: refundId.toUpperCase(), status: 'ACCEPTED' })
    await refundReaches(service, refundId, 'FAILED')
    await open()
  })
})

describe('a cancellation is REJECTED with 200', () => {
  it('NOT_FOUND for an unknown refund', async () => {
    const refundId = randomUUID()
    const says = new RegExp(`refund.*'${refundId}'`)
    const answer = await service.post(`${cancel}/${refundId}`)
    assertAnswer(answer, 200, refused('NOT_FOUND', says, { refundId }))
  })

  it("NOT_FOUND for another merchant's refund, which goes on waiting", async () => {
    const other = await addMerchant(service)
    const { refundId } = await enqueued()
    const answer = await other.call('POST', `${cancel}/${refundId}`)
    assertAnswer(answer, 200, refused('NOT_FOUND', /refund/, { refundId }))
    await refundReaches(service, refundId, 'ENQUEUED')
    await open()
    await refundReaches(service, refundId, 'COMPLETED')
  })

  it('INVALID_STATE for one that is processing', async () => {
    const { id: refundId } = await refund(service, await depositThatHangs(service, '260763450001'))
    await refundReaches(service, refundId, 'PROCESSING')
    const says = new RegExp(`refund '${refundId}' is not enqueued: it is PROCESSING`)
    const answer = await service.post(`${cancel}/${refundId}`)
    assertAnswer(answer, 200, refused('INVALID_STATE', says, { refundId }))
    await refundReaches(service, refundId, 'PROCESSING')
  })

  it('INVALID_STATE for one that is over, and for one that was cancelled', async () => {
    const { refundId } = await refunded(service, await completedDeposit(service))
    const answer = await service.post(`${cancel}/${refundId}`)
    assertAnswer(answer, 200, refused('INVALID_STATE', /not enqueued.*COMPLETED/, { refundId }))
    const { refundId: cancelled } = await enqueued()
    await service.post(`${cancel}/${cancelled}`)
    const again = await service.post(`${cancel}/${cancelled}`)
    const expected = refused('INVALID_STATE', /not enqueued.*FAILED/, { refundId: cancelled })
    assertAnswer(again, 200, expected)
    await open()
  })
})

it('cancelled and released at the same moment, it is one or the other', async () => {
  const waiting = await Promise.all(Array.from({ length: 10 }, () => enqueued()))
  const [, ...answers] = await Promise.all([
    open(),
    ...waiting.map(({ refundId }, at) =>
      (at % 2 === 0 ? service : second).post(`${cancel}/${refundId}`),
    ),
  ])
  for (const [at, { refundId }] of waiting.entries()) {
    const isCancelled = answers[at]?.body.status === 'ACCEPTED'
    const record = await refundReaches(service, refundId, isCancelled ? 'FAILED' : 'COMPLETED')
    await eventually(() => assert.deepEqual(callbacksOf(refundId), [record]))
  }
})

function callbacksOf(refundId: string): Record<string, unknown>[] {
  return receiver.received
    .map((one) => JSON.parse(one.body))
    .filter((body) => body.refundId === refundId)
}
