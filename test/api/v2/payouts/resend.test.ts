import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import {
  advanceUntilPayout,
  MTN,
  payout,
  reachesPayout,
  recipient,
  setBalance,
  switchPayouts,
} from '../../../../harness/payouts.ts'
import { failForAnHour, startReceiver } from '../../../../harness/receiver.ts'
import { eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await shareService('moving clock')
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { payout: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

const resend = '/v2/payouts/resend-callback'

function callbacksOf(id: string): Record<string, unknown>[] {
  return receiver.received
    .map((one) => JSON.parse(one.body))
    .filter((body) => body.payoutId.toLowerCase() === id.toLowerCase())
}

async function delivered(id: string, times: number): Promise<void> {
  await eventually(async () => {
    const { body } = await service.get(`/sandbox/deliveries?paymentId=${id}`)
    assert.equal(body[0]?.delivery, 'DELIVERED')
    assert.equal(body[0]?.attempts.length, times)
  })
  assert.equal(callbacksOf(id).length, times)
}

/** A final payout, and bodies and headers with which clients ask for its callback again. */
const REQUESTS: readonly (readonly [what: string, body?: string | undefined, type?: string])[] = [
  ['no body'],
  ['no body, declared as JSON', undefined, 'application/json'],
  ['an empty body, declared as JSON', '', 'application/json'],
  ['an empty object', '{}', 'application/json'],
  ['an empty object of no type', '{}'],
]

describe('a resend is ACCEPTED and sends the same record again, asked with', () => {
  for (const [what, body, type] of REQUESTS) {
    it(what, async () => {
      const { id } = await payout(service, { metadata: [{ a: 'b' }] })
      const record = await reachesPayout(service, id, 'COMPLETED')
      await delivered(id, 1)
      const headers = type === undefined ? {} : { 'content-type': type }
      const answer = await service.post(`${resend}/${id}`, body, headers)
      assertAnswer(answer, 200, { payoutId: id, status: 'ACCEPTED' })
      await delivered(id, 2)
      assert.deepEqual(callbacksOf(id), [record, record])
    })
  }
})

it('a failed payout can be resent, as often as asked', async () => {
  const { id } = await payout(service, { recipient: recipient('260763456119', MTN) })
  const record = await reachesPayout(service, id, 'FAILED')
  await delivered(id, 1)
  for (const times of [2, 3]) {
    assert.equal((await service.post(`${resend}/${id}`)).body.status, 'ACCEPTED')
    await delivered(id, times)
  }
  assert.deepEqual(callbacksOf(id), [record, record, record])
})

it('the identifier is case-insensitive, and echoed as in the path', async () => {
  const { id } = await payout(service)
  await reachesPayout(service, id, 'COMPLETED')
  await delivered(id, 1)
  const answer = await service.post(`${resend}/${id.toUpperCase()}`)
  assertAnswer(answer, 200, { payoutId: id.toUpperCase(), status: 'ACCEPTED' })
  await delivered(id, 2)
})

it('a payout that ended while no address was set can be sent once there is one', async () => {
  await service.put('/sandbox/callbacks', { payout: null })
  const { id } = await payout(service)
  await reachesPayout(service, id, 'COMPLETED')
  await service.put('/sandbox/callbacks', { payout: receiver.url })
  assert.equal((await service.post(`${resend}/${id}`)).body.status, 'ACCEPTED')
  await delivered(id, 1)
})

it('a callback that waits for its next try is sent at once', async () => {
  receiver.answer(failForAnHour)
  const { id } = await payout(service)
  await reachesPayout(service, id, 'COMPLETED')
  await eventually(() => assert.equal(callbacksOf(id).length, 1))
  receiver.answer(200)
  await eventually(async () => {
    const { body } = await service.get(`/sandbox/deliveries?paymentId=${id}`)
    assert.equal(body[0].attempts.length, 1)
  })
  assert.equal((await service.post(`${resend}/${id}`)).body.status, 'ACCEPTED')
  await delivered(id, 2)
})

it('a payout that failed for lack of funds can be resent like any other', async () => {
  await setBalance(service, '0')
  const { id } = await payout(service)
  const record = await reachesPayout(service, id, 'FAILED')
  await setBalance(service, '1000000')
  await delivered(id, 1)
  assert.equal((await service.post(`${resend}/${id}`)).body.status, 'ACCEPTED')
  await delivered(id, 2)
  assert.deepEqual(callbacksOf(id), [record, record])
})

describe('a resend is REJECTED with 200', () => {
  for (const payoutId of [randomUUID(), '00000000-0000-0000-0000-000000000000']) {
    it(`NOT_FOUND for an unknown payout: ${payoutId.slice(-4)}`, async () => {
      const says = new RegExp(`payout.*'${payoutId}'`)
      const answer = await service.post(`${resend}/${payoutId}`)
      assertAnswer(answer, 200, refused('NOT_FOUND', says, { payoutId }))
    })
  }

  it('INVALID_STATE for a payout that has not finished', async () => {
    const { id: payoutId } = await payout(service, {
      recipient: recipient('260763456129', MTN),
    })
    await reachesPayout(service, payoutId, 'PROCESSING')
    const says = new RegExp(`payout '${payoutId}' has not finished`)
    const answer = await service.post(`${resend}/${payoutId}`)
    assertAnswer(answer, 200, refused('INVALID_STATE', says, { payoutId }))
    const { body } = await service.get(`/sandbox/deliveries?paymentId=${payoutId}`)
    assert.deepEqual(body, [])
  })

  it('INVALID_STATE for a payout in reconciliation', async () => {
    const script = [{ afterSeconds: 0, answer: 'silent' }]
    await service.put('/sandbox/phones/260763450002', { script })
    const { id: payoutId } = await payout(service, {
      recipient: recipient('260763450002', MTN),
    })
    await advanceUntilPayout(service, payoutId, 'IN_RECONCILIATION')
    const answer = await service.post(`${resend}/${payoutId}`)
    assertAnswer(answer, 200, refused('INVALID_STATE', /IN_RECONCILIATION/, { payoutId }))
  })

  it('INVALID_STATE for an enqueued payout', async () => {
    await switchPayouts(service, 'DELAYED')
    const { id: payoutId } = await payout(service)
    await reachesPayout(service, payoutId, 'ENQUEUED')
    const answer = await service.post(`${resend}/${payoutId}`)
    assertAnswer(answer, 200, refused('INVALID_STATE', /ENQUEUED/, { payoutId }))
    await switchPayouts(service, 'OPERATIONAL')
    await reachesPayout(service, payoutId, 'COMPLETED')
  })

  it('NOT_FOUND for a deposit of that identifier', async () => {
    const { id: payoutId } = await service.deposit()
    await service.reaches(payoutId, 'COMPLETED')
    const answer = await service.post(`${resend}/${payoutId}`)
    assertAnswer(answer, 200, refused('NOT_FOUND', /payout/, { payoutId }))
  })
})
