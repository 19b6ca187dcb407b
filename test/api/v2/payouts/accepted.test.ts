import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant } from '../../../../harness/merchant.ts'
import {
  balanceOf,
  payout,
  payoutBody,
  reachesPayout,
  recipient,
} from '../../../../harness/payouts.ts'
import { startReceiver } from '../../../../harness/receiver.ts'
import { eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer, assertShape, SECONDS } from '../../../support/shapes.ts'

const service = await shareService()
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { payout: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

const RECORD = {
  status: 'COMPLETED',
  amount: '15',
  currency: 'ZMW',
  country: 'ZMB',
  recipient: recipient('260763456789', 'MTN_MOMO_ZMB'),
  customerMessage: 'Demo Merchant',
  created: SECONDS,
  providerTransactionId: /^SBX[0-9A-F]{16}$/,
}

it('a payout goes from request to callback, and the wallet shrinks', async () => {
  const { id, ...answer } = await payout(service, { amount: '15.50' })
  assertAnswer(answer, 200, { payoutId: id, status: 'ACCEPTED', created: SECONDS })
  const record = await reachesPayout(service, id, 'COMPLETED')
  assertShape(record, { payoutId: id, ...RECORD, amount: '15.50', created: answer.body.created })
  await eventually(() => assert.equal(receiver.received.length, 1))
  assert.deepEqual(JSON.parse(receiver.received[0]?.body ?? ''), record)
  assert.equal(await balanceOf(service), '999984.50')
})

/** What a request carries beside the money, and what the record shows of it. */
const OPTIONAL: readonly (readonly [what: string, sent: object, shown: object])[] = [
  ['nothing', {}, {}],
  ['a message of 4', { customerMessage: 'Abc1' }, { customerMessage: 'Abc1' }],
  ['a message of 22', { customerMessage: text(22) }, { customerMessage: text(22) }],
  ['a message with spaces', { customerMessage: 'Order 12 34' }, { customerMessage: 'Order 12 34' }],
  ['a reference of 1', { clientReferenceId: '7' }, { clientReferenceId: '7' }],
  ['a reference of 100', { clientReferenceId: text(100) }, { clientReferenceId: text(100) }],
  [
    'a reference of 100 wide characters',
    { clientReferenceId: '😀'.repeat(100) },
    { clientReferenceId: '😀'.repeat(100) },
  ],
  [
    'a reference with quotes and backslashes',
    { clientReferenceId: `{"a":'\\b'},NULL` },
    { clientReferenceId: `{"a":'\\b'},NULL` },
  ],
  [
    'metadata',
    { metadata: [{ orderId: 'ORD-1' }, { mail: 'a@b.c', isPII: true }] },
    { metadata: { orderId: 'ORD-1', mail: 'a@b.c' } },
  ],
  ['ten entries of metadata', { metadata: entries(10) }, { metadata: merged(entries(10)) }],
  [
    'metadata at its lengths',
    { metadata: [{ [text(64)]: text(512) }] },
    { metadata: { [text(64)]: text(512) } },
  ],
  ['no entry of metadata', { metadata: [] }, {}],
  [
    'null for what is optional',
    { customerMessage: null, clientReferenceId: null, metadata: null },
    {},
  ],
  [
    'empty text for what is optional',
    { customerMessage: '', clientReferenceId: '', metadata: '' },
    {},
  ],
  [
    'null for a flag of metadata',
    { metadata: [{ a: 'b', isPII: null }] },
    { metadata: { a: 'b' } },
  ],
]

describe('a payout is accepted and shown as it was sent, with', () => {
  for (const [what, sent, shown] of OPTIONAL) {
    it(what, async () => {
      const { id, body } = await payout(service, { ...sent })
      assert.equal(body.status, 'ACCEPTED')
      const record = await reachesPayout(service, id, 'COMPLETED')
      assertShape(record, { payoutId: id, ...RECORD, ...shown })
    })
  }

  it('a metadata name that every object has', async () => {
    const body = JSON.stringify(payoutBody({ metadata: ['@'] }))
    const names = '{"__proto__":"x"},{"constructor":"y"}'
    const answer = await service.post('/v2/payouts', body.replace('"@"', names))
    assert.equal(answer.body.status, 'ACCEPTED')
    const { metadata } = await reachesPayout(service, answer.body.payoutId, 'COMPLETED')
    assert.equal(JSON.stringify(metadata), '{"__proto__":"x","constructor":"y"}')
  })
})

/** The amount is repeated exactly as requested; decimals are judged by value. */
const AMOUNTS: readonly (readonly [amount: string, currency: string, to: object])[] = [
  ['1', 'ZMW', recipient('260763456789', 'MTN_MOMO_ZMB')],
  ['1.0', 'ZMW', recipient('260763456789', 'MTN_MOMO_ZMB')],
  ['1.00', 'ZMW', recipient('260763456789', 'MTN_MOMO_ZMB')],
  ['1.5', 'ZMW', recipient('260763456789', 'MTN_MOMO_ZMB')],
  ['1.5000', 'ZMW', recipient('260763456789', 'MTN_MOMO_ZMB')],
  ['20000.00', 'ZMW', recipient('260763456789', 'MTN_MOMO_ZMB')],
  ['5.00', 'RWF', recipient('250783456789', 'MTN_MOMO_RWA')],
  ['1000.0000', 'CDF', recipient('243813456789', 'VODACOM_MPESA_COD')],
  ['10.25', 'USD', recipient('243893456789', 'ORANGE_COD')],
]

describe('an amount stays the text that was requested:', () => {
  for (const [amount, currency, to] of AMOUNTS) {
    it(`${amount} ${currency}`, async () => {
      const { id, body } = await payout(service, { amount, currency, recipient: to })
      assert.equal(body.status, 'ACCEPTED', JSON.stringify(body))
      const record = await reachesPayout(service, id, 'COMPLETED')
      assertShape(
        { amount: record.amount, currency: record.currency, recipient: record.recipient },
        { amount, currency, recipient: to },
      )
    })
  }
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

describe('an identifier is echoed as sent, in', () => {
  for (const [what, write] of LETTERS) {
    it(what, async () => {
      const payoutId = write(randomUUID())
      const { body } = await payout(service, { payoutId })
      assert.deepEqual([body.status, body.payoutId], ['ACCEPTED', payoutId])
      for (const path of [payoutId.toLowerCase(), payoutId.toUpperCase()]) {
        assert.equal((await reachesPayout(service, path, 'COMPLETED')).payoutId, payoutId)
      }
      const received = (): string[] => receiver.received.map((one) => JSON.parse(one.body).payoutId)
      await eventually(() => assert.ok(received().includes(payoutId)))
    })
  }
})

it('one identifier names a deposit and a payout, and they are two payments', async () => {
  const { id } = await service.deposit({ amount: '7' })
  const { body } = await payout(service, { payoutId: id, amount: '8' })
  assert.equal(body.status, 'ACCEPTED')
  assert.equal((await service.reaches(id, 'COMPLETED')).amount, '7')
  assert.equal((await reachesPayout(service, id, 'COMPLETED')).amount, '8')
})

it('without a message the recipient reads the company name in plain letters', async () => {
  const name = 'Société Générale de l’Eau du Bénin'
  const merchant = await addMerchant(service, { name })
  const body = payoutBody()
  assert.equal((await merchant.call('POST', '/v2/payouts', body)).body.status, 'ACCEPTED')
  const { data } = (await merchant.call('GET', `/v2/payouts/${body.payoutId}`)).body
  assert.equal(data.customerMessage, 'Societe Generale de lE')
})

describe('a provider pays out at once whatever its deposits ask of the payer:', () => {
  for (const [phoneNumber, provider] of [
    ['221773456789', 'WAVE_SEN'],
    ['22607345678', 'ORANGE_BFA'],
  ] as const) {
    it(provider, async () => {
      const to = recipient(phoneNumber, provider)
      const { id, ...answer } = await payout(service, {
        amount: '100',
        currency: 'XOF',
        recipient: to,
      })
      assertAnswer(answer, 200, { payoutId: id, status: 'ACCEPTED', created: SECONDS })
      await reachesPayout(service, id, 'COMPLETED')
    })
  }
})

/** Headers that clients send and that change nothing. */
const HEADERS: readonly Readonly<Record<string, string>>[] = [
  { 'content-type': 'application/json' },
  { 'content-type': 'application/json; charset=utf-8' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json', 'idempotency-key': 'always-the-same' },
  // Signature headers where signatures are not required are not looked at.
  { signature: 'sig-pp=:bm8=:', 'signature-input': 'sig-pp=("@method")', 'content-digest': 'x' },
]

describe('a payout is accepted with the headers', () => {
  for (const headers of HEADERS) {
    it(JSON.stringify(headers), async () => {
      const answer = await service.post('/v2/payouts', payoutBody(), headers)
      assert.deepEqual([answer.status, answer.body.status], [200, 'ACCEPTED'])
      assert.equal(answer.headers.get('content-encoding'), null)
    })
  }
})

function text(length: number): string {
  return 'x'.repeat(length)
}

function entries(count: number): Record<string, string>[] {
  return Array.from({ length: count }, (_, index) => ({ [`name ${index}`]: `value ${index}` }))
}

function merged(list: readonly Record<string, string>[]): Record<string, string> {
  return Object.assign({}, ...list)
}
