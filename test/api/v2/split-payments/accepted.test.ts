import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant } from '../../../../harness/merchant.ts'
import { AIRTEL, balanceOf, MTN, reachesPayout, setBalance } from '../../../../harness/payouts.ts'
import { refunded } from '../../../../harness/refunds.ts'
import { eventually, payer } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { PAYOUT_FAILS, part, split, splitBody, splitReaches } from '../../../../harness/splits.ts'
import { assertAnswer, assertShape, SECONDS } from '../../../support/shapes.ts'

const service = await shareService()
after(service.stop)

const shownParts = (parts: readonly object[], status: string): object[] =>
  parts.map((one) => ({ ...one, status }))

it('money is collected and paid on; the rest stays in the wallet', async () => {
  const before = Number(await balanceOf(service))
  const { id, parts, ...answer } = await split(service)
  assertAnswer(answer, 200, { splitPaymentId: id, status: 'ACCEPTED', created: SECONDS })
  const record = await splitReaches(service, id, 'COMPLETED')
  const { created } = answer.body
  const from = payer('260763456789', 'MTN_MOMO_ZMB')
  const common = { currency: 'ZMW', country: 'ZMB', customerMessage: 'Demo Merchant', created }
  const ended = { status: 'COMPLETED', providerTransactionId: /^SBX[0-9A-F]{16}$/ }
  assertShape(record, {
    splitPaymentId: id,
    depositId: id,
    ...ended,
    amount: '100',
    ...common,
    payer: from,
    splits: shownParts(parts, 'COMPLETED'),
  })
  const deposit = await service.reaches(id, 'COMPLETED')
  assertShape(deposit, { depositId: id, ...ended, amount: '100', ...common, payer: from })
  assert.equal(deposit.providerTransactionId, record.providerTransactionId)
  for (const one of parts) {
    const payout = await reachesPayout(service, one.payoutId, 'COMPLETED')
    assertShape(payout, { ...one, ...ended, ...common })
  }
  assert.equal(Number(await balanceOf(service)) - before, 10)
})

/** Amounts of a deposit and of its payouts, as sent; records repeat them. */
const AMOUNTS: readonly (readonly [amount: string, parts: readonly string[], rest: number])[] = [
  ['100', ['100'], 0],
  ['100.00', ['60.50', '39.5'], 0],
  ['100.5', ['1', '1.0', '1.00'], 97.5],
  ['20', Array.from({ length: 20 }, () => '1'), 0],
]

describe('between 1 and 20 payouts, up to the whole deposit:', () => {
  for (const [amount, amounts, rest] of AMOUNTS) {
    it(`${amount} as ${amounts.length} of ${amounts[0]}`, async () => {
      const before = Number(await balanceOf(service))
      const splits = amounts.map((one) => part(one))
      const { id, body } = await split(service, { amount, splits })
      assert.equal(body.status, 'ACCEPTED')
      const record = await splitReaches(service, id, 'COMPLETED')
      assert.equal(record.amount, amount)
      assert.deepEqual(record.splits, shownParts(splits, 'COMPLETED'))
      assert.equal(Number(await balanceOf(service)) - before, rest)
    })
  }
})

it('payouts go to any provider of the country', async () => {
  const splits = [
    part('10', '260973456789', 'AIRTEL_OAPI_ZMB'),
    part('10', '260953456700', 'ZAMTEL_ZMB'),
    part('10'),
  ]
  const { id } = await split(service, { splits })
  const record = await splitReaches(service, id, 'COMPLETED')
  assert.deepEqual(record.splits, shownParts(splits, 'COMPLETED'))
})

/** What a request may carry beside the money, and what the record shows of it. */
const OPTIONAL: readonly (readonly [what: string, sent: object, shown: object])[] = [
  ['a message', { customerMessage: 'Order 12345' }, { customerMessage: 'Order 12345' }],
  ['a reference', { clientReferenceId: 'INV-7' }, { clientReferenceId: 'INV-7' }],
  [
    'metadata',
    { metadata: [{ orderId: 'ORD-1' }, { mail: 'a@b.c', isPII: true }] },
    { metadata: { orderId: 'ORD-1', mail: 'a@b.c' } },
  ],
  [
    'null for what is optional',
    { customerMessage: null, clientReferenceId: null, metadata: null, preAuthorisationCode: null },
    {},
  ],
  [
    'empty text for what is optional',
    { customerMessage: '', clientReferenceId: '', metadata: '', preAuthorisationCode: '' },
    {},
  ],
]

describe('a split payment is accepted and shown as it was sent, with', () => {
  for (const [what, sent, shown] of OPTIONAL) {
    it(what, async () => {
      const { id, parts, body } = await split(service, { ...sent })
      assert.equal(body.status, 'ACCEPTED')
      const record = await splitReaches(service, id, 'COMPLETED')
      assertShape(record, {
        splitPaymentId: id,
        depositId: id,
        status: 'COMPLETED',
        amount: '100',
        currency: 'ZMW',
        country: 'ZMB',
        payer: payer('260763456789', 'MTN_MOMO_ZMB'),
        splits: shownParts(parts, 'COMPLETED'),
        customerMessage: 'Demo Merchant',
        created: body.created,
        providerTransactionId: record.providerTransactionId,
        ...shown,
      })
      const { customerMessage } = await reachesPayout(
        service,
        parts[0]?.payoutId ?? '',
        'COMPLETED',
      )
      assert.equal(customerMessage, record.customerMessage)
    })
  }
})

it('identifiers are echoed as sent and found in either case', async () => {
  const splitPaymentId = randomUUID().toUpperCase()
  const one = part('10')
  const splits = [{ ...one, payoutId: one.payoutId.toUpperCase() }]
  const { body } = await split(service, { splitPaymentId, splits })
  assert.deepEqual([body.splitPaymentId, body.status], [splitPaymentId, 'ACCEPTED'])
  const record = await splitReaches(service, splitPaymentId.toLowerCase(), 'COMPLETED')
  assert.deepEqual([record.splitPaymentId, record.depositId], [splitPaymentId, splitPaymentId])
  assert.deepEqual(record.splits, shownParts(splits, 'COMPLETED'))
  const payout = await reachesPayout(service, one.payoutId, 'COMPLETED')
  assert.equal(payout.payoutId, one.payoutId.toUpperCase())
})

it('a payout may have the identifier of the split payment: kinds are independent', async () => {
  const id = randomUUID()
  const splits = [{ ...part('10'), payoutId: id }]
  await split(service, { splitPaymentId: id, splits })
  await splitReaches(service, id, 'COMPLETED')
  await reachesPayout(service, id, 'COMPLETED')
})

it('two merchants may use the same identifiers', async () => {
  const other = await addMerchant(service)
  const body = splitBody()
  const answers = [
    await service.post('/v2/split-payments', body),
    await other.call('POST', '/v2/split-payments', body),
  ]
  assert.deepEqual(
    answers.map((answer) => answer.body.status),
    ['ACCEPTED', 'ACCEPTED'],
  )
  await splitReaches(service, body.splitPaymentId, 'COMPLETED')
  await eventually(async () => {
    const path = `/v2/split-payments/${body.splitPaymentId}`
    assert.equal((await other.call('GET', path)).body.data.status, 'COMPLETED')
  })
})

it('a one-time code is given to the provider that asks for one, and no record shows it', async () => {
  const { id, body } = await split(service, {
    currency: 'XOF',
    amount: '200',
    payer: payer('22607345678', 'ORANGE_BFA'),
    preAuthorisationCode: '314159265',
    splits: [part('100', '22602345678', 'MOOV_BFA')],
  })
  assert.equal(body.status, 'ACCEPTED')
  const record = await splitReaches(service, id, 'COMPLETED')
  assert.ok(!JSON.stringify(record).includes('314159265'))
  const rows = await service.database.query(
    'select to_jsonb(p) as row from payments p where merchant_id = $1',
    [service.merchantId],
  )
  assert.ok(!JSON.stringify(rows).includes('314159265'), 'the code is forgotten at the end')
})

it('the deposit is refunded like any other, from what is in the wallet', async () => {
  const { id } = await split(service)
  await splitReaches(service, id, 'COMPLETED')
  const before = Number(await balanceOf(service))
  assert.equal((await refunded(service, id)).amount, '100')
  assert.equal(Number(await balanceOf(service)), before - 100)
  await splitReaches(service, id, 'COMPLETED')
})

it('a wallet of the payer’s provider alone: payouts by any provider are paid from it', async () => {
  const shared = await balanceOf(service)
  await setBalance(service, '0', MTN)
  const splits = [part('60', '260973456789', AIRTEL), part('30'), part('5', PAYOUT_FAILS)]
  const { id } = await split(service, { splits })
  await splitReaches(service, id, 'PAYOUT_FAILED')
  assert.equal(await balanceOf(service, 'ZMB', MTN), '10.00')
  assert.equal(await balanceOf(service), shared)
})
