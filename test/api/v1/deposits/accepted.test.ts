import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { balanceOf } from '../../../../harness/payouts.ts'
import { startReceiver } from '../../../../harness/receiver.ts'
import { eventually } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import {
  assertLegacy,
  legacyDeposit,
  legacyReaches,
  msisdn,
  STARTED,
  startLegacy,
  taken,
} from '../../../support/legacy-payments.ts'
import { assertShape, SECONDS } from '../../../support/shapes.ts'

const service = await shareService()
const receiver = await startReceiver()
await service.put('/sandbox/callbacks', { deposit: receiver.url })
after(async () => {
  await service.stop()
  await receiver.close()
})

const RECORD = {
  status: 'COMPLETED',
  requestedAmount: '15',
  depositedAmount: '15',
  currency: 'ZMW',
  country: 'ZMB',
  correspondent: 'MTN_MOMO_ZMB',
  payer: msisdn('260763456789'),
  customerTimestamp: STARTED,
  statementDescription: 'Order 12345',
  created: SECONDS,
  respondedByPayer: SECONDS,
  correspondentIds: { MTN_INIT: /^\S{8,}$/, MTN_FINAL: /^SBX[0-9A-F]{16}$/ },
}

it('a deposit goes from request to callback, and the wallet grows', async () => {
  const { id: depositId, ...answer } = await startLegacy(service, 'deposit', { amount: '15.50' })
  assertLegacy(answer, 200, taken({ depositId }, 'ACCEPTED', SECONDS))
  const record = await legacyReaches(service, 'deposit', depositId, 'COMPLETED')
  const { created } = answer.body
  const amounts = { requestedAmount: '15.50', depositedAmount: '15.50' }
  assertShape(record, { depositId, ...RECORD, ...amounts, created })
  await eventually(() => assert.equal(receiver.received.length, 1))
  assert.deepEqual(JSON.parse(receiver.received[0]?.body ?? ''), record)
  assert.equal(await balanceOf(service), '1000015.50')
})

/** What a request carries beside what it must, and what the record shows of it. */
const OPTIONAL: readonly (readonly [what: string, sent: object, shown: object])[] = [
  ['a description of 4', { statementDescription: 'Abc1' }, { statementDescription: 'Abc1' }],
  ['a description of 22', { statementDescription: x(22) }, { statementDescription: x(22) }],
  ['the country', { country: 'ZMB' }, {}],
  ['null for what is optional', { country: null, preAuthorisationCode: null, metadata: null }, {}],
  ['empty text for what is optional', { country: '', preAuthorisationCode: '', metadata: '' }, {}],
  ['a one-time code that nobody asks for', { preAuthorisationCode: '1' }, {}],
  ['metadata', { metadata: [pair('orderId', 'ORD-1')] }, { metadata: { orderId: 'ORD-1' } }],
  [
    'metadata that is personal and not',
    { metadata: [pair('a', '1', true), pair('b', '2', false), pair('c', '3', null)] },
    { metadata: { a: '1', b: '2', c: '3' } },
  ],
  ['ten entries of metadata', { metadata: tenPairs() }, { metadata: merged(tenPairs()) }],
  [
    'metadata at its lengths',
    { metadata: [pair(x(64), x(512))] },
    { metadata: { [x(64)]: x(512) } },
  ],
  ['no entry of metadata', { metadata: [] }, {}],
]

describe('a deposit is accepted and shown as it was sent, with', () => {
  for (const [what, sent, shown] of OPTIONAL) {
    it(what, async () => {
      const { id: depositId, body } = await startLegacy(service, 'deposit', { ...sent })
      assert.equal(body.status, 'ACCEPTED', JSON.stringify(body))
      const record = await legacyReaches(service, 'deposit', depositId, 'COMPLETED')
      assertShape(record, { depositId, ...RECORD, ...shown })
    })
  }

  it('metadata with names that every object has', async () => {
    const metadata = [pair('__proto__', 'x'), pair('constructor', 'y')]
    const { id } = await startLegacy(service, 'deposit', { metadata })
    const record = await legacyReaches(service, 'deposit', id, 'COMPLETED')
    assert.equal(JSON.stringify(record.metadata), '{"__proto__":"x","constructor":"y"}')
  })

  it('personal metadata marked as such in the books', async () => {
    const metadata = [pair('a', '1', true), pair('b', '2', false), pair('c', '3')]
    const { id } = await startLegacy(service, 'deposit', { metadata })
    const rows = await service.database.query<{ details: { metadata: unknown } }>(
      'select details from payments where id = $1',
      [id],
    )
    assert.deepEqual(rows[0]?.details.metadata, [
      { name: 'a', value: '1', pii: true },
      { name: 'b', value: '2', pii: false },
      { name: 'c', value: '3', pii: false },
    ])
  })

  it('the one-time code that its correspondent asks for', async () => {
    const { id, body } = await startLegacy(service, 'deposit', {
      amount: '100',
      currency: 'XOF',
      correspondent: 'ORANGE_BFA',
      payer: msisdn('22607345678'),
      preAuthorisationCode: '123456',
    })
    assert.equal(body.status, 'ACCEPTED')
    const record = await legacyReaches(service, 'deposit', id, 'COMPLETED')
    assert.ok(!JSON.stringify(record).includes('123456'))
    assert.deepEqual(Object.keys(record.correspondentIds), ['ORANGE_INIT', 'ORANGE_FINAL'])
  })
})

/** An amount as text, or as a number that prints as one; shown as text. */
const AMOUNTS: readonly (readonly [sent: unknown, shown: string])[] = [
  ['5', '5'],
  ['5.0', '5.0'],
  ['5.00', '5.00'],
  ['5.5', '5.5'],
  ['5.55', '5.55'],
  ['5.5500', '5.5500'],
  [15, '15'],
  [15.5, '15.5'],
  [15.55, '15.55'],
  [20000, '20000'],
]

describe('an amount is accepted and shown as the text that was requested:', () => {
  for (const [amount, shown] of AMOUNTS) {
    it(JSON.stringify(amount), async () => {
      const { id, body } = await startLegacy(service, 'deposit', { amount })
      assert.equal(body.status, 'ACCEPTED', JSON.stringify(body))
      const record = await legacyReaches(service, 'deposit', id, 'COMPLETED')
      assert.deepEqual([record.requestedAmount, record.depositedAmount], [shown, shown])
    })
  }

  it('15.0 and 15e0, written as numbers', async () => {
    for (const written of ['15.0', '15e0', '1.5E+1']) {
      const sent = JSON.stringify(legacyDeposit({ amount: 0 })).replace(/:0,/, `:${written},`)
      const { body } = await service.post('/deposits', sent)
      const record = await legacyReaches(service, 'deposit', body.depositId, 'COMPLETED')
      assert.equal(record.requestedAmount, '15')
    }
  })
})

/** Every form of a date and time that RFC 3339 knows. */
const TIMES = [
  '2026-11-15T10:14:00Z',
  '2026-11-15t10:14:00z',
  '2026-11-15 10:14:00Z',
  '2026-11-15T10:14:00+00:00',
  '2026-11-15T10:14:00-00:00',
  '2026-11-15T10:14:00+05:30',
  '2026-11-15T10:14:00-11:00',
  '2026-11-15T10:14:00+23:59',
  '2026-11-15T10:14:00.5Z',
  '2026-11-15T10:14:00.123456789+02:00',
  '2026-12-31T23:59:60Z',
  '2024-02-29T00:00:00Z',
  '2000-02-29T00:00:00Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59Z',
]

describe('the time at which the customer started is shown as sent:', () => {
  for (const customerTimestamp of TIMES) {
    it(customerTimestamp, async () => {
      const { id, body } = await startLegacy(service, 'deposit', { customerTimestamp })
      assert.equal(body.status, 'ACCEPTED', JSON.stringify(body))
      const record = await legacyReaches(service, 'deposit', id, 'COMPLETED')
      assert.equal(record.customerTimestamp, customerTimestamp)
    })
  }
})

it('an identifier is echoed as sent, and found in either case', async () => {
  const depositId = randomUUID().toUpperCase()
  const { body } = await startLegacy(service, 'deposit', { depositId })
  assert.deepEqual([body.status, body.depositId], ['ACCEPTED', depositId])
  for (const path of [depositId, depositId.toLowerCase()]) {
    assert.equal((await legacyReaches(service, 'deposit', path, 'COMPLETED')).depositId, depositId)
  }
})

it('the content type of a request does not matter, its content does', async () => {
  for (const type of ['application/json; charset=utf-8', 'text/plain', 'application/x-whatever']) {
    const answer = await service.post('/deposits', legacyDeposit(), { 'content-type': type })
    assert.equal(answer.body.status, 'ACCEPTED')
  }
})

it('a sloppy path is understood: slashes too many, and one at the end', async () => {
  for (const path of ['//deposits', '/deposits/', '//deposits//']) {
    const body = legacyDeposit()
    const { depositId } = body
    assertLegacy(await service.post(path, body), 200, taken({ depositId }))
  }
})

function pair(fieldName: string, fieldValue: string, isPII?: boolean | null) {
  return { fieldName, fieldValue, ...(isPII === undefined ? {} : { isPII }) }
}

function tenPairs() {
  return Array.from({ length: 10 }, (_, at) => pair(`name ${at}`, `value ${at}`))
}

function merged(pairs: readonly ReturnType<typeof pair>[]): Record<string, string> {
  return Object.fromEntries(pairs.map(({ fieldName, fieldValue }) => [fieldName, fieldValue]))
}

function x(length: number): string {
  return 'x'.repeat(length)
}
