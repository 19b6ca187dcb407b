import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { startReceiver } from '../../../../harness/receiver.ts'
import {
  answersOf,
  completedDeposit,
  depositThatHangs,
  refund,
  refunded,
  refundReaches,
  setAvailability,
} from '../../../../harness/refunds.ts'
import { eventually, payer } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer } from '../../../support/shapes.ts'

const service = await shareService('moving clock')
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { refund: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

const SENT = {
  amount: '15.50',
  currency: 'ZMW',
  clientReferenceId: 'BACK-7',
  metadata: [{ orderId: 'ORD-1' }, { mail: 'a@b.c', isPII: true }],
}
const SHOWN = {
  ...SENT,
  country: 'ZMB',
  customerMessage: 'Order 12345',
  metadata: { orderId: 'ORD-1', mail: 'a@b.c' },
}

/** A number of the sandbox, and what the record shows beside what was sent. */
const ENDINGS: readonly (readonly [phoneNumber: string, state: string, more: object])[] = [
  ['260763456789', 'COMPLETED', { providerTransactionId: /^SBX[0-9A-F]{16}$/ }],
  ['260763456079', 'FAILED', failed('RECIPIENT_NOT_FOUND')],
  ['260763456099', 'FAILED', failed('WALLET_LIMIT_REACHED')],
  ['260763456119', 'FAILED', failed('UNSPECIFIED_FAILURE')],
]

describe('FOUND holds the whole record and nothing else:', () => {
  for (const [phoneNumber, state, more] of ENDINGS) {
    const from = payer(phoneNumber, 'MTN_MOMO_ZMB')

    it(`${state} ${JSON.stringify(more)}, and the callback is the same`, async () => {
      const depositId = await completedDeposit(service, {
        payer: from,
        customerMessage: 'Order 12345',
      })
      const { id: refundId, body } = await refund(service, depositId, { ...SENT })
      await refundReaches(service, refundId, state)
      const { created } = body
      const data = {
        refundId,
        depositId,
        status: state,
        ...SHOWN,
        recipient: from,
        created,
        ...more,
      }
      const answer = await service.get(`/v2/refunds/${refundId}`)
      assertAnswer(answer, 200, { status: 'FOUND', data })
      await eventually(() => assert.deepEqual(callbacksOf(refundId), [answer.body.data]))
    })
  }

  it('PROCESSING without anything that is not known yet, and no callback', async () => {
    const depositId = await depositThatHangs(service, '260763450001')
    const { id: refundId, body } = await refund(service, depositId)
    await refundReaches(service, refundId, 'PROCESSING')
    const data = {
      refundId,
      depositId,
      status: 'PROCESSING',
      amount: '100',
      currency: 'ZMW',
      country: 'ZMB',
      recipient: payer('260763450001', 'MTN_MOMO_ZMB'),
      customerMessage: 'Demo Merchant',
      created: body.created,
    }
    assertAnswer(await service.get(`/v2/refunds/${refundId}`), 200, { status: 'FOUND', data })
    assert.deepEqual(callbacksOf(refundId), [])
  })

  it('ENQUEUED while the provider is delayed, and then on', async () => {
    const depositId = await completedDeposit(service)
    await setAvailability(service, 'REFUND', 'DELAYED')
    const { id } = await refund(service, depositId)
    await refundReaches(service, id, 'ENQUEUED')
    assert.deepEqual(callbacksOf(id), [])
    await setAvailability(service, 'REFUND', 'OPERATIONAL')
    const record = await refundReaches(service, id, 'COMPLETED')
    await eventually(() => assert.deepEqual(callbacksOf(id), [record]))
  })

  it('IN_RECONCILIATION while the operator does not answer, then the outcome', async () => {
    const number = '260763450003'
    const depositId = await completedDeposit(service, { payer: payer(number, 'MTN_MOMO_ZMB') })
    await answersOf(service, number, [
      { afterSeconds: 0, answer: 'silent' },
      { afterSeconds: 100_000, answer: 'failed', failureCode: 'RECIPIENT_NOT_FOUND' },
    ])
    const { id } = await refund(service, depositId)
    await refundReaches(service, id, 'PROCESSING')
    await eventually(async () => {
      await service.advance(5)
      const { data } = (await service.get(`/v2/refunds/${id}`)).body
      assert.equal(data.status, 'IN_RECONCILIATION')
    })
    const other = await refund(service, depositId)
    assert.equal(other.body.failureReason.failureCode, 'REFUND_IN_PROGRESS')
    await service.advance(100_000)
    await refundReaches(service, id, 'FAILED')
    await answersOf(service, number, [{ afterSeconds: 0, answer: 'done' }])
    await refunded(service, depositId)
  })
})

describe('NOT_FOUND has no data, for', () => {
  for (const id of [
    randomUUID(),
    '00000000-0000-0000-0000-000000000000',
    '018f4e2a-7b6c-7d3e-9f10-aabbccddeeff',
  ]) {
    it(id.replace(/^\w{8}-(?=\w{4}-4)/, '…-'), async () => {
      assertAnswer(await service.get(`/v2/refunds/${id}`), 200, { status: 'NOT_FOUND' })
    })
  }

  it('the identifier of the deposit', async () => {
    const depositId = await completedDeposit(service)
    await refunded(service, depositId)
    assertAnswer(await service.get(`/v2/refunds/${depositId}`), 200, { status: 'NOT_FOUND' })
  })
})

it('a refund is found whatever the case of its identifier', async () => {
  const data = await refunded(service, await completedDeposit(service))
  const refundId = String(data.refundId)
  for (const path of [refundId, refundId.toUpperCase()]) {
    assertAnswer(await service.get(`/v2/refunds/${path}`), 200, { status: 'FOUND', data })
  }
})

function callbacksOf(refundId: string): Record<string, unknown>[] {
  return receiver.received
    .map((one) => JSON.parse(one.body))
    .filter((body) => body.refundId === refundId)
}

function failed(failureCode: string): object {
  return { failureReason: { failureCode, failureMessage: /^The .*\.$/ } }
}
