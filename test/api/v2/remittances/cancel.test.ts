import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { startReceiver } from '../../../../harness/receiver.ts'
import {
  NEVER_ENDS,
  recipient,
  remitterOf,
  SENDER,
  setRemittances,
} from '../../../../harness/remittances.ts'
import { eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer, assertShape, refused, SECONDS } from '../../../support/shapes.ts'

const service = await shareService()
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { remittance: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})
const { remit, reaches } = remitterOf(service)

const cancel = (id: string, body?: string, headers: Record<string, string> = {}) =>
  service.post(`/v2/remittances/fail-enqueued/${id}`, body, headers)
const balance = async (): Promise<string> =>
  (await service.get('/v2/wallet-balances?country=ZMB')).body.balances[0].balance
const callbacksOf = (id: string): string[] =>
  receiver.received.map(({ body }) => body).filter((body) => body.includes(id))

/** A remittance that waits because its provider is delayed; the provider stays delayed. */
async function enqueue(changes: Record<string, unknown> = {}): Promise<string> {
  await setRemittances(service, 'DELAYED')
  const { id, body } = await remit(changes)
  assert.equal(body.status, 'ACCEPTED')
  await reaches(id, 'ENQUEUED')
  return id
}

/** Bodies and headers with which clients cancel. */
const REQUESTS: readonly (readonly [what: string, body?: string | undefined, type?: string])[] = [
  ['no body'],
  ['no body, declared as JSON', undefined, 'application/json'],
  ['an empty body, declared as JSON', '', 'application/json'],
  ['an empty object', '{}', 'application/json'],
]

describe('an enqueued remittance is cancelled: FAILED, money back, callback sent; asked with', () => {
  for (const [what, body, type] of REQUESTS) {
    it(what, async () => {
      const before = await balance()
      const id = await enqueue({ amount: '40.50' })
      assert.equal(Number(await balance()), Number(before) - 40.5)
      const headers = type === undefined ? {} : { 'content-type': type }
      assertAnswer(await cancel(id, body, headers), 200, { remittanceId: id, status: 'ACCEPTED' })
      const record = await reaches(id, 'FAILED')
      assertShape(record, {
        remittanceId: id,
        status: 'FAILED',
        amount: '40.50',
        currency: 'ZMW',
        country: 'ZMB',
        recipient: recipient('260763456789'),
        sender: SENDER,
        customerMessage: 'Demo Merchant',
        created: SECONDS,
        failureReason: { failureCode: 'MANUALLY_CANCELLED', failureMessage: /cancelled/ },
      })
      assert.equal(await balance(), before)
      await eventually(() => assert.deepEqual(callbacksOf(id), [JSON.stringify(record)]))
    })
  }
})

it('what was cancelled stays so when the provider works again', async () => {
  const id = await enqueue()
  assert.equal((await cancel(id)).body.status, 'ACCEPTED')
  const other = await enqueue()
  await setRemittances(service, 'OPERATIONAL')
  await reaches(other, 'COMPLETED')
  assert.equal((await reaches(id, 'FAILED')).providerTransactionId, undefined)
  assertAnswer(await cancel(id), 200, refused('INVALID_STATE', /FAILED/, { remittanceId: id }))
})

it('the identifier is case-insensitive, and echoed as in the path', async () => {
  const id = (await enqueue()).toUpperCase()
  assertAnswer(await cancel(id), 200, { remittanceId: id, status: 'ACCEPTED' })
  await reaches(id, 'FAILED')
})

it('of many cancellations at once one is accepted, and the money comes back once', async () => {
  const before = await balance()
  const id = await enqueue({ amount: '30' })
  const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(id)))
  const statuses = answers.map(({ body }) => body.status).toSorted()
  assert.deepEqual(statuses, ['ACCEPTED', ...Array(9).fill('REJECTED')])
  await reaches(id, 'FAILED')
  assert.equal(await balance(), before)
})

it('of a cancellation and the recovery of the provider exactly one wins', async () => {
  const before = Number(await balance())
  const ids = await Promise.all(Array.from({ length: 8 }, () => enqueue({ amount: '10' })))
  const [, ...answers] = await Promise.all([
    setRemittances(service, 'OPERATIONAL'),
    ...ids.map((id) => cancel(id)),
  ])
  let paid = 0
  for (const [index, id] of ids.entries()) {
    const isCancelled = answers[index]?.body.status === 'ACCEPTED'
    const record = await reaches(id, isCancelled ? 'FAILED' : 'COMPLETED')
    assert.equal(record.failureReason !== undefined, isCancelled)
    if (!isCancelled) paid += 10
  }
  assert.equal(Number(await balance()), before - paid)
})

describe('a cancellation is REJECTED with 200', () => {
  for (const remittanceId of [randomUUID(), '00000000-0000-0000-0000-000000000000']) {
    it(`NOT_FOUND for an unknown remittance: ${remittanceId.slice(-4)}`, async () => {
      const says = new RegExp(`remittance.*'${remittanceId}'`)
      assertAnswer(await cancel(remittanceId), 200, refused('NOT_FOUND', says, { remittanceId }))
    })
  }

  for (const [phoneNumber, state] of [
    ['260763456789', 'COMPLETED'],
    ['260763456079', 'FAILED'],
    [NEVER_ENDS, 'PROCESSING'],
  ] as const) {
    it(`INVALID_STATE for one that is ${state}, and it stays as it is`, async () => {
      await setRemittances(service, 'OPERATIONAL')
      const { id: remittanceId } = await remit({ recipient: recipient(phoneNumber) })
      const before = await reaches(remittanceId, state)
      const says = new RegExp(`remittance '${remittanceId}' is not enqueued.*${state}`)
      const expected = refused('INVALID_STATE', says, { remittanceId })
      assertAnswer(await cancel(remittanceId), 200, expected)
      assert.deepEqual(await reaches(remittanceId, state), before)
    })
  }
})
