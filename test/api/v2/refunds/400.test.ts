import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { completedDeposit, refundBody, refunded } from '../../../../harness/refunds.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await shareService()
after(service.stop)
const depositId = await completedDeposit(service)

const x = (length: number): string => 'x'.repeat(length)
type Change = Readonly<Record<string, unknown>>

/** A required field that is not there; `null` is the same as absent. */
const MISSING: readonly (readonly [name: string, change: Change])[] = [
  ['refundId', { refundId: undefined }],
  ['refundId', { refundId: null }],
  ['depositId', { depositId: undefined }],
  ['depositId', { depositId: null }],
]

/** A field that the operation does not know: misspelt, of another kind or of the other generation. */
const UNKNOWN: readonly (readonly [name: string, change: Change])[] = [
  ['amnt', { amnt: '15' }],
  ['Amount', { Amount: '15' }],
  ['payoutId', { payoutId: '15' }],
  ['recipient', { recipient: {} }],
  ['payer', { payer: {} }],
  ['customerMessage', { customerMessage: 'Order 1' }],
  ['statementDescription', { statementDescription: 'Order' }],
  ['country', { country: 'ZMB' }],
  ['', { '': 1 }],
]

const NO_IDENTIFIERS: readonly unknown[] = [
  '',
  'f4401bd2-1568-1140-bf2d-eb77d2b2b639',
  'f4401bd2-1568-4140-cf2d-eb77d2b2b639',
  '00000000-0000-0000-0000-000000000000',
  'f4401bd215684140bf2deb77d2b2b639',
  'f4401bd2-1568-4140-bf2d-eb77d2b2b6390',
  'order-17',
  17,
  {},
]

/** A value that cannot be right, whatever the deposit. */
const INVALID: readonly (readonly [name: string, values: readonly unknown[]])[] = [
  ['refundId', NO_IDENTIFIERS],
  ['depositId', NO_IDENTIFIERS],
  [
    'amount',
    [
      ...['-1', '+1', '01', '.5', '5.', '5.12345', '1e3', '1,000', ' 5', '5\n', 'NaN', '٥'],
      ...['1234567890123456789', 15, 15.5, true, [], ['15'], { value: '15' }],
    ],
  ],
  ['currency', ['zmw', 'ZM', 'ZMWK', 'Z1W', 894, ['ZMW']]],
  ['clientReferenceId', [x(101), 7, {}, []]],
  [
    'metadata',
    ['text', { orderId: '1' }, 7, Array.from({ length: 11 }, (_, at) => ({ [at]: 'a' }))],
  ],
  ['metadata', [[{}], [{ isPII: true }], [{ a: '1', b: '2' }], [{ '': 'a' }], [{ [x(65)]: 'a' }]]],
]

async function refuses(change: Change, code: string, says: RegExp): Promise<void> {
  const body: Record<string, unknown> = refundBody(depositId, change)
  const id = typeof body.refundId === 'string' ? { refundId: body.refundId } : {}
  assertAnswer(await service.post('/v2/refunds', body), 400, refused(code, says, id))
}

const named = (name: string): RegExp => new RegExp(`'${name}'`)
const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > 60 ? `${text.slice(0, 40)}… (${text.length})` : text
}

describe('400 MISSING_PARAMETER names the field:', () => {
  for (const [name, change] of MISSING) {
    it(`${name} in ${shown(change)}`, () => refuses(change, 'MISSING_PARAMETER', named(name)))
  }
})

describe('400 UNSUPPORTED_PARAMETER names the field:', () => {
  for (const [name, change] of UNKNOWN) {
    it(`'${name}'`, () => refuses(change, 'UNSUPPORTED_PARAMETER', named(name)))
  }
})

describe('400 INVALID_PARAMETER names the field:', () => {
  for (const [name, values] of INVALID) {
    for (const value of values) {
      it(`${name} as ${shown(value)}`, () =>
        refuses({ [name]: value }, 'INVALID_PARAMETER', named(name)))
    }
  }
})

it('400 DUPLICATE_METADATA_FIELD names the metadata', () =>
  refuses({ metadata: [{ a: '1' }, { a: '2' }] }, 'DUPLICATE_METADATA_FIELD', /'metadata'.*'a'/))

describe('400 INVALID_INPUT holds no identifier, for', () => {
  for (const body of ['{', '', 'refund', '{"refundId":"a","refundId":"a"}']) {
    it(shown(body), async () => {
      const answer = await service.post('/v2/refunds', body)
      assertAnswer(answer, 400, refused('INVALID_INPUT'))
    })
  }
})

describe('of several faults', () => {
  const wrong = { amount: 'x', depositId: undefined, amnt: '1' }

  it('the unknown field comes first', () => refuses(wrong, 'UNSUPPORTED_PARAMETER', /'amnt'/))

  it('the missing field comes second', () =>
    refuses({ ...wrong, amnt: undefined }, 'MISSING_PARAMETER', /'depositId'/))

  it('the wrong value comes before any look at the deposit', () =>
    refuses(
      { amount: 'x', depositId: 'f4401bd2-1568-4140-bf2d-eb77d2b2b639' },
      'INVALID_PARAMETER',
      /'amount'/,
    ))
})

describe('400 for a status check, a resend or a cancellation with', () => {
  for (const id of ['order-17', 'f4401bd2-1568-4140-bf2d-eb77d2b2b63', '%20', x(200)]) {
    it(`${shown(id)} names refundId and holds no identifier`, async () => {
      const expected = refused('INVALID_PARAMETER', /'refundId'.*must be a UUID, such as/)
      assertAnswer(await service.get(`/v2/refunds/${id}`), 400, expected)
      assertAnswer(await service.post(`/v2/refunds/resend-callback/${id}`), 400, expected)
      assertAnswer(await service.post(`/v2/refunds/fail-enqueued/${id}`), 400, expected)
    })
  }
})

it('none of these requests stored anything, and the deposit is unchanged', async () => {
  const rows = await service.database.query(
    `select id from payments where merchant_id = $1 and kind = 'refund'`,
    [service.merchantId],
  )
  assert.deepEqual(rows, [])
  assert.equal((await refunded(service, depositId)).amount, '100')
})
