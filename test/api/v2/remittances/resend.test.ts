import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { startReceiver } from '../../../../harness/receiver.ts'
import {
  NEVER_ENDS,
  recipient,
  remitterOf,
  setRemittances,
} from '../../../../harness/remittances.ts'
import { eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await shareService()
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { remittance: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})
const { remit, reaches } = remitterOf(service)

const resend = '/v2/remittances/resend-callback'

const callbacksOf = (id: string): string[] =>
  receiver.received
    .map(({ body }) => body)
    .filter((body) => JSON.parse(body).remittanceId.toLowerCase() === id.toLowerCase())

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
  ['an empty body, declared as JSON', '', 'application/json'],
  ['an empty object', '{}', 'application/json'],
]

describe('a resend is ACCEPTED and sends the same text again, asked with', () => {
  for (const [what, body, type] of REQUESTS) {
    it(what, async () => {
      const { id } = await remit({ metadata: [{ a: 'b' }] })
      const record = JSON.stringify(await reaches(id, 'COMPLETED'))
      await delivered(id, 1)
      const headers = type === undefined ? {} : { 'content-type': type }
      const answer = await service.post(`${resend}/${id}`, body, headers)
      assertAnswer(answer, 200, { remittanceId: id, status: 'ACCEPTED' })
      await delivered(id, 2)
      assert.deepEqual(callbacksOf(id), [record, record])
    })
  }
})

it('a failed remittance can be resent, as often as asked', async () => {
  const { id } = await remit({ recipient: recipient('260763456079') })
  const record = JSON.stringify(await reaches(id, 'FAILED'))
  await delivered(id, 1)
  for (const times of [2, 3]) {
    assert.equal((await service.post(`${resend}/${id}`)).body.status, 'ACCEPTED')
    await delivered(id, times)
  }
  assert.deepEqual(callbacksOf(id), [record, record, record])
})

it('the identifier is case-insensitive, and echoed as in the path', async () => {
  const { id } = await remit()
  await reaches(id, 'COMPLETED')
  await delivered(id, 1)
  const answer = await service.post(`${resend}/${id.toUpperCase()}`)
  assertAnswer(answer, 200, { remittanceId: id.toUpperCase(), status: 'ACCEPTED' })
  await delivered(id, 2)
})

it('a remittance that ended while no address was set can be sent once there is one', async () => {
  await service.put('/sandbox/callbacks', { remittance: null })
  const { id } = await remit()
  await reaches(id, 'COMPLETED')
  await service.put('/sandbox/callbacks', { remittance: receiver.url })
  assert.equal((await service.post(`${resend}/${id}`)).body.status, 'ACCEPTED')
  await delivered(id, 1)
})

describe('a resend is REJECTED with 200', () => {
  for (const remittanceId of [randomUUID(), '00000000-0000-0000-0000-000000000000']) {
    it(`NOT_FOUND for an unknown remittance: ${remittanceId.slice(-4)}`, async () => {
      const says = new RegExp(`remittance.*'${remittanceId}'`)
      const answer = await service.post(`${resend}/${remittanceId}`)
      assertAnswer(answer, 200, refused('NOT_FOUND', says, { remittanceId }))
    })
  }

  it('INVALID_STATE for a remittance that has not finished', async () => {
    const { id: remittanceId } = await remit({ recipient: recipient(NEVER_ENDS) })
    await reaches(remittanceId, 'PROCESSING')
    const says = new RegExp(`remittance '${remittanceId}' has not finished`)
    const answer = await service.post(`${resend}/${remittanceId}`)
    assertAnswer(answer, 200, refused('INVALID_STATE', says, { remittanceId }))
    const { body } = await service.get(`/sandbox/deliveries?paymentId=${remittanceId}`)
    assert.deepEqual(body, [])
  })

  it('INVALID_STATE for an enqueued remittance', async () => {
    await setRemittances(service, 'DELAYED')
    const { id: remittanceId } = await remit()
    await reaches(remittanceId, 'ENQUEUED')
    const answer = await service.post(`${resend}/${remittanceId}`)
    assertAnswer(answer, 200, refused('INVALID_STATE', /ENQUEUED/, { remittanceId }))
    await setRemittances(service, 'OPERATIONAL')
    await reaches(remittanceId, 'COMPLETED')
  })
})
