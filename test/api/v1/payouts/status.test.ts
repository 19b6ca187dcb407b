import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant } from '../../../../harness/merchant.ts'
import { reachesOperator } from '../../../../harness/operator.ts'
import { advanceUntilPayout } from '../../../../harness/payouts.ts'
import { startReceiver } from '../../../../harness/receiver.ts'
import { answersOf } from '../../../../harness/refunds.ts'
import { eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import {
  assertLegacy,
  legacyReaches,
  msisdn,
  STARTED,
  startLegacy,
} from '../../../support/legacy-payments.ts'
import { SECONDS } from '../../../support/shapes.ts'

const service = await shareService('moving clock')
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { payout: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

const callbacksOf = (id: string): unknown[] =>
  receiver.received.map(({ body }) => JSON.parse(body)).filter(({ payoutId }) => payoutId === id)

const SENT = { amount: 15.5, metadata: [{ fieldName: 'orderId', fieldValue: 'ORD-1' }] }
const SHOWN = {
  amount: '15.5',
  currency: 'ZMW',
  country: 'ZMB',
  correspondent: 'MTN_MOMO_ZMB',
  customerTimestamp: STARTED,
  statementDescription: 'Order 12345',
  metadata: { orderId: 'ORD-1' },
}
const FINAL = { MTN_INIT: /^\S{8,}$/, MTN_FINAL: /^SBX[0-9A-F]{16}$/ }

const failed = (failureCode: string) => ({
  correspondentIds: { MTN_INIT: /^\S{8,}$/ },
  failureReason: { failureCode, failureMessage: /^The .*\.$/ },
})

/** A number of the sandbox, and what the record shows beside what was sent. */
const ENDINGS: readonly (readonly [phoneNumber: string, state: string, more: object])[] = [
  ['260763456789', 'COMPLETED', { receivedByRecipient: SECONDS, correspondentIds: FINAL }],
  ['260763456129', 'SUBMITTED', {}],
  ['260763456079', 'FAILED', failed('RECIPIENT_NOT_FOUND')],
  ['260763456099', 'FAILED', failed('RECIPIENT_NOT_ALLOWED_TO_RECEIVE')],
  ['260763456109', 'FAILED', failed('RECIPIENT_LIMIT_REACHED')],
  ['260763456119', 'FAILED', failed('OTHER_ERROR')],
]

describe('one record, whole, and the same in the callback:', () => {
  for (const [phoneNumber, state, more] of ENDINGS) {
    it(`${state} ${JSON.stringify(more)}`, async () => {
      const recipient = msisdn(phoneNumber)
      const { id: payoutId, body } = await startLegacy(service, 'payout', { ...SENT, recipient })
      const record = await legacyReaches(service, 'payout', payoutId, state)
      const { created } = body
      const whole = { payoutId, status: state, ...SHOWN, recipient, created, ...more }
      assertLegacy(await service.get(`/payouts/${payoutId}`), 200, [whole])
      if (state === 'SUBMITTED') return
      await eventually(() => assert.deepEqual(callbacksOf(payoutId), [record]))
    })
  }

  it('SUBMITTED while the operator does not answer, then the outcome', async () => {
    await answersOf(service, '260763450001', [
      { afterSeconds: 0, answer: 'silent' },
      { afterSeconds: 100_000, answer: 'done' },
    ])
    const { id } = await startLegacy(service, 'payout', { recipient: msisdn('260763450001') })
    await reachesOperator(service, id)
    await advanceUntilPayout(service, id, 'IN_RECONCILIATION')
    const record = await legacyReaches(service, 'payout', id, 'SUBMITTED')
    const unknown = ['receivedByRecipient', 'correspondentIds', 'failureReason']
    assert.deepEqual(
      unknown.filter((field) => field in record),
      [],
    )
    assert.deepEqual(callbacksOf(id), [])
    await service.advance(100_000)
    await legacyReaches(service, 'payout', id, 'COMPLETED')
  })
})

describe('a failure is shown in the terms of the earlier generation:', () => {
  for (const [at, [failureCode, shown]] of (
    [
      ['WALLET_LIMIT_REACHED', 'RECIPIENT_NOT_ALLOWED_TO_RECEIVE'],
      ['UNSPECIFIED_FAILURE', 'OTHER_ERROR'],
      ['PAWAPAY_WALLET_OUT_OF_FUNDS', 'BALANCE_INSUFFICIENT'],
    ] as const
  ).entries()) {
    it(`${failureCode} is ${shown}`, async () => {
      const number = `26076345010${at}`
      await answersOf(service, number, [{ afterSeconds: 0, answer: 'failed', failureCode }])
      const { id } = await startLegacy(service, 'payout', { recipient: msisdn(number) })
      const record = await legacyReaches(service, 'payout', id, 'FAILED')
      assert.equal(record.failureReason.failureCode, shown)
      assert.doesNotMatch(record.failureReason.failureMessage, /provider/)
    })
  }
})

describe('an empty array for', () => {
  for (const id of [randomUUID(), '00000000-0000-0000-0000-000000000000']) {
    it(`an unknown payout: ${id.slice(-4)}`, async () => {
      assertLegacy(await service.get(`/payouts/${id}`), 200, [])
    })
  }

  it('the payout of another merchant', async () => {
    const { id } = await startLegacy(service, 'payout')
    const other = await addMerchant(service)
    assertLegacy(await other.call('GET', `/payouts/${id}`), 200, [])
  })

  it('the identifier of a deposit', async () => {
    const { id } = await startLegacy(service, 'deposit')
    assertLegacy(await service.get(`/payouts/${id}`), 200, [])
  })
})
