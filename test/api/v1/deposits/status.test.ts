import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant } from '../../../../harness/merchant.ts'
import { advanceUntil, reachesOperator } from '../../../../harness/operator.ts'
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
await service.put('/sandbox/callbacks', { deposit: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

const callbacksOf = (id: string): unknown[] =>
  receiver.received.map(({ body }) => JSON.parse(body)).filter(({ depositId }) => depositId === id)

const SENT = {
  amount: 15.5,
  metadata: [
    { fieldName: 'orderId', fieldValue: 'ORD-1' },
    { fieldName: 'mail', fieldValue: 'a@b.c', isPII: true },
  ],
}
const SHOWN = {
  requestedAmount: '15.5',
  currency: 'ZMW',
  country: 'ZMB',
  correspondent: 'MTN_MOMO_ZMB',
  customerTimestamp: STARTED,
  statementDescription: 'Order 12345',
  metadata: { orderId: 'ORD-1', mail: 'a@b.c' },
}
const IDS = { MTN_INIT: /^\S{8,}$/, MTN_FINAL: /^SBX[0-9A-F]{16}$/ }
const ENDED = { respondedByPayer: SECONDS, correspondentIds: { MTN_INIT: /^\S{8,}$/ } }

const failed = (failureCode: string) => ({
  ...ENDED,
  failureReason: { failureCode, failureMessage: /^The .*\.$/ },
})

/** A number of the sandbox, and what the record shows beside what was sent. */
const ENDINGS: readonly (readonly [phoneNumber: string, state: string, more: object])[] = [
  ['260763456789', 'COMPLETED', { ...ENDED, correspondentIds: IDS, depositedAmount: '15.5' }],
  ['260763456129', 'SUBMITTED', {}],
  ['260763456019', 'FAILED', failed('PAYER_LIMIT_REACHED')],
  ['260763456029', 'FAILED', failed('PAYER_NOT_FOUND')],
  ['260763456039', 'FAILED', failed('PAYMENT_NOT_APPROVED')],
  ['260763456049', 'FAILED', failed('INSUFFICIENT_BALANCE')],
  ['260763456059', 'FAILED', failed('TRANSACTION_ALREADY_IN_PROCESS')],
  ['260763456069', 'FAILED', failed('OTHER_ERROR')],
]

describe('one record, whole, and the same in the callback:', () => {
  for (const [phoneNumber, state, more] of ENDINGS) {
    it(`${state} ${JSON.stringify(more)}`, async () => {
      const payer = msisdn(phoneNumber)
      const { id: depositId, body } = await startLegacy(service, 'deposit', { ...SENT, payer })
      const record = await legacyReaches(service, 'deposit', depositId, state)
      const { created } = body
      const whole = { depositId, status: state, ...SHOWN, payer, created, ...more }
      assertLegacy(await service.get(`/deposits/${depositId}`), 200, [whole])
      if (state === 'SUBMITTED') return
      await eventually(() => assert.deepEqual(callbacksOf(depositId), [record]))
    })
  }

  it('ACCEPTED or SUBMITTED at once, without anything that is not known yet', async () => {
    const { id } = await startLegacy(service, 'deposit', { payer: msisdn('260763456129') })
    const [record] = (await service.get(`/deposits/${id}`)).body
    assert.match(record.status, /^(ACCEPTED|SUBMITTED)$/)
    assert.deepEqual(Object.keys(record).toSorted(), [
      'correspondent',
      'country',
      'created',
      'currency',
      'customerTimestamp',
      'depositId',
      'payer',
      'requestedAmount',
      'statementDescription',
      'status',
    ])
  })

  it('SUBMITTED while the operator does not answer, then the outcome', async () => {
    await answersOf(service, '260763450001', [
      { afterSeconds: 0, answer: 'silent' },
      { afterSeconds: 100_000, answer: 'done' },
    ])
    const { id } = await startLegacy(service, 'deposit', { payer: msisdn('260763450001') })
    await reachesOperator(service, id)
    await advanceUntil(service, id, 'IN_RECONCILIATION')
    const record = await legacyReaches(service, 'deposit', id, 'SUBMITTED')
    const unknown = ['depositedAmount', 'respondedByPayer', 'correspondentIds', 'failureReason']
    assert.deepEqual(
      unknown.filter((field) => field in record),
      [],
    )
    assert.deepEqual(callbacksOf(id), [])
    await service.advance(100_000)
    await legacyReaches(service, 'deposit', id, 'COMPLETED')
  })

  it('ended when the operator reported it, on the clock of the service', async () => {
    const number = '260763450002'
    await answersOf(service, number, [
      { afterSeconds: 0, answer: 'pending' },
      { afterSeconds: 7200, answer: 'done' },
    ])
    const { id } = await startLegacy(service, 'deposit', { payer: msisdn(number) })
    await reachesOperator(service, id)
    await service.advance(7300)
    const record = await legacyReaches(service, 'deposit', id, 'COMPLETED')
    const lasted = Date.parse(record.respondedByPayer) - Date.parse(record.created)
    assert.ok(lasted >= 7_200_000 && lasted < 2 * 7_200_000, `it lasted ${lasted} ms`)
  })
})

/** Outcomes for which the earlier generation has no code of its own. */
const TRANSLATED: readonly (readonly [code: string, shown: string])[] = [
  ['UNSPECIFIED_FAILURE', 'OTHER_ERROR'],
  ['OTHER_ERROR', 'OTHER_ERROR'],
  ['PAYMENT_IN_PROGRESS', 'TRANSACTION_ALREADY_IN_PROCESS'],
  ['WALLET_LIMIT_REACHED', 'PAYER_LIMIT_REACHED'],
]

describe('a failure is shown in the terms of the earlier generation:', () => {
  for (const [at, [failureCode, shown]] of TRANSLATED.entries()) {
    it(`${failureCode} is ${shown}`, async () => {
      const number = `26076345010${at}`
      await answersOf(service, number, [{ afterSeconds: 0, answer: 'failed', failureCode }])
      const { id } = await startLegacy(service, 'deposit', { payer: msisdn(number) })
      const record = await legacyReaches(service, 'deposit', id, 'FAILED')
      assert.equal(record.failureReason.failureCode, shown)
      assert.doesNotMatch(record.failureReason.failureMessage, /provider/)
    })
  }
})

describe('an empty array for', () => {
  for (const id of [
    randomUUID(),
    randomUUID().toUpperCase(),
    '00000000-0000-0000-0000-000000000000',
    '018f4e2a-7b6c-7d3e-9f10-aabbccddeeff',
  ]) {
    it(id.replace(/^\w{8}-(?=\w{4}-4)/, '…-'), async () => {
      assertLegacy(await service.get(`/deposits/${id}`), 200, [])
    })
  }

  it('the deposit of another merchant', async () => {
    const { id } = await startLegacy(service, 'deposit')
    const other = await addMerchant(service)
    assertLegacy(await other.call('GET', `/deposits/${id}`), 200, [])
  })

  it('the identifier of a payout', async () => {
    const { id } = await startLegacy(service, 'payout')
    assertLegacy(await service.get(`/deposits/${id}`), 200, [])
  })
})
