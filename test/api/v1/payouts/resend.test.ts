import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { switchPayouts } from '../../../../harness/payouts.ts'
import { startReceiver } from '../../../../harness/receiver.ts'
import { eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import {
  assertLegacy,
  assertLegacyError,
  legacyReaches,
  msisdn,
  startLegacy,
} from '../../../support/legacy-payments.ts'

const service = await shareService()
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { payout: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

const resend = '/payouts/resend-callback'

const callbacksOf = (id: string): unknown[] =>
  receiver.received.map(({ body }) => JSON.parse(body)).filter(({ payoutId }) => payoutId === id)

async function delivered(id: string, times: number): Promise<void> {
  await eventually(async () => {
    const { body } = await service.get(`/sandbox/deliveries?paymentId=${id}`)
    assert.deepEqual([body[0]?.delivery, body[0]?.attempts.length], ['DELIVERED', times])
  })
}

describe('a resend is ACCEPTED and sends the same record again, for a payout that is', () => {
  for (const [state, phoneNumber] of [
    ['COMPLETED', '260763456789'],
    ['FAILED', '260763456119'],
  ] as const) {
    it(state, async () => {
      const changes = { recipient: msisdn(phoneNumber) }
      const { id: payoutId } = await startLegacy(service, 'payout', changes)
      const record = await legacyReaches(service, 'payout', payoutId, state)
      await delivered(payoutId, 1)
      const answer = await service.post(resend, { payoutId })
      assertLegacy(answer, 200, { payoutId, status: 'ACCEPTED' })
      await delivered(payoutId, 2)
      assert.deepEqual(callbacksOf(payoutId), [record, record])
    })
  }
})

describe('a resend is REJECTED with 200 and a text', () => {
  const refused = (payoutId: string, rejectionReason: RegExp) => ({
    payoutId,
    status: 'REJECTED',
    rejectionReason,
  })

  it('for an unknown payout', async () => {
    const payoutId = randomUUID()
    const says = new RegExp(`^No payout .*'${payoutId}'`)
    assertLegacy(await service.post(resend, { payoutId }), 200, refused(payoutId, says))
  })

  it('for a payout that has not finished, in the terms of this generation', async () => {
    const changes = { recipient: msisdn('260763456129') }
    const { id: payoutId } = await startLegacy(service, 'payout', changes)
    await legacyReaches(service, 'payout', payoutId, 'SUBMITTED')
    const answer = await service.post(resend, { payoutId })
    assertLegacy(answer, 200, refused(payoutId, /has not finished processing: it is SUBMITTED/))
  })

  it('for an enqueued payout', async () => {
    await switchPayouts(service, 'DELAYED')
    const { id: payoutId } = await startLegacy(service, 'payout')
    await legacyReaches(service, 'payout', payoutId, 'ENQUEUED')
    const answer = await service.post(resend, { payoutId })
    await switchPayouts(service, 'OPERATIONAL')
    assertLegacy(answer, 200, refused(payoutId, /it is ENQUEUED/))
  })
})

describe('a resend is refused with 400 for', () => {
  for (const [body, says] of [
    [undefined, /could not be parsed/],
    [[], /'body'.*an object/],
    [{}, /'payoutId' is required/],
    [{ depositId: randomUUID() }, /'depositId' is not known/],
    [{ payoutId: 'order-17' }, /'payoutId'.*must be a UUID, such as/],
    [{ payoutId: 17 }, /'payoutId'.*text/],
  ] as const) {
    it(JSON.stringify(body) ?? 'no body', async () => {
      const answer = await service.post(resend, body)
      assertLegacyError(service, answer, 400, says)
    })
  }
})
