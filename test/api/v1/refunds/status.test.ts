import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant } from '../../../../harness/merchant.ts'
import { reachesOperator } from '../../../../harness/operator.ts'
import { startReceiver } from '../../../../harness/receiver.ts'
import { answersOf, completedDeposit } from '../../../../harness/refunds.ts'
import { eventually, payer } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import {
  assertLegacy,
  legacyReaches,
  msisdn,
  startLegacy,
} from '../../../support/legacy-payments.ts'
import { SECONDS } from '../../../support/shapes.ts'

const service = await shareService('moving clock')
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { refund: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

const callbacksOf = (id: string): unknown[] =>
  receiver.received.map(({ body }) => JSON.parse(body)).filter(({ refundId }) => refundId === id)

const FINAL = { MTN_INIT: /^\S{8,}$/, MTN_FINAL: /^SBX[0-9A-F]{16}$/ }
const COMPLETED = { receivedByRecipient: SECONDS, correspondentIds: FINAL }

const failed = (failureCode: string) => ({
  correspondentIds: { MTN_INIT: /^\S{8,}$/ },
  failureReason: { failureCode, failureMessage: /^The .*\.$/ },
})

/** A customer to whom money is sent back, and what the record shows beside what was asked. */
const ENDINGS: readonly (readonly [phoneNumber: string, state: string, more: object])[] = [
  ['260763456789', 'COMPLETED', COMPLETED],
  ['260763450089', 'FAILED', failed('RECIPIENT_NOT_FOUND')],
  ['260763450099', 'FAILED', failed('RECIPIENT_NOT_ALLOWED_TO_RECEIVE')],
  ['260763450109', 'FAILED', failed('RECIPIENT_LIMIT_REACHED')],
  ['260763450119', 'FAILED', failed('OTHER_ERROR')],
]

describe('one record, whole, and the same in the callback:', () => {
  for (const [phoneNumber, state, more] of ENDINGS) {
    it(`${state} ${JSON.stringify(more)}`, async () => {
      const from = { payer: payer(phoneNumber, 'MTN_MOMO_ZMB') }
      const { id: refundId, body } = await startLegacy(service, 'refund', {
        depositId: await completedDeposit(service, from),
        amount: 15.5,
        metadata: [{ fieldName: 'orderId', fieldValue: 'ORD-1' }],
      })
      const record = await legacyReaches(service, 'refund', refundId, state)
      const whole = {
        refundId,
        status: state,
        amount: '15.5',
        currency: 'ZMW',
        country: 'ZMB',
        correspondent: 'MTN_MOMO_ZMB',
        recipient: msisdn(phoneNumber),
        customerTimestamp: body.created,
        statementDescription: 'Demo Merchant',
        created: body.created,
        metadata: { orderId: 'ORD-1' },
        ...more,
      }
      assertLegacy(await service.get(`/refunds/${refundId}`), 200, [whole])
      await eventually(() => assert.deepEqual(callbacksOf(refundId), [record]))
    })
  }

  it('SUBMITTED while the operator does not answer, also when in doubt, then the outcome', async () => {
    const number = '260763450001'
    const from = { payer: payer(number, 'MTN_MOMO_ZMB') }
    const depositId = await completedDeposit(service, from)
    await answersOf(service, number, [
      { afterSeconds: 0, answer: 'silent' },
      { afterSeconds: 100_000, answer: 'done' },
    ])
    const { id } = await startLegacy(service, 'refund', { depositId })
    await reachesOperator(service, id)
    await eventually(async () => {
      await service.advance(5)
      const { body } = await service.get(`/v2/refunds/${id}`)
      assert.equal(body.data.status, 'IN_RECONCILIATION')
    })
    const record = await legacyReaches(service, 'refund', id, 'SUBMITTED')
    const unknown = ['receivedByRecipient', 'correspondentIds', 'failureReason']
    assert.deepEqual(
      unknown.filter((field) => field in record),
      [],
    )
    await service.advance(100_000)
    await legacyReaches(service, 'refund', id, 'COMPLETED')
  })
})

it('a refund that the merchant cancelled says so', async () => {
  const depositId = await completedDeposit(service)
  const control = { provider: 'MTN_MOMO_ZMB', operationType: 'REFUND' }
  await service.put('/sandbox/availability', { ...control, status: 'DELAYED' })
  const { id } = await startLegacy(service, 'refund', { depositId })
  await legacyReaches(service, 'refund', id, 'ENQUEUED')
  await service.post(`/v2/refunds/fail-enqueued/${id}`)
  const record = await legacyReaches(service, 'refund', id, 'FAILED')
  await service.put('/sandbox/availability', { ...control, status: 'OPERATIONAL' })
  assert.equal(record.failureReason.failureCode, 'MANUALLY_CANCELLED')
  await eventually(() => assert.deepEqual(callbacksOf(id), [record]))
})

describe('an empty array for', () => {
  for (const id of [randomUUID(), '00000000-0000-0000-0000-000000000000']) {
    it(`an unknown refund: ${id.slice(-4)}`, async () => {
      assertLegacy(await service.get(`/refunds/${id}`), 200, [])
    })
  }

  it('the refund of another merchant, and the identifier of the deposit', async () => {
    const depositId = await completedDeposit(service)
    const { id } = await startLegacy(service, 'refund', { depositId })
    const other = await addMerchant(service)
    assertLegacy(await other.call('GET', `/refunds/${id}`), 200, [])
    assertLegacy(await service.get(`/refunds/${depositId}`), 200, [])
  })
})
