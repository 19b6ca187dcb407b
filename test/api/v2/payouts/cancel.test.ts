import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, describe, it } from 'node:test'
import { addMerchant } from '../../../../harness/merchant.ts'
import {
  advanceUntilPayout,
  balanceOf,
  MTN,
  payout,
  payoutBody,
  reachesPayout,
  recipient,
  sentOf,
  setBalance,
  switchPayouts,
} from '../../../../harness/payouts.ts'
import { startReceiver } from '../../../../harness/receiver.ts'
import { eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer, assertShape, refused, SECONDS } from '../../../support/shapes.ts'

const service = await shareService('moving clock')
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { payout: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})
beforeEach(() => switchPayouts(service, 'OPERATIONAL'))

const cancel = '/v2/payouts/fail-enqueued'

async function enqueued(changes = {}): Promise<string> {
  await switchPayouts(service, 'DELAYED')
  const { id } = await payout(service, changes)
  await reachesPayout(service, id, 'ENQUEUED')
  return id
}

const callbacksOf = (id: string): Record<string, unknown>[] =>
  receiver.received.map((one) => JSON.parse(one.body)).filter((body) => body.payoutId === id)

/** Bodies and headers with which clients cancel. */
const REQUESTS: readonly (readonly [what: string, body?: string | undefined, type?: string])[] = [
  ['no body'],
  ['no body, declared as JSON', undefined, 'application/json'],
  ['an empty body, declared as JSON', '', 'application/json'],
  ['an empty object', '{}', 'application/json'],
  ['an empty object of no type', '{}'],
]

describe('a cancellation is ACCEPTED, ends the payout and gives its money back, asked with', () => {
  for (const [what, body, type] of REQUESTS) {
    it(what, async () => {
      const before = await balanceOf(service)
      const id = await enqueued({ metadata: [{ a: 'b' }] })
      assert.equal(Number(await balanceOf(service)), Number(before) - 15)
      const headers = type === undefined ? {} : { 'content-type': type }
      const answer = await service.post(`${cancel}/${id}`, body, headers)
      assertAnswer(answer, 200, { payoutId: id, status: 'ACCEPTED' })
      const { data } = (await service.get(`/v2/payouts/${id}`)).body
      assertShape(data, {
        payoutId: id,
        status: 'FAILED',
        amount: '15',
        currency: 'ZMW',
        country: 'ZMB',
        recipient: recipient('260763456789', MTN),
        customerMessage: 'Demo Merchant',
        created: SECONDS,
        failureReason: { failureCode: 'MANUALLY_CANCELLED', failureMessage: /cancelled/ },
        metadata: { a: 'b' },
      })
      assert.equal(await balanceOf(service), before)
      await eventually(() => assert.deepEqual(callbacksOf(id), [data]))
      assert.equal((await sentOf(service, [id])).size, 0)
    })
  }
})

it('a cancelled payout stays so when the provider works again', async () => {
  const id = await enqueued()
  await service.post(`${cancel}/${id}`)
  await switchPayouts(service, 'OPERATIONAL')
  const later = await payout(service)
  await reachesPayout(service, later.id, 'COMPLETED')
  await reachesPayout(service, id, 'FAILED')
  assert.equal((await sentOf(service, [id])).size, 0)
})

it('the identifier is case-insensitive, and echoed as in the path', async () => {
  const id = await enqueued()
  const answer = await service.post(`${cancel}/${id.toUpperCase()}`)
  assertAnswer(answer, 200, { payoutId: id.toUpperCase(), status: 'ACCEPTED' })
})

it('it is cancelled while the provider is CLOSED, too', async () => {
  const id = await enqueued()
  await switchPayouts(service, 'CLOSED')
  const answer = await service.post(`${cancel}/${id}`)
  assertAnswer(answer, 200, { payoutId: id, status: 'ACCEPTED' })
})

it('of many cancellations at once one is ACCEPTED and there is one callback', async () => {
  const before = await balanceOf(service)
  const id = await enqueued()
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => service.post(`${cancel}/${id}`)),
  )
  const statuses = answers.map(({ body }) => body.failureReason?.failureCode ?? body.status)
  assert.deepEqual(statuses.toSorted(), ['ACCEPTED', ...Array(19).fill('INVALID_STATE')])
  assert.equal(await balanceOf(service), before)
  await eventually(() => assert.equal(callbacksOf(id).length, 1))
})

it('without an address for callbacks it is cancelled silently', async () => {
  await service.put('/sandbox/callbacks', { payout: null })
  const id = await enqueued()
  assert.equal((await service.post(`${cancel}/${id}`)).body.status, 'ACCEPTED')
  await service.put('/sandbox/callbacks', { payout: receiver.url })
  assert.deepEqual((await service.get(`/sandbox/deliveries?paymentId=${id}`)).body, [])
})

/** A payout that is not enqueued, made by these steps. */
const OTHERS: readonly (readonly [state: string, make: () => Promise<string>])[] = [
  ['COMPLETED', () => ended({}, 'COMPLETED')],
  ['FAILED', () => ended({ recipient: recipient('260763456119', MTN) }, 'FAILED')],
  ['PROCESSING', () => ended({ recipient: recipient('260763456129', MTN) }, 'PROCESSING')],
  ['IN_RECONCILIATION', lostTrackOf],
  ['FAILED', outOfFunds],
]

describe('a cancellation is REJECTED with 200 and changes nothing:', () => {
  for (const payoutId of [randomUUID(), '00000000-0000-0000-0000-000000000000']) {
    it(`NOT_FOUND for an unknown payout: ${payoutId.slice(-4)}`, async () => {
      const says = new RegExp(`payout.*'${payoutId}'`)
      const answer = await service.post(`${cancel}/${payoutId}`)
      assertAnswer(answer, 200, refused('NOT_FOUND', says, { payoutId }))
    })
  }

  it("NOT_FOUND for another merchant's payout", async () => {
    const id = await enqueued()
    const other = await addMerchant(service)
    const { body } = await other.call('POST', `${cancel}/${id}`)
    assert.equal(body.failureReason.failureCode, 'NOT_FOUND')
    await reachesPayout(service, id, 'ENQUEUED')
  })

  for (const [index, [state, make]] of OTHERS.entries()) {
    it(`INVALID_STATE for a payout that is ${state} (${index})`, async () => {
      const payoutId = await make()
      const before = (await service.get(`/v2/payouts/${payoutId}`)).body
      const says = new RegExp(`payout '${payoutId}' is not enqueued: it is ${state}`)
      const answer = await service.post(`${cancel}/${payoutId}`)
      assertAnswer(answer, 200, refused('INVALID_STATE', says, { payoutId }))
      assert.deepEqual((await service.get(`/v2/payouts/${payoutId}`)).body, before)
    })
  }

  it('INVALID_STATE for one that was cancelled before', async () => {
    const payoutId = await enqueued()
    await service.post(`${cancel}/${payoutId}`)
    const answer = await service.post(`${cancel}/${payoutId}`)
    assertAnswer(answer, 200, refused('INVALID_STATE', /it is FAILED/, { payoutId }))
  })
})

it('the identifier of a cancelled payout is used up', async () => {
  const body = payoutBody({ payoutId: await enqueued() })
  await service.post(`${cancel}/${body.payoutId}`)
  assert.equal((await service.post('/v2/payouts', body)).body.status, 'DUPLICATE_IGNORED')
})

async function ended(changes: object, state: string): Promise<string> {
  const { id } = await payout(service, { ...changes })
  await reachesPayout(service, id, state)
  return id
}

async function lostTrackOf(): Promise<string> {
  const script = [{ afterSeconds: 0, answer: 'silent' }]
  await service.put('/sandbox/phones/260763450002', { script })
  const { id } = await payout(service, { recipient: recipient('260763450002', MTN) })
  await advanceUntilPayout(service, id, 'IN_RECONCILIATION')
  return id
}

async function outOfFunds(): Promise<string> {
  await setBalance(service, '0')
  const id = await ended({}, 'FAILED')
  await setBalance(service, '1000000')
  return id
}
