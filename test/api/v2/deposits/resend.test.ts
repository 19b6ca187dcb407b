import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { advanceUntil } from '../../../../harness/operator.ts'
import { failForAnHour, startReceiver } from '../../../../harness/receiver.ts'
import { eventually, payer } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await shareService('moving clock')
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { deposit: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

const resend = '/v2/deposits/resend-callback'

function callbacksOf(id: string): Record<string, unknown>[] {
  return receiver.received
    .map((one) => JSON.parse(one.body))
    .filter((body) => body.depositId.toLowerCase() === id.toLowerCase())
}

async function delivered(id: string, times: number): Promise<void> {
  await eventually(async () => {
    const { body } = await service.get(`/sandbox/deliveries?paymentId=${id}`)
    assert.equal(body[0]?.delivery, 'DELIVERED')
    assert.equal(body[0]?.attempts.length, times)
  })
  assert.equal(callbacksOf(id).length, times)
}

/** A final deposit, and bodies and headers with which clients ask for its callback again. */
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
      const { id } = await service.deposit({ metadata: [{ a: 'b' }] })
      const record = await service.reaches(id, 'COMPLETED')
      await delivered(id, 1)
      const headers = type === undefined ? {} : { 'content-type': type }
      const answer = await service.post(`${resend}/${id}`, body, headers)
      assertAnswer(answer, 200, { depositId: id, status: 'ACCEPTED' })
      await delivered(id, 2)
      assert.deepEqual(callbacksOf(id), [record, record])
    })
  }
})

it('a failed deposit can be resent, as often as asked', async () => {
  const { id } = await service.deposit({ payer: payer('260763456039', 'MTN_MOMO_ZMB') })
  const record = await service.reaches(id, 'FAILED')
  await delivered(id, 1)
  for (const times of [2, 3]) {
    assert.equal((await service.post(`${resend}/${id}`)).body.status, 'ACCEPTED')
    await delivered(id, times)
  }
  assert.deepEqual(callbacksOf(id), [record, record, record])
})

it('the identifier is case-insensitive, and echoed as in the path', async () => {
  const { id } = await service.deposit()
  await service.reaches(id, 'COMPLETED')
  await delivered(id, 1)
  const answer = await service.post(`${resend}/${id.toUpperCase()}`)
  assertAnswer(answer, 200, { depositId: id.toUpperCase(), status: 'ACCEPTED' })
  await delivered(id, 2)
})

it('a deposit that ended while no address was set can be sent once there is one', async () => {
  await service.put('/sandbox/callbacks', { deposit: null })
  const { id } = await service.deposit()
  await service.reaches(id, 'COMPLETED')
  await service.put('/sandbox/callbacks', { deposit: receiver.url })
  assert.equal((await service.post(`${resend}/${id}`)).body.status, 'ACCEPTED')
  await delivered(id, 1)
})

it('a callback that waits for its next try is sent at once', async () => {
  receiver.answer(failForAnHour)
  const { id } = await service.deposit()
  await service.reaches(id, 'COMPLETED')
  await eventually(() => assert.equal(callbacksOf(id).length, 1))
  receiver.answer(200)
  await eventually(async () => {
    const { body } = await service.get(`/sandbox/deliveries?paymentId=${id}`)
    assert.equal(body[0].attempts.length, 1)
  })
  assert.equal((await service.post(`${resend}/${id}`)).body.status, 'ACCEPTED')
  await delivered(id, 2)
})

describe('a resend is REJECTED with 200', () => {
  for (const depositId of [randomUUID(), '00000000-0000-0000-0000-000000000000']) {
    it(`NOT_FOUND for an unknown deposit: ${depositId.slice(-4)}`, async () => {
      const says = new RegExp(`deposit.*'${depositId}'`)
      const answer = await service.post(`${resend}/${depositId}`)
      assertAnswer(answer, 200, refused('NOT_FOUND', says, { depositId }))
    })
  }

  it('INVALID_STATE for a deposit that has not finished', async () => {
    const { id: depositId } = await service.deposit({
      payer: payer('260763456129', 'MTN_MOMO_ZMB'),
    })
    await service.reaches(depositId, 'PROCESSING')
    const says = new RegExp(`deposit '${depositId}' has not finished`)
    const answer = await service.post(`${resend}/${depositId}`)
    assertAnswer(answer, 200, refused('INVALID_STATE', says, { depositId }))
    const { body } = await service.get(`/sandbox/deliveries?paymentId=${depositId}`)
    assert.deepEqual(body, [])
  })

  it('INVALID_STATE for a deposit in reconciliation', async () => {
    const script = [{ afterSeconds: 0, answer: 'silent' }]
    await service.put('/sandbox/phones/260763450002', { script })
    const { id: depositId } = await service.deposit({
      payer: payer('260763450002', 'MTN_MOMO_ZMB'),
    })
    await advanceUntil(service, depositId, 'IN_RECONCILIATION')
    const answer = await service.post(`${resend}/${depositId}`)
    assertAnswer(answer, 200, refused('INVALID_STATE', /IN_RECONCILIATION/, { depositId }))
  })
})
