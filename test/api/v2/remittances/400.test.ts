import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import {
  recipient,
  remittanceBody,
  remittanceWith,
  remitterOf,
  SENDER,
} from '../../../../harness/remittances.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await shareService()
after(service.stop)
const { post, remit, status } = remitterOf(service)

const x = (length: number): string => 'x'.repeat(length)
const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > 60 ? `${text.slice(0, 40)}… (${text.length})` : text
}

/** A value that cannot be right, whatever the provider; what is inside the parties: `fields`. */
const INVALID: readonly (readonly [name: string, path: string, values: readonly unknown[]])[] = [
  [
    'remittanceId',
    'remittanceId',
    [
      '',
      'f4401bd2-1568-1140-bf2d-eb77d2b2b639',
      'f4401bd2-1568-4140-cf2d-eb77d2b2b639',
      '00000000-0000-0000-0000-000000000000',
      'f4401bd215684140bf2deb77d2b2b639',
      'f4401bd2-1568-4140-bf2d-eb77d2b2b6390',
      'order-17',
    ],
  ],
  [
    'amount',
    'amount',
    [
      ...['', '-1', '+1', '01', '00', '.5', '5.', '5.12345', '1e3', '1,000', ' 5', '5\n', 'NaN'],
      ...['٥', '1234567890123456789', '123456789012345678.12345', 15, 15.5, true, ['15'], {}],
    ],
  ],
  ['currency', 'currency', ['', 'zmw', 'ZM', 'ZMWK', 'Z1W', ' ZMW', 894, ['ZMW']]],
  ['recipient', 'recipient', ['260763456789', 1, [], [recipient('260763456789')], true]],
  ['sender', 'sender', ['Amina', 1, [], [SENDER], true]],
  ['type', 'recipient.type', ['MSISDN', 'mmo', 'BANK', 7]],
  [
    'phoneNumber',
    'recipient.accountDetails.phoneNumber',
    ['+260763456789', '260 763456789', 'abc', '1'.repeat(33), 260763456789, '٢٦٠', '2607\n'],
  ],
  [
    'provider',
    'recipient.accountDetails.provider',
    ['mtn_momo_zmb', 'MTN MOMO', '_MTN', 'MTN__ZMB', 'A'.repeat(65), 7],
  ],
  [
    'customerMessage',
    'customerMessage',
    ['abc', x(23), 'Café 12', 'a_b_c', 'line\nfeed', 1234, ['text']],
  ],
  [
    'metadata',
    'metadata',
    ['text', { a: '1' }, Array.from({ length: 11 }, (_, at) => ({ [at]: 'a' })), [{}]],
  ],
  ['orderId', 'metadata', ['', x(513), 7, null, {}].map((orderId) => [{ orderId }])],
]

const named = (name: string): RegExp => new RegExp(`^The parameter '${name}' `)

async function refuses(body: { remittanceId?: unknown }, code: string, says: RegExp) {
  const { remittanceId } = body
  const id = typeof remittanceId === 'string' ? { remittanceId } : {}
  assertAnswer(await post(body), 400, refused(code, says, id))
}

describe('400 INVALID_PARAMETER names the field:', () => {
  for (const [name, path, values] of INVALID) {
    for (const value of values) {
      it(`${path}: ${shown(value)}`, () =>
        refuses(remittanceWith(path, value), 'INVALID_PARAMETER', named(name)))
    }
  }
})

it('400 DUPLICATE_METADATA_FIELD names the metadata', async () => {
  const metadata = [{ a: '1' }, { b: '2' }, { a: '1', isPII: true }]
  await refuses(remittanceBody({ metadata }), 'DUPLICATE_METADATA_FIELD', /'metadata'.*'a'/)
})

describe('of several faults', () => {
  const wrong = {
    amount: 'x',
    currency: undefined,
    clientReferenceId: 'INV-7',
    sender: { ...SENDER, senderDetails: { ...SENDER.senderDetails, nationality: 'ZZZ' } },
  }

  it('the unknown field comes first', () =>
    refuses(remittanceBody(wrong), 'UNSUPPORTED_PARAMETER', /'clientReferenceId'/))

  it('the missing field comes second', () => {
    const body = remittanceBody({ ...wrong, clientReferenceId: undefined })
    return refuses(body, 'MISSING_PARAMETER', /'currency'/)
  })

  it('the wrong value comes third', () => {
    const body = remittanceBody({ ...wrong, clientReferenceId: undefined, currency: 'ZMW' })
    return refuses(body, 'INVALID_PARAMETER', /'amount'/)
  })

  it('a country that is none comes before any rule of the provider', () => {
    const { sender } = wrong
    return refuses(remittanceBody({ sender, amount: '0' }), 'INVALID_PARAMETER', /'nationality'/)
  })
})

/** Bodies that are no remittance at all. */
const BODIES: readonly (readonly [body: string, code: string, says: RegExp])[] = [
  ['', 'INVALID_INPUT', /could not be parsed/],
  ['{', 'INVALID_INPUT', /not valid JSON/],
  ['{"amount":"1","amount":"1"}', 'INVALID_INPUT', /same field twice/],
  ['{"sender":{"a":"\\u0000"}}', 'INVALID_INPUT', /NUL/],
  ['[]', 'INVALID_PARAMETER', /'body'.*object/],
  ['"text"', 'INVALID_PARAMETER', /'body'.*object/],
  ['null', 'INVALID_PARAMETER', /'body'.*object/],
  ['{}', 'MISSING_PARAMETER', /'remittanceId'/],
]

describe('400 for the body', () => {
  for (const [body, code, says] of BODIES) {
    it(body === '' ? '(empty)' : body, async () => {
      assertAnswer(await service.post('/v2/remittances', body), 400, refused(code, says))
    })
  }
})

/** The identifier of the request stands in the refusal whenever it was given as text. */
const IDENTIFIERS: readonly (readonly [sent: unknown, echoed: object])[] = [
  [
    'F4401BD2-1568-4140-BF2D-EB77D2B2B639',
    { remittanceId: 'F4401BD2-1568-4140-BF2D-EB77D2B2B639' },
  ],
  ['order-17', { remittanceId: 'order-17' }],
  ['', { remittanceId: '' }],
  [17, {}],
  [null, {}],
  [undefined, {}],
]

describe('400 echoes the identifier', () => {
  for (const [remittanceId, echoed] of IDENTIFIERS) {
    it(shown(remittanceId), async () => {
      const answer = await post(remittanceBody({ remittanceId, amnt: '1' }))
      const { status: code, headers, body } = answer
      const expected = refused('UNSUPPORTED_PARAMETER', /'amnt'/, echoed)
      assertAnswer({ status: code, headers, body }, 400, expected)
    })
  }
})

describe('400 for a status check, a resend or a cancellation with', () => {
  for (const id of ['order-17', 'f4401bd2-1568-4140-bf2d-eb77d2b2b63', '%20', x(200)]) {
    it(`${shown(id)} names remittanceId and holds no identifier`, async () => {
      const expected = refused('INVALID_PARAMETER', /'remittanceId'.*must be a UUID, such as/)
      assertAnswer(await status(id), 400, expected)
      for (const action of ['resend-callback', 'fail-enqueued']) {
        assertAnswer(await service.post(`/v2/remittances/${action}/${id}`), 400, expected)
      }
    })
  }
})

it('a repeat that is not well-formed is refused, although the identifier is known', async () => {
  const { id: remittanceId } = await remit()
  const body = remittanceWith('sender.senderDetails.nationality', 'ZZZ', { remittanceId })
  await refuses(body, 'INVALID_PARAMETER', /'nationality'/)
})

it('none of these requests stored anything, except the accepted one', async () => {
  const rows = await service.database.query('select id from payments where merchant_id = $1', [
    service.merchantId,
  ])
  assert.equal(rows.length, 1)
})
