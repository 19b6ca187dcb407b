import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant } from '../../../../harness/merchant.ts'
import { startReceiver } from '../../../../harness/receiver.ts'
import {
  completedDeposit,
  depositThatHangs,
  REFUND_FAILS,
  refund,
  refunded,
  refundReaches,
  setAvailability,
} from '../../../../harness/refunds.ts'
import { eventually, payer } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await shareService()
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { refund: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

const resend = '/v2/refunds/resend-callback'

function callbacksOf(id: string): Record<string, unknown>[] {
  return receiver.received.map((one) => JSON.parse(one.body)).filter((body) => body.refundId === id)
}

async function delivered(id: string, times: number): Promise<void> {
  await eventually(async () => {
    const { body } = await service.get(`/sandbox/deliveries?paymentId=${id}`)
    assert.equal(body[0]?.delivery, 'DELIVERED')
    assert.equal(body[0]?.attempts.length, times)
  })
  assert.equal(callbacksOf(id).length, times)
}

/** Bodies and headers with which clients ask for a callback again. */
const REQUESTS: readonly (readonly [what: string, body?: string | undefined, type?: string])[] = [
  ['no body'],
  ['no body, declared as JSON', undefined, 'application/json'],
  ['an empty object', '{}', 'application/json'],
]

describe('a resend is ACCEPTED and sends the same record again, asked with', () => {
  for (const [what, body, type] of REQUESTS) {
    it(what, async () => {
      const record = await refunded(service, await completedDeposit(service))
      const id = String(record.refundId)
      await delivered(id, 1)
      const headers = type === undefined ? {} : { 'content-type': type }
      const answer = await service.post(`${resend}/${id}`, body, headers)
      assertAnswer(answer, 200, { refundId: id, status: 'ACCEPTED' })
      await delivered(id, 2)
      assert.deepEqual(callbacksOf(id), [record, record])
    })
  }
})

it('a failed refund can be resent, its identifier in upper or lower case', async () => {
  const from = { payer: payer(REFUND_FAILS, 'MTN_MOMO_ZMB') }
  const { id } = await refund(service, await completedDeposit(service, from))
  const record = await refundReaches(service, id, 'FAILED')
  await delivered(id, 1)
  const answer = await service.post(`${resend}/${id.toUpperCase()}`)
  assertAnswer(answer, 200, { refundId: id.toUpperCase(), status: 'ACCEPTED' })
  await delivered(id, 2)
  assert.deepEqual(callbacksOf(id), [record, record])
})

it('a refund that ended while no address was set can be sent once there is one', async () => {
  await service.put('/sandbox/callbacks', { refund: null })
  const record = await refunded(service, await completedDeposit(service))
  const id = String(record.refundId)
  await service.put('/sandbox/callbacks', { refund: receiver.url })
  assert.equal((await service.post(`${resend}/${id}`)).body.status, 'ACCEPTED')
  await delivered(id, 1)
})

describe('a resend is REJECTED with 200', () => {
  it('NOT_FOUND for an unknown refund', async () => {
    const refundId = randomUUID()
    const says = new RegExp(`refund.*'${refundId}'`)
    const answer = await service.post(`${resend}/${refundId}`)
    assertAnswer(answer, 200, refused('NOT_FOUND', says, { refundId }))
  })

  it("NOT_FOUND for another merchant's refund and for the deposit", async () => {
    const other = await addMerchant(service)
    const { refundId, depositId } = await refunded(service, await completedDeposit(service))
    const foreign = await other.call('POST', `${resend}/${refundId}`)
    assertAnswer(foreign, 200, refused('NOT_FOUND', /refund/, { refundId }))
    const wrong = await service.post(`${resend}/${depositId}`)
    assertAnswer(wrong, 200, refused('NOT_FOUND', /refund/, { refundId: depositId }))
  })

  it('INVALID_STATE for a refund that has not finished', async () => {
    const { id: refundId } = await refund(service, await depositThatHangs(service, '260763450001'))
    await refundReaches(service, refundId, 'PROCESSING')
    const says = new RegExp(`refund '${refundId}' has not finished`)
    const answer = await service.post(`${resend}/${refundId}`)
    assertAnswer(answer, 200, refused('INVALID_STATE', says, { refundId }))
    assert.deepEqual(callbacksOf(refundId), [])
  })

  it('INVALID_STATE for an enqueued refund', async () => {
    const depositId = await completedDeposit(service)
    await setAvailability(service, 'REFUND', 'DELAYED')
    const { id: refundId } = await refund(service, depositId)
    await refundReaches(service, refundId, 'ENQUEUED')
    const answer = await service.post(`${resend}/${refundId}`)
    assertAnswer(answer, 200, refused('INVALID_STATE', /ENQUEUED/, { refundId }))
    await setAvailability(service, 'REFUND', 'OPERATIONAL')
  })
})
