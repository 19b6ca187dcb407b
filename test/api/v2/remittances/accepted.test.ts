import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { startReceiver } from '../../../../harness/receiver.ts'
import {
  RECIPIENT_DETAILS,
  recipient,
  remittanceBody,
  remitterOf,
  SENDER,
  setRemittances,
} from '../../../../harness/remittances.ts'
import { eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer, assertShape, SECONDS } from '../../../support/shapes.ts'

const service = await shareService()
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { remittance: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})
const { remit, reaches } = remitterOf(service)

const RECORD = {
  status: 'COMPLETED',
  amount: '15',
  currency: 'ZMW',
  country: 'ZMB',
  recipient: recipient('260763456789'),
  sender: SENDER,
  customerMessage: 'Demo Merchant',
  created: SECONDS,
  providerTransactionId: /^SBX[0-9A-F]{16}$/,
}

const balanceOf = async (country: string): Promise<string> =>
  (await service.get(`/v2/wallet-balances?country=${country}`)).body.balances[0].balance

it('a remittance goes from request to callback, and the wallet shrinks', async () => {
  const { id, ...answer } = await remit({ amount: '15.50' })
  assertAnswer(answer, 200, { remittanceId: id, status: 'ACCEPTED', created: SECONDS })
  const record = await reaches(id, 'COMPLETED')
  const { created } = answer.body
  assertShape(record, { remittanceId: id, ...RECORD, amount: '15.50', created })
  await eventually(() => assert.equal(receiver.received.length, 1))
  assert.equal(receiver.received[0]?.body, JSON.stringify(record))
  assert.equal(await balanceOf('ZMB'), '999984.50')
})

/** What a request carries beside the parties, and what the record shows of it. */
const x = (length: number): string => 'x'.repeat(length)
const OPTIONAL: readonly (readonly [what: string, sent: object, shown: object])[] = [
  ['nothing', {}, {}],
  ['a message of 4', { customerMessage: 'Abc1' }, { customerMessage: 'Abc1' }],
  ['a message of 22', { customerMessage: x(22) }, { customerMessage: x(22) }],
  [
    'metadata',
    { metadata: [{ orderId: 'ORD-1' }, { mail: 'a@b.c', isPII: true }] },
    { metadata: { orderId: 'ORD-1', mail: 'a@b.c' } },
  ],
  ['no entry of metadata', { metadata: [] }, {}],
  ['null for what is optional', { customerMessage: null, metadata: null }, {}],
  ['empty text for what is optional', { customerMessage: '', metadata: '' }, {}],
]

describe('a remittance is accepted and shown as it was sent, with', () => {
  for (const [what, sent, shown] of OPTIONAL) {
    it(what, async () => {
      const { id, body } = await remit({ ...sent })
      assert.equal(body.status, 'ACCEPTED')
      assertShape(await reaches(id, 'COMPLETED'), { remittanceId: id, ...RECORD, ...shown })
    })
  }

  it('the fields of the parties in any order', async () => {
    const { id } = await remit({
      sender: backwards(SENDER),
      recipient: backwards(recipient('260763456789')),
    })
    const record = await reaches(id, 'COMPLETED')
    assertShape(record, { remittanceId: id, ...RECORD })
  })
})

it('a record never has a reference, and one that is just accepted nothing not known yet', async () => {
  const { id } = await remit({ recipient: recipient('260763456129') })
  const data = await reaches(id, 'PROCESSING')
  assert.deepEqual(Object.keys(data), [
    'remittanceId',
    'status',
    'amount',
    'currency',
    'country',
    'recipient',
    'sender',
    'customerMessage',
    'created',
  ])
  assert.deepEqual(data.recipient, recipient('260763456129'))
  assert.deepEqual(Object.keys(recipient('1').recipientDetails), Object.keys(RECIPIENT_DETAILS))
})

/** The amount is repeated exactly as requested; decimals are judged by value. */
const AMOUNTS: readonly (readonly [amount: string, currency: string, to: object])[] = [
  ['1', 'ZMW', recipient('260763456789')],
  ['1.0', 'ZMW', recipient('260763456789')],
  ['1.5000', 'ZMW', recipient('260763456789')],
  ['20000.00', 'ZMW', recipient('260763456789')],
  ['5.00', 'RWF', recipient('250783456789', 'MTN_MOMO_RWA')],
  ['1000.0000', 'CDF', recipient('243813456789', 'VODACOM_MPESA_COD')],
  ['1.25', 'USD', recipient('243813456789', 'VODACOM_MPESA_COD')],
]

describe('an amount stays the text that was requested:', () => {
  for (const [amount, currency, to] of AMOUNTS) {
    it(`${amount} ${currency}`, async () => {
      const { id, body } = await remit({ amount, currency, recipient: to })
      assert.equal(body.status, 'ACCEPTED')
      const record = await reaches(id, 'COMPLETED')
      assert.deepEqual([record.amount, record.currency, record.recipient], [amount, currency, to])
    })
  }
})

it('an identifier is echoed as sent in answer, record and callback', async () => {
  const remittanceId = randomUUID().toUpperCase()
  const { body } = await remit({ remittanceId })
  assert.deepEqual([body.status, body.remittanceId], ['ACCEPTED', remittanceId])
  for (const id of [remittanceId, remittanceId.toLowerCase()]) {
    assert.equal((await reaches(id, 'COMPLETED')).remittanceId, remittanceId)
  }
  const sent = (): string[] => receiver.received.map((one) => JSON.parse(one.body).remittanceId)
  await eventually(() => assert.ok(sent().includes(remittanceId)))
})

it('a remittance, a payout and a deposit of one identifier are three payments', async () => {
  const id = randomUUID()
  const { sender, recipient: to, remittanceId: _, ...money } = remittanceBody({ amount: '7' })
  const { recipientDetails, ...account } = to
  assert.ok(sender !== undefined && recipientDetails !== undefined)
  const answers = await Promise.all([
    service.post('/v2/remittances', remittanceBody({ remittanceId: id, amount: '7' })),
    service.post('/v2/payouts', { ...money, payoutId: id, recipient: account }),
    service.post('/v2/deposits', { ...money, depositId: id, payer: account }),
  ])
  assert.deepEqual(
    answers.map(({ body }) => body.status),
    ['ACCEPTED', 'ACCEPTED', 'ACCEPTED'],
  )
  const { sender: shown } = await reaches(id, 'COMPLETED')
  assert.deepEqual(shown, SENDER)
})

it('a wallet that holds too little makes it fail, and nothing is taken', async () => {
  const wallet = { country: 'MWI', currency: 'MWK', balance: '99.99' }
  await service.put('/sandbox/wallets', wallet)
  const { id, body } = await remit({
    amount: '100',
    currency: 'MWK',
    recipient: recipient('265993456789', 'AIRTEL_MWI'),
  })
  assert.equal(body.status, 'ACCEPTED')
  const { failureReason } = await reaches(id, 'FAILED')
  assertShape(failureReason, {
    failureCode: 'PAWAPAY_WALLET_OUT_OF_FUNDS',
    failureMessage: /^Your wallet/,
  })
  assert.equal(await balanceOf('MWI'), '99.99')
})

it('the money is held from the moment of acceptance, and comes back when it fails', async () => {
  const to = (number: string) => recipient(number, 'MTN_MOMO_UGA')
  const before = Number(await balanceOf('UGA'))
  await setRemittances(service, 'DELAYED', 'MTN_MOMO_UGA')
  const sent = { amount: '700', currency: 'UGX', recipient: to('256783456089') }
  const { id } = await remit(sent)
  assert.equal(Number(await balanceOf('UGA')), before - 700)
  await reaches(id, 'ENQUEUED')
  await setRemittances(service, 'OPERATIONAL', 'MTN_MOMO_UGA')
  await reaches(id, 'FAILED')
  assert.equal(Number(await balanceOf('UGA')), before)
})

/** The same object with the fields of each level the other way round. */
function backwards(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, inner]) => [name, backwards(inner)])
  return Object.fromEntries(entries.toReversed())
}
