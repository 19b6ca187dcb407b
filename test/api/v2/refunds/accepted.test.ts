import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { balanceOf } from '../../../../harness/payouts.ts'
import { startReceiver } from '../../../../harness/receiver.ts'
import {
  completedDeposit,
  REFUND_FAILS,
  refund,
  refunded,
  refundReaches,
} from '../../../../harness/refunds.ts'
import { eventually, payer } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer, assertShape, SECONDS } from '../../../support/shapes.ts'

const service = await shareService()
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { refund: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

const RECORD = {
  status: 'COMPLETED',
  amount: '100',
  currency: 'ZMW',
  country: 'ZMB',
  recipient: payer('260763456789', 'MTN_MOMO_ZMB'),
  customerMessage: 'Demo Merchant',
  created: SECONDS,
  providerTransactionId: /^SBX[0-9A-F]{16}$/,
}

it('a refund goes from request to callback, and the wallet is as before the deposit', async () => {
  const before = await balanceOf(service)
  const depositId = await completedDeposit(service)
  const { id, ...answer } = await refund(service, depositId)
  assertAnswer(answer, 200, { refundId: id, status: 'ACCEPTED', created: SECONDS })
  const record = await refundReaches(service, id, 'COMPLETED')
  const { created } = answer.body
  assertShape(record, { refundId: id, depositId, ...RECORD, created })
  await eventually(() => assert.equal(receiver.received.length, 1))
  assert.deepEqual(JSON.parse(receiver.received[0]?.body ?? ''), record)
  assert.equal(await balanceOf(service), before)
})

/** A deposit, and what is asked back one after the other with what the records show. */
const SERIES: readonly (readonly [
  deposited: string,
  parts: readonly (readonly [asked: string | undefined, shown: string])[],
])[] = [
  ['100', [[undefined, '100']]],
  ['100.00', [[undefined, '100.00']]],
  ['100', [['100', '100']]],
  ['100', [['100.00', '100.00']]],
  [
    '100',
    [
      ['20', '20'],
      ['20', '20'],
      [undefined, '60.00'],
    ],
  ],
  [
    '100',
    [
      ['20', '20'],
      ['80.00', '80.00'],
    ],
  ],
  [
    '100.50',
    [
      ['1.25', '1.25'],
      [undefined, '99.25'],
    ],
  ],
  [
    '5',
    [
      ['1', '1'],
      ['1.0', '1.0'],
      ['1.00', '1.00'],
      ['1.000', '1.000'],
      ['1.0000', '1.0000'],
    ],
  ],
]

describe('a deposit is refunded at once or in parts:', () => {
  for (const [amount, parts] of SERIES) {
    it(`${amount} as ${parts.map(([asked]) => asked ?? 'the rest').join(', ')}`, async () => {
      const before = await balanceOf(service)
      const depositId = await completedDeposit(service, { amount })
      for (const [asked, shown] of parts) {
        const changes = asked === undefined ? {} : { amount: asked, currency: 'ZMW' }
        assert.equal((await refunded(service, depositId, changes)).amount, shown)
      }
      assert.equal(await balanceOf(service), before)
      const { body } = await refund(service, depositId)
      assert.equal(body.failureReason.failureCode, 'DEPOSIT_ALREADY_REFUNDED')
    })
  }

  it('the rest of an amount without decimals, by a provider that takes none', async () => {
    const depositId = await completedDeposit(service, {
      currency: 'RWF',
      payer: payer('250783456789', 'MTN_MOMO_RWA'),
    })
    await refunded(service, depositId, { amount: '40' })
    assert.equal((await refunded(service, depositId)).amount, '60.00')
  })
})

/** What a request may carry beside the identifiers, and what the record shows of it. */
const OPTIONAL: readonly (readonly [what: string, sent: object, shown: object])[] = [
  ['nothing', {}, {}],
  ['an amount without currency', { amount: '15' }, { amount: '15' }],
  ['a currency without amount', { currency: 'ZMW' }, {}],
  ['a reference', { clientReferenceId: 'INV-7' }, { clientReferenceId: 'INV-7' }],
  [
    'metadata',
    { metadata: [{ orderId: 'ORD-1' }, { mail: 'a@b.c', isPII: true }] },
    { metadata: { orderId: 'ORD-1', mail: 'a@b.c' } },
  ],
  [
    'null for what is optional',
    { amount: null, currency: null, clientReferenceId: null, metadata: null },
    {},
  ],
  [
    'empty text for what is optional',
    { amount: '', currency: '', clientReferenceId: '', metadata: '' },
    {},
  ],
]

describe('a refund is accepted and shown as it was sent, with', () => {
  for (const [what, sent, shown] of OPTIONAL) {
    it(what, async () => {
      const depositId = await completedDeposit(service)
      const record = await refunded(service, depositId, { ...sent })
      const { refundId } = record
      assertShape(record, { refundId, depositId, ...RECORD, ...shown })
    })
  }
})

it('money goes back to the payer with the message of the deposit, not its references', async () => {
  const from = payer('260973456789', 'AIRTEL_OAPI_ZMB')
  const depositId = await completedDeposit(service, {
    payer: from,
    customerMessage: 'Order 12345',
    clientReferenceId: 'INV-1',
    metadata: [{ orderId: 'ORD-1' }],
  })
  const record = await refunded(service, depositId, { clientReferenceId: 'BACK-1' })
  assertShape(record, {
    refundId: record.refundId,
    depositId,
    ...RECORD,
    recipient: from,
    customerMessage: 'Order 12345',
    clientReferenceId: 'BACK-1',
  })
})

it('a refund that fails gives its money back, and the deposit can be refunded again', async () => {
  const before = await balanceOf(service)
  const depositId = await completedDeposit(service, {
    payer: payer(REFUND_FAILS, 'MTN_MOMO_ZMB'),
  })
  for (const amount of ['100', undefined, '40']) {
    const { id, body } = await refund(service, depositId, { amount })
    assert.equal(body.status, 'ACCEPTED')
    const record = await refundReaches(service, id, 'FAILED')
    assert.equal(record.amount, amount ?? '100')
    assert.equal(Number(await balanceOf(service)) - Number(before), 100)
  }
  // The number works from now on.
  await service.put(`/sandbox/phones/${REFUND_FAILS}`, {
    script: [{ afterSeconds: 0, answer: 'done' }],
  })
  assert.equal((await refunded(service, depositId)).amount, '100')
  assert.equal(await balanceOf(service), before)
})

/** One identifier in different letters; each is echoed as it was sent. */
const LETTERS: readonly (readonly [what: string, write: (id: string) => string])[] = [
  ['lower case', (id) => id],
  ['upper case', (id) => id.toUpperCase()],
  [
    'mixed case',
    (id) => id.replace(/[a-f]/g, (letter, at) => (at % 2 ? letter : letter.toUpperCase())),
  ],
]

describe('identifiers are case-insensitive and echoed as sent, in', () => {
  for (const [what, write] of LETTERS) {
    it(what, async () => {
      const depositId = write(await completedDeposit(service))
      const refundId = write(randomUUID())
      const { body } = await refund(service, depositId, { refundId })
      assert.deepEqual([body.refundId, body.status], [refundId, 'ACCEPTED'])
      const record = await refundReaches(service, refundId.toLowerCase(), 'COMPLETED')
      assert.deepEqual([record.refundId, record.depositId], [refundId, depositId])
      const again = await refund(service, depositId.toLowerCase())
      assert.equal(again.body.failureReason.failureCode, 'DEPOSIT_ALREADY_REFUNDED')
    })
  }

  it('one identifier may name a deposit, its refund and a payout', async () => {
    const id = await completedDeposit(service)
    assert.equal((await refunded(service, id, { refundId: id })).refundId, id)
    assert.equal((await service.get(`/v2/deposits/${id}`)).body.data.status, 'COMPLETED')
    assert.equal((await service.get(`/v2/payouts/${id}`)).body.status, 'NOT_FOUND')
  })
})
