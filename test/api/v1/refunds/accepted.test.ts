import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { balanceOf } from '../../../../harness/payouts.ts'
import { startReceiver } from '../../../../harness/receiver.ts'
import { completedDeposit, setAvailability } from '../../../../harness/refunds.ts'
import { eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import {
  assertLegacy,
  legacyReaches,
  msisdn,
  startLegacy,
  taken,
} from '../../../support/legacy-payments.ts'
import { assertShape, SECONDS } from '../../../support/shapes.ts'

const service = await shareService()
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { refund: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

const RECORD = {
  status: 'COMPLETED',
  amount: '15',
  currency: 'ZMW',
  country: 'ZMB',
  correspondent: 'MTN_MOMO_ZMB',
  recipient: msisdn('260763456789'),
  customerTimestamp: SECONDS,
  statementDescription: 'Order 12345',
  created: SECONDS,
  receivedByRecipient: SECONDS,
  correspondentIds: { MTN_INIT: /^\S{8,}$/, MTN_FINAL: /^SBX[0-9A-F]{16}$/ },
}

/** A completed deposit of the earlier generation, of 15 ZMW. */
async function deposited(changes = {}): Promise<string> {
  const { id } = await startLegacy(service, 'deposit', changes)
  await legacyReaches(service, 'deposit', id, 'COMPLETED')
  return id
}

it('a refund goes from request to callback, and the wallet is as before', async () => {
  const before = await balanceOf(service)
  const depositId = await deposited({ amount: '15.50' })
  const { id: refundId, ...answer } = await startLegacy(service, 'refund', { depositId })
  assertLegacy(answer, 200, taken({ refundId }, 'ACCEPTED', SECONDS))
  const record = await legacyReaches(service, 'refund', refundId, 'COMPLETED')
  const { created } = answer.body
  assertShape(record, {
    refundId,
    ...RECORD,
    amount: '15.50',
    created,
    customerTimestamp: created,
  })
  await eventually(() => assert.equal(receiver.received.length, 1))
  assert.deepEqual(JSON.parse(receiver.received[0]?.body ?? ''), record)
  assert.equal(await balanceOf(service), before)
})

/** What is asked of a deposit of 15, and what the record shows of it. */
const ASKED: readonly (readonly [what: string, sent: object, shown: object])[] = [
  ['nothing: all of it', {}, {}],
  ['a part', { amount: '5' }, { amount: '5' }],
  ['a part with zeroes', { amount: '5.00' }, { amount: '5.00' }],
  ['a part as a number', { amount: 5.5 }, { amount: '5.5' }],
  ['all of it as a number', { amount: 15 }, {}],
  ['null for what is optional', { amount: null, metadata: null }, {}],
  ['empty text for what is optional', { amount: '', metadata: '' }, {}],
  [
    'metadata',
    { metadata: [{ fieldName: 'a', fieldValue: '1', isPII: true }] },
    { metadata: { a: '1' } },
  ],
  ['ten entries of metadata', { metadata: pairs(10) }, { metadata: merged(pairs(10)) }],
]

describe('a refund is accepted and shown as it was sent, with', () => {
  for (const [what, sent, shown] of ASKED) {
    it(what, async () => {
      const changes = { depositId: await deposited(), ...sent }
      const { id: refundId, body } = await startLegacy(service, 'refund', changes)
      assert.equal(body.status, 'ACCEPTED', JSON.stringify(body))
      const record = await legacyReaches(service, 'refund', refundId, 'COMPLETED')
      assertShape(record, { refundId, ...RECORD, ...shown })
    })
  }
})

it('a deposit is refunded in parts, and the rest is what is left', async () => {
  const depositId = await deposited()
  for (const [amount, shown] of [
    ['5', '5'],
    [2.5, '2.5'],
    [undefined, '7.50'],
  ]) {
    const { id } = await startLegacy(service, 'refund', { depositId, amount })
    assert.equal((await legacyReaches(service, 'refund', id, 'COMPLETED')).amount, shown)
  }
})

it('a deposit of the current generation is refunded, with its message', async () => {
  const depositId = await completedDeposit(service, { customerMessage: 'Invoice 7' })
  const { id: refundId } = await startLegacy(service, 'refund', { depositId })
  const record = await legacyReaches(service, 'refund', refundId, 'COMPLETED')
  assertShape(record, { refundId, ...RECORD, amount: '100', statementDescription: 'Invoice 7' })
})

it('the deposit may be named in either case, and the refund is echoed as sent', async () => {
  const depositId = (await deposited()).toUpperCase()
  const refundId = 'ABCDEF01-2345-4678-9ABC-DEF012345678'
  const { body } = await startLegacy(service, 'refund', { refundId, depositId })
  assert.deepEqual([body.refundId, body.status], [refundId, 'ACCEPTED'])
  const record = await legacyReaches(service, 'refund', refundId.toLowerCase(), 'COMPLETED')
  assert.equal(record.refundId, refundId)
})

it('a refund is ACCEPTED while the correspondent is DELAYED, then ENQUEUED', async () => {
  const depositId = await deposited()
  await setAvailability(service, 'REFUND', 'DELAYED')
  const { id: refundId, ...answer } = await startLegacy(service, 'refund', { depositId })
  assertLegacy(answer, 200, taken({ refundId }, 'ACCEPTED', SECONDS))
  const { receivedByRecipient: _, correspondentIds: __, ...waiting } = RECORD
  const record = await legacyReaches(service, 'refund', refundId, 'ENQUEUED')
  assertShape(record, { refundId, ...waiting, status: 'ENQUEUED' })
  await setAvailability(service, 'REFUND', 'OPERATIONAL')
  await legacyReaches(service, 'refund', refundId, 'COMPLETED')
})

function pairs(count: number) {
  return Array.from({ length: count }, (_, at) => ({ fieldName: `name ${at}`, fieldValue: 'a' }))
}

function merged(list: ReturnType<typeof pairs>): Record<string, string> {
  return Object.fromEntries(list.map(({ fieldName, fieldValue }) => [fieldName, fieldValue]))
}
