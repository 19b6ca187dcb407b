import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { addMerchant } from '../../../../harness/merchant.ts'
import { startReceiver } from '../../../../harness/receiver.ts'
import { depositBody, eventually, payer } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer, assertShape, SECONDS } from '../../../support/shapes.ts'

const service = await shareService()
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { deposit: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

const RECORD = {
  status: 'COMPLETED',
  amount: '15',
  currency: 'ZMW',
  country: 'ZMB',
  payer: payer('260763456789', 'MTN_MOMO_ZMB'),
  customerMessage: 'Demo Merchant',
  created: SECONDS,
  providerTransactionId: /^SBX[0-9A-F]{16}$/,
}

it('a deposit goes from request to callback, and the wallet grows', async () => {
  const { id, ...answer } = await service.deposit({ amount: '15.50' })
  assertAnswer(answer, 200, {
    depositId: id,
    status: 'ACCEPTED',
    nextStep: 'FINAL_STATUS',
    created: SECONDS,
  })
  const record = await service.reaches(id, 'COMPLETED')
  assertShape(record, { depositId: id, ...RECORD, amount: '15.50', created: answer.body.created })
  await eventually(() => assert.equal(receiver.received.length, 1))
  assert.deepEqual(JSON.parse(receiver.received[0]?.body ?? ''), record)
  const balances = await service.get('/v2/wallet-balances?country=ZMB')
  assert.equal(balances.body.balances[0].balance, '1000015.50')
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
  ['a code where none is asked for', { preAuthorisationCode: '123456' }, {}],
  [
    'null for what is optional',
    {
      customerMessage: null,
      clientReferenceId: null,
      metadata: null,
      preAuthorisationCode: null,
      successfulUrl: null,
      failedUrl: null,
    },
    {},
  ],
  [
    'empty text for what is optional',
    {
      customerMessage: '',
      clientReferenceId: '',
      metadata: '',
      preAuthorisationCode: '',
      successfulUrl: '',
      failedUrl: '',
    },
    {},
  ],
  [
    'null for a flag of metadata',
    { metadata: [{ a: 'b', isPII: null }] },
    { metadata: { a: 'b' } },
  ],
]

describe('a deposit is accepted and shown as it was sent, with', () => {
  for (const [what, sent, shown] of OPTIONAL) {
    it(what, async () => {
      const { id, body } = await service.deposit({ ...sent })
      assert.equal(body.status, 'ACCEPTED')
      assertShape(await service.reaches(id, 'COMPLETED'), { depositId: id, ...RECORD, ...shown })
    })
  }

  it('a metadata name that every object has', async () => {
    const body = JSON.stringify(depositBody({ metadata: ['@'] }))
    const names = '{"__proto__":"x"},{"constructor":"y"}'
    const answer = await service.post('/v2/deposits', body.replace('"@"', names))
    assert.equal(answer.body.status, 'ACCEPTED')
    const { metadata } = await service.reaches(answer.body.depositId, 'COMPLETED')
    assert.equal(JSON.stringify(metadata), '{"__proto__":"x","constructor":"y"}')
  })
})

/** The amount is repeated exactly as requested; decimals are judged by value. */
const AMOUNTS: readonly (readonly [amount: string, currency: string, from: object])[] = [
  ['1', 'ZMW', payer('260763456789', 'MTN_MOMO_ZMB')],
  ['1.0', 'ZMW', payer('260763456789', 'MTN_MOMO_ZMB')],
  ['1.00', 'ZMW', payer('260763456789', 'MTN_MOMO_ZMB')],
  ['1.5', 'ZMW', payer('260763456789', 'MTN_MOMO_ZMB')],
  ['1.5000', 'ZMW', payer('260763456789', 'MTN_MOMO_ZMB')],
  ['20000.00', 'ZMW', payer('260763456789', 'MTN_MOMO_ZMB')],
  ['5.00', 'RWF', payer('250783456789', 'MTN_MOMO_RWA')],
  ['500.0000', 'CDF', payer('243813456789', 'VODACOM_MPESA_COD')],
  ['1.25', 'USD', payer('243813456789', 'VODACOM_MPESA_COD')],
]

describe('an amount stays the text that was requested:', () => {
  for (const [amount, currency, from] of AMOUNTS) {
    it(`${amount} ${currency}`, async () => {
      const { id, body } = await service.deposit({ amount, currency, payer: from })
      assert.equal(body.status, 'ACCEPTED')
      const record = await service.reaches(id, 'COMPLETED')
      assertShape(
        { amount: record.amount, currency: record.currency, payer: record.payer },
        { amount, currency, payer: from },
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
      const depositId = write(randomUUID())
      const { body } = await service.deposit({ depositId })
      assert.deepEqual([body.status, body.depositId], ['ACCEPTED', depositId])
      assert.equal(
        (await service.reaches(depositId.toLowerCase(), 'COMPLETED')).depositId,
        depositId,
      )
      assert.equal(
        (await service.reaches(depositId.toUpperCase(), 'COMPLETED')).depositId,
        depositId,
      )
      const sent = (): string[] => receiver.received.map((one) => JSON.parse(one.body).depositId)
      await eventually(() => assert.ok(sent().includes(depositId)))
    })
  }
})

/** Companies, and what their customers read when a request carries no message. */
const COMPANIES: readonly (readonly [name: string, message: string])[] = [
  ['Kwacha Shop', 'Kwacha Shop'],
  ['Société Générale de l’Eau du Bénin', 'Societe Generale de lE'],
  ['The Market at the Corner Ltd', 'The Market at the Corn'],
  ['A & B  Traders', 'A B Traders'],
  ['MTN', 'MTN payment'],
  ['市场', 'payment'],
]

describe('without a message the customer reads the company name in plain letters:', () => {
  for (const [name, message] of COMPANIES) {
    it(`${name} as ${message}`, async () => {
      assert.match(message, /^[a-zA-Z0-9 ]{4,22}$/)
      const merchant = await addMerchant(service, { name })
      const body = depositBody()
      assert.equal((await merchant.call('POST', '/v2/deposits', body)).body.status, 'ACCEPTED')
      const { data } = (await merchant.call('GET', `/v2/deposits/${body.depositId}`)).body
      assert.equal(data.customerMessage, message)
    })
  }
})

describe('a provider that redirects the customer', () => {
  const urls = {
    successfulUrl: 'https://shop.example/ok?a=1',
    failedUrl: 'http://127.0.0.1:3000/no',
  }
  for (const [phoneNumber, provider] of [
    ['221773456789', 'WAVE_SEN'],
    ['2250734567890', 'WAVE_CIV'],
  ] as const) {
    const request = { amount: '100', currency: 'XOF', payer: payer(phoneNumber, provider) }

    it(`${provider}: the next step is to get the address`, async () => {
      const { id, ...answer } = await service.deposit({ ...request, ...urls })
      assertAnswer(answer, 200, {
        depositId: id,
        status: 'ACCEPTED',
        nextStep: 'GET_AUTH_URL',
        created: SECONDS,
      })
      const { data } = (await service.get(`/v2/deposits/${id}`)).body
      assert.deepEqual({ successfulUrl: data.successfulUrl, failedUrl: data.failedUrl }, urls)
    })

    it(`${provider}: the addresses to return to may be left out`, async () => {
      const { body } = await service.deposit(request)
      assert.deepEqual([body.status, body.nextStep], ['ACCEPTED', 'GET_AUTH_URL'])
    })
  }
})

it('a provider that takes a one-time code is given it, and no record ever shows it', async () => {
  const { id, body } = await service.deposit({
    amount: '100',
    currency: 'XOF',
    payer: payer('22607345678', 'ORANGE_BFA'),
    preAuthorisationCode: '314159265',
  })
  assert.deepEqual([body.status, body.nextStep], ['ACCEPTED', 'FINAL_STATUS'])
  const record = await service.reaches(id, 'COMPLETED')
  assert.ok(!JSON.stringify(record).includes('314159265'))
  const rows = await service.database.query(
    'select to_jsonb(p) as row from payments p where merchant_id = $1',
    [service.merchantId],
  )
  assert.ok(!JSON.stringify(rows).includes('314159265'), 'the code is forgotten at the end')
})

/** Headers that clients send and that change nothing. */
const HEADERS: readonly Readonly<Record<string, string>>[] = [
  { 'content-type': 'application/json' },
  { 'content-type': 'application/json; charset=utf-8' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/x-www-form-urlencoded' },
  { 'content-type': 'application/json', 'idempotency-key': 'always-the-same' },
  { 'content-type': 'application/json', 'Idempotency-Key': 'always-the-same' },
  { 'content-type': 'application/json', accept: 'text/html' },
  { 'content-type': 'application/json', 'accept-encoding': 'gzip, br' },
  // Signature headers where signatures are not required are not looked at.
  { signature: 'sig-pp=:bm8=:', 'signature-input': 'sig-pp=("@method")', 'content-digest': 'x' },
]

describe('a deposit is accepted with the headers', () => {
  for (const headers of HEADERS) {
    it(JSON.stringify(headers), async () => {
      const answer = await service.post('/v2/deposits', depositBody(), headers)
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
