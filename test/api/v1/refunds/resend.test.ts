import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { startReceiver } from '../../../../harness/receiver.ts'
import { completedDeposit, depositThatHangs, REFUND_FAILS } from '../../../../harness/refunds.ts'
import { eventually, payer } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import {
  assertLegacy,
  assertLegacyError,
  legacyReaches,
  startLegacy,
} from '../../../support/legacy-payments.ts'

const service = await shareService()
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { refund: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

const callbacksOf = (id: string): unknown[] =>
  receiver.received.map(({ body }) => JSON.parse(body)).filter(({ refundId }) => refundId === id)

async function delivered(id: string, times: number): Promise<void> {
  await eventually(async () => {
    const { body } = await service.get(`/sandbox/deliveries?paymentId=${id}`)
    assert.deepEqual([body[0]?.delivery, body[0]?.attempts.length], ['DELIVERED', times])
  })
}

/** The second path is one that a client in use asks. */
for (const path of ['/refunds/resend-callback', '/refund/resend-callback']) {
  describe(`POST ${path}`, () => {
    const refused = (refundId: string, rejectionReason: RegExp) => ({
      refundId,
      status: 'REJECTED',
      rejectionReason,
    })

    for (const [state, phoneNumber] of [
      ['COMPLETED', '260763456789'],
      ['FAILED', REFUND_FAILS],
    ] as const) {
      it(`sends the same record again, for a refund that is ${state}`, async () => {
        const from = { payer: payer(phoneNumber, 'MTN_MOMO_ZMB') }
        const depositId = await completedDeposit(service, from)
        const { id: refundId } = await startLegacy(service, 'refund', { depositId })
        const record = await legacyReaches(service, 'refund', refundId, state)
        await delivered(refundId, 1)
        const answer = await service.post(path, { refundId })
        assertLegacy(answer, 200, { refundId, status: 'ACCEPTED' })
        await delivered(refundId, 2)
        assert.deepEqual(callbacksOf(refundId), [record, record])
      })
    }

    it('is REJECTED with a text for an unknown refund', async () => {
      const refundId = randomUUID()
      const says = new RegExp(`^No refund .*'${refundId}'`)
      assertLegacy(await service.post(path, { refundId }), 200, refused(refundId, says))
    })

    it('is REJECTED with a text for a refund that has not finished', async () => {
      const depositId = await depositThatHangs(service, '260763450002')
      const { id: refundId } = await startLegacy(service, 'refund', { depositId })
      await legacyReaches(service, 'refund', refundId, 'SUBMITTED')
      const says = /has not finished processing: it is SUBMITTED/
      assertLegacy(await service.post(path, { refundId }), 200, refused(refundId, says))
      await service.put('/sandbox/phones/260763450002', { script: [] })
    })

    for (const [body, says] of [
      [undefined, /could not be parsed/],
      [{}, /'refundId' is required/],
      [{ depositId: randomUUID() }, /'depositId' is not known/],
      [{ refundId: 'order-17' }, /'refundId'.*must be a UUID, such as/],
    ] as const) {
      it(`is refused with 400 for ${JSON.stringify(body) ?? 'no body'}`, async () => {
        const answer = await service.post(path, body)
        assertLegacyError(service, answer, 400, says)
      })
    }
  })
}
