import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, beforeEach, describe, it } from 'node:test'
import { addMerchant } from '../../../../harness/merchant.ts'
import { balanceOf, sentOf, switchPayouts } from '../../../../harness/payouts.ts'
import { startReceiver } from '../../../../harness/receiver.ts'
import { type Answer, eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import {
  assertLegacy,
  assertLegacyError,
  legacyReaches,
  msisdn,
  STARTED,
  startLegacy,
} from '../../../support/legacy-payments.ts'
import { assertShape, SECONDS } from '../../../support/shapes.ts'

const service = await shareService()
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { payout: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})
beforeEach(() => switchPayouts(service, 'OPERATIONAL'))

const CANCEL = '/payouts/fail-enqueued'

/** The identifier stands in the path, or in the body; clients send either. */
const WAYS: readonly (readonly [what: string, cancel: (id: string) => Promise<Answer>])[] = [
  ['by its path', (id) => service.post(`${CANCEL}/${id}`)],
  ['by its path, with an empty body declared as JSON', (id) => emptyJson(`${CANCEL}/${id}`)],
  ['by its path, with an empty object', (id) => service.post(`${CANCEL}/${id}`, {})],
  ['by its path and its body', (id) => service.post(`${CANCEL}/${id}`, { payoutId: id })],
  ['by its body', (id) => service.post(CANCEL, { payoutId: id })],
]

const emptyJson = (path: string): Promise<Answer> =>
  service.post(path, '', { 'content-type': 'application/json' })

const callbacksOf = (id: string): unknown[] =>
  receiver.received.map(({ body }) => JSON.parse(body)).filter(({ payoutId }) => payoutId === id)

async function enqueued(): Promise<string> {
  await switchPayouts(service, 'DELAYED')
  const { id, body } = await startLegacy(service, 'payout')
  assert.equal(body.status, 'ENQUEUED')
  await legacyReaches(service, 'payout', id, 'ENQUEUED')
  return id
}

describe('a cancellation is ACCEPTED, ends the payout and gives its money back,', () => {
  for (const [what, cancel] of WAYS) {
    it(what, async () => {
      const before = await balanceOf(service)
      const payoutId = await enqueued()
      assert.equal(Number(await balanceOf(service)), Number(before) - 15)
      assertLegacy(await cancel(payoutId), 200, { payoutId, status: 'ACCEPTED' })
      const record = await legacyReaches(service, 'payout', payoutId, 'FAILED')
      assertShape(record, {
        payoutId,
        status: 'FAILED',
        amount: '15',
        currency: 'ZMW',
        country: 'ZMB',
        correspondent: 'MTN_MOMO_ZMB',
        recipient: msisdn('260763456789'),
        customerTimestamp: STARTED,
        statementDescription: 'Order 12345',
        created: SECONDS,
        failureReason: {
          failureCode: 'MANUALLY_CANCELLED',
          failureMessage: /cancelled.*correspondent/,
        },
      })
      assert.equal(await balanceOf(service), before)
      await eventually(() => assert.deepEqual(callbacksOf(payoutId), [record]))
      assert.equal((await sentOf(service, [payoutId])).size, 0)
    })
  }

  it('written in another case, which is echoed', async () => {
    const id = await enqueued()
    const payoutId = id.toUpperCase()
    assertLegacy(await service.post(CANCEL, { payoutId }), 200, { payoutId, status: 'ACCEPTED' })
    await legacyReaches(service, 'payout', id, 'FAILED')
  })

  it('asked for in the other generation', async () => {
    await switchPayouts(service, 'DELAYED')
    const { id } = await startLegacy(service, 'payout')
    await legacyReaches(service, 'payout', id, 'ENQUEUED')
    const { body } = await service.post(`/v2/payouts/fail-enqueued/${id}`)
    assert.deepEqual(body, { payoutId: id, status: 'ACCEPTED' })
    const record = await legacyReaches(service, 'payout', id, 'FAILED')
    await eventually(() => assert.deepEqual(callbacksOf(id), [record]))
  })
})

describe('a cancellation is REJECTED with 200 and a text', () => {
  const refused = (payoutId: string, rejectionReason: RegExp) => ({
    payoutId,
    status: 'REJECTED',
    rejectionReason,
  })

  for (const [what, cancel] of WAYS) {
    it(`for an unknown payout, ${what}`, async () => {
      const payoutId = randomUUID()
      const says = new RegExp(`^No payout .*'${payoutId}'`)
      assertLegacy(await cancel(payoutId), 200, refused(payoutId, says))
    })
  }

  it('for the payout of another merchant', async () => {
    const payoutId = await enqueued()
    const other = await addMerchant(service)
    const answer = await other.call('POST', CANCEL, { payoutId })
    assertLegacy(answer, 200, refused(payoutId, /^No payout/))
    await legacyReaches(service, 'payout', payoutId, 'ENQUEUED')
  })

  for (const [state, phoneNumber] of [
    ['COMPLETED', '260763456789'],
    ['FAILED', '260763456119'],
    ['SUBMITTED', '260763456129'],
  ] as const) {
    it(`for a payout that is ${state}, and changes nothing`, async () => {
      const changes = { recipient: msisdn(phoneNumber) }
      const { id: payoutId } = await startLegacy(service, 'payout', changes)
      const record = await legacyReaches(service, 'payout', payoutId, state)
      const says = new RegExp(`payout '${payoutId}' is not enqueued: it is ${state}`)
      const answer = await service.post(CANCEL, { payoutId })
      assertLegacy(answer, 200, refused(payoutId, says))
      assert.deepEqual((await service.get(`/payouts/${payoutId}`)).body, [record])
    })
  }

  it('for one that was cancelled before', async () => {
    const payoutId = await enqueued()
    await service.post(CANCEL, { payoutId })
    const answer = await service.post(`${CANCEL}/${payoutId}`)
    assertLegacy(answer, 200, refused(payoutId, /it is FAILED/))
  })
})

describe('a cancellation is refused with 400 for', () => {
  for (const [path, body, says] of [
    [CANCEL, undefined, /could not be parsed/],
    [CANCEL, {}, /'payoutId' is required/],
    [CANCEL, { payoutId: 'order-17' }, /'payoutId'.*must be a UUID, such as/],
    [CANCEL, { payoutId: randomUUID(), reason: 'x' }, /'reason' is not known/],
    [`${CANCEL}/order-17`, undefined, /'payoutId'.*must be a UUID, such as/],
  ] as const) {
    it(`${path.slice(CANCEL.length)} ${JSON.stringify(body)}`, async () => {
      const answer = await service.post(path, body)
      assertLegacyError(service, answer, 400, says)
    })
  }
})
