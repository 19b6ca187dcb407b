import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { depositBody, payer } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await shareService()
after(service.stop)

const account = (details: object) => ({ payer: { type: 'MMO', accountDetails: details } })
const phone = (phoneNumber: unknown) => account({ phoneNumber, provider: 'MTN_MOMO_ZMB' })
const via = (provider: unknown) => account({ phoneNumber: '260763456789', provider })
const x = (length: number): string => 'x'.repeat(length)

type Change = Readonly<Record<string, unknown>>

/** A required field that is not there; `null` is the same as absent. */
const MISSING: readonly (readonly [name: string, change: Change])[] = [
  ['depositId', { depositId: undefined }],
  ['depositId', { depositId: null }],
  ['amount', { amount: undefined }],
  ['amount', { amount: null }],
  ['currency', { currency: undefined }],
  ['currency', { currency: null }],
  ['payer', { payer: undefined }],
  ['payer', { payer: null }],
  ['type', { payer: {} }],
  ['type', { payer: { type: null } }],
  ['accountDetails', { payer: { type: 'MMO' } }],
  ['accountDetails', { payer: { type: 'MMO', accountDetails: null } }],
  ['phoneNumber', account({})],
  ['phoneNumber', phone(null)],
  ['provider', account({ phoneNumber: '260763456789' })],
  ['provider', via(null)],
  [
    'preAuthorisationCode',
    { amount: '100', currency: 'XOF', payer: payer('22607345678', 'ORANGE_BFA') },
  ],
  [
    'preAuthorisationCode',
    {
      amount: '100',
      currency: 'XOF',
      payer: payer('22607345678', 'ORANGE_BFA'),
      preAuthorisationCode: '',
    },
  ],
]

/** A field that the operation does not know, at each level, misspelt or of the other generation. */
const UNKNOWN: readonly (readonly [name: string, change: Change])[] = [
  ['amnt', { amnt: '15' }],
  ['Amount', { Amount: '15' }],
  ['payoutId', { payoutId: '15' }],
  ['correspondent', { correspondent: 'MTN_MOMO_ZMB' }],
  ['statementDescription', { statementDescription: 'Order' }],
  ['customerTimestamp', { customerTimestamp: null }],
  ['country', { country: 'ZMB' }],
  ['address', { payer: { ...payer('260763456789', 'MTN_MOMO_ZMB'), address: {} } }],
  ['value', account({ phoneNumber: '260763456789', provider: 'MTN_MOMO_ZMB', value: 1 })],
  ['', { '': 1 }],
]

/** A value that cannot be right, whatever the provider. */
const INVALID: readonly (readonly [name: string, values: readonly unknown[]])[] = [
  [
    'depositId',
    [
      '',
      'f4401bd2-1568-1140-bf2d-eb77d2b2b639',
      'f4401bd2-1568-7140-bf2d-eb77d2b2b639',
      'f4401bd2-1568-4140-cf2d-eb77d2b2b639',
      '00000000-0000-0000-0000-000000000000',
      'f4401bd215684140bf2deb77d2b2b639',
      'f4401bd2-1568-4140-bf2d-eb77d2b2b63',
      'f4401bd2-1568-4140-bf2d-eb77d2b2b6390',
      'g4401bd2-1568-4140-bf2d-eb77d2b2b639',
      'order-17',
    ],
  ],
  [
    'amount',
    [
      ...['', '-1', '+1', '01', '00', '.5', '5.', '5.12345', '1e3', '1,000', ' 5', '5 ', '5\n'],
      ...['0x10', 'NaN', '٥', '1234567890123456789', '123456789012345678.12345', 15, 15.5, true],
      ...[[], ['15'], { value: '15' }],
    ],
  ],
  ['currency', ['', 'zmw', 'ZM', 'ZMWK', 'Z1W', ' ZMW', 894, ['ZMW']]],
  ['payer', ['260763456789', 1, [], [payer('260763456789', 'MTN_MOMO_ZMB')], true, '']],
  ['customerMessage', ['abc', x(23), 'Café 12', 'a_b_c', 'ab-cd', 'line\nfeed', 1234, ['text']]],
  ['clientReferenceId', [x(101), '😀'.repeat(101), 7, {}, []]],
  ['preAuthorisationCode', [x(37), 1234, {}]],
  [
    'metadata',
    ['text', { orderId: '1' }, 7, Array.from({ length: 11 }, (_, at) => ({ [at]: 'a' }))],
  ],
  ['metadata', [[{}], [{ isPII: true }], [{ a: '1', b: '2' }], [{ '': 'a' }], [{ [x(65)]: 'a' }]]],
  [
    'metadata[1]',
    [
      [{ a: '1' }, 'b'],
      [{ a: '1' }, null],
      [{ a: '1' }, ['b']],
    ],
  ],
  ['orderId', [...['', x(513), 7, null, true, {}, ['x']].map((value) => [{ orderId: value }])]],
  ['isPII', [[{ a: '1', isPII: 'true' }], [{ a: '1', isPII: 1 }]]],
  ['successfulUrl', ['/ok', 'shop.example', 'ftp://shop.example', 'javascript:alert(1)', 7]],
  ['successfulUrl', [`https://shop.example/${x(2048)}`, 'https://shop.example/\r\nx: y']],
  ['failedUrl', ['https://shop.example/a\nb', 'http://shop.example/no', 'myapp://no']],
  ['failedUrl', ['/no', 'shop.example', 'data:text/html,x', 'file:///etc/passwd', []]],
]

/** The same for what lies deeper. */
const INVALID_INSIDE: readonly (readonly [name: string, changes: readonly Change[]])[] = [
  ['type', ['', 'MSISDN', 'mmo', 7].map((type) => ({ payer: { ...payer('1', 'A'), type } }))],
  [
    'accountDetails',
    ['', [], 7].map((details) => ({ payer: { type: 'MMO', accountDetails: details } })),
  ],
  [
    'phoneNumber',
    ['', '+260763456789', '260 763456789', '260-76', 'abc', '1'.repeat(33)].map(phone),
  ],
  ['phoneNumber', [260763456789, ['260763456789'], '٢٦٠', '260763456789\n'].map(phone)],
  ['provider', ['', 'mtn_momo_zmb', 'MTN MOMO', '_MTN', 'MTN__ZMB', 'A'.repeat(65), 7].map(via)],
]

async function refuses(change: Change, code: string, says: RegExp): Promise<void> {
  const body = depositBody(change)
  const id = typeof body.depositId === 'string' ? { depositId: body.depositId } : {}
  assertAnswer(await service.post('/v2/deposits', body), 400, refused(code, says, id))
}

const named = (name: string): RegExp => new RegExp(`'${name.replace(/[[\]]/g, '\\$&')}'`)
const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > 60 ? `${text.slice(0, 40)}… (${text.length})` : text
}

it('a provider in small letters is refused with the code that was meant', () =>
  refuses(via('mtn_momo_zmb'), 'INVALID_PARAMETER', /capital letters.* such as 'MTN_MOMO_ZMB'\.$/))

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
  const cases = [
    ...INVALID.flatMap(([name, values]) =>
      values.map((value) => [name, { [fieldOf(name)]: value }] as const),
    ),
    ...INVALID_INSIDE.flatMap(([name, changes]) =>
      changes.map((change) => [name, change] as const),
    ),
  ]
  for (const [name, change] of cases) {
    it(`${name} in ${shown(change)}`, () => refuses(change, 'INVALID_PARAMETER', named(name)))
  }
})

describe('400 DUPLICATE_METADATA_FIELD names the metadata:', () => {
  for (const metadata of [
    [{ a: '1' }, { a: '2' }],
    [{ a: '1' }, { b: '2' }, { a: '1', isPII: true }],
  ]) {
    it(shown(metadata), () => refuses({ metadata }, 'DUPLICATE_METADATA_FIELD', /'metadata'.*'a'/))
  }
})

describe('of several faults', () => {
  const wrong = { amount: 'x', currency: undefined, amnt: '1' }

  it('the unknown field comes first', () => refuses(wrong, 'UNSUPPORTED_PARAMETER', /'amnt'/))

  it('the missing field comes second', () =>
    refuses({ ...wrong, amnt: undefined }, 'MISSING_PARAMETER', /'currency'/))

  it('the wrong value comes third', () =>
    refuses({ amount: 'x', payer: payer('1', 'NOBODY') }, 'INVALID_PARAMETER', /'amount'/))

  it('a rule of the provider comes before its missing one-time code', async () => {
    const { body } = await service.deposit({
      amount: '1',
      currency: 'XOF',
      payer: payer('22607345678', 'ORANGE_BFA'),
    })
    assert.equal(body.failureReason.failureCode, 'AMOUNT_OUT_OF_BOUNDS')
  })
})

/** The identifier of the request stands in the refusal whenever it was given as text. */
const IDENTIFIERS: readonly (readonly [sent: unknown, echoed: object])[] = [
  ['F4401BD2-1568-4140-BF2D-EB77D2B2B639', { depositId: 'F4401BD2-1568-4140-BF2D-EB77D2B2B639' }],
  ['order-17', { depositId: 'order-17' }],
  ['', { depositId: '' }],
  [17, {}],
  [{}, {}],
  [null, {}],
  [undefined, {}],
]

describe('400 echoes the identifier', () => {
  for (const [depositId, echoed] of IDENTIFIERS) {
    it(shown(depositId), async () => {
      const answer = await service.post('/v2/deposits', depositBody({ depositId, amnt: '1' }))
      assertAnswer(answer, 400, refused('UNSUPPORTED_PARAMETER', /'amnt'/, echoed))
    })
  }
})

describe('400 for a status check or a resend with', () => {
  for (const id of ['order-17', 'f4401bd2-1568-4140-bf2d-eb77d2b2b63', '%20', 'x'.repeat(200)]) {
    it(`${shown(id)} names depositId and holds no identifier`, async () => {
      const expected = refused('INVALID_PARAMETER', /'depositId'.*must be a UUID, such as/)
      assertAnswer(await service.get(`/v2/deposits/${id}`), 400, expected)
      assertAnswer(await service.post(`/v2/deposits/resend-callback/${id}`), 400, expected)
    })
  }
})

it('a repeat that is not well-formed is refused, although the identifier is known', async () => {
  const { id } = await service.deposit()
  const { status, body } = await service.deposit({ depositId: id, amount: '-1' })
  assert.deepEqual([status, body.failureReason.failureCode], [400, 'INVALID_PARAMETER'])
})

it('none of these requests stored anything, except the accepted one', async () => {
  const rows = await service.database.query('select id from payments where merchant_id = $1', [
    service.merchantId,
  ])
  assert.equal(rows.length, 1)
})

function fieldOf(name: string): string {
  return /^(orderId|isPII|metadata)/.test(name) ? 'metadata' : name
}
