import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { payer } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import {
  assertLegacyError,
  legacyDeposit,
  msisdn,
  startLegacy,
} from '../../../support/legacy-payments.ts'

const service = await shareService()
after(service.stop)

const x = (length: number): string => 'x'.repeat(length)
const from = (value: unknown) => ({ payer: { type: 'MSISDN', address: { value } } })
const meta = (...metadata: unknown[]) => ({ metadata })
const pair = (fieldName: unknown, fieldValue: unknown, more = {}) =>
  meta({ fieldName, fieldValue, ...more })

type Change = Readonly<Record<string, unknown>>
type Case = readonly [name: string, change: Change]

const REQUIRED = [
  'depositId',
  'amount',
  'currency',
  'correspondent',
  'payer',
  'customerTimestamp',
  'statementDescription',
]

/** A required field that is not there; `null` is the same as absent. */
const MISSING: readonly Case[] = [
  ...REQUIRED.map((name): Case => [name, { [name]: undefined }]),
  ...REQUIRED.map((name): Case => [name, { [name]: null }]),
  ['type', { payer: {} }],
  ['address', { payer: { type: 'MSISDN' } }],
  ['address', { payer: { type: 'MSISDN', address: null } }],
  ['value', { payer: { type: 'MSISDN', address: {} } }],
  ['value', from(null)],
  ['fieldName', meta({ fieldValue: 'a' })],
  ['fieldValue', meta({ fieldName: 'a' })],
  ['fieldValue', pair('a', null)],
]

/** A field that the operation does not know, at each level, misspelt or of the other generation. */
const UNKNOWN: readonly Case[] = [
  ['amnt', { amnt: '15' }],
  ['payoutId', { payoutId: '15' }],
  ['provider', { provider: 'MTN_MOMO_ZMB' }],
  ['phoneNumber', { phoneNumber: '260763456789' }],
  ['customerMessage', { customerMessage: 'Order' }],
  ['clientReferenceId', { clientReferenceId: null }],
  ['successfulUrl', { successfulUrl: 'https://shop.example/' }],
  ['accountDetails', { payer: { ...msisdn('260763456789'), accountDetails: {} } }],
  ['msisdn', { payer: { type: 'MSISDN', address: { value: '260763456789', msisdn: '1' } } }],
  ['orderId', meta({ orderId: 'ORD-1' })],
  ['isPii', pair('a', 'b', { isPii: true })],
]

/** A value that cannot be right, whatever the correspondent. */
const INVALID: readonly (readonly [name: string, values: readonly unknown[]])[] = [
  ['depositId', ['', 'order-17', 'f4401bd2-1568-1140-bf2d-eb77d2b2b639', 17, {}]],
  ['depositId', ['00000000-0000-0000-0000-000000000000', 'f4401bd215684140bf2deb77d2b2b639']],
  ['amount', ['5.', '.5', '-5.5', '00.5', '', '+5', '05', '1e3', '1,000', ' 5', '5 ', '5\n', '٥']],
  ['amount', ['NaN', 'Infinity', '0x10', '5.12345', '1234567890123456789', true, [], ['15'], {}]],
  ['amount', [-5.5, -1, 1e21, 1e18, 1e-7, 0.1 + 0.2, 5.12345]],
  ['currency', ['', 'zmw', 'ZM', 'ZMWK', 894]],
  ['country', ['zmb', 'ZM', 'Zambia', 894, ['ZMB']]],
  ['correspondent', ['', 'mtn_momo_zmb', 'MTN MOMO', '_MTN', 'A'.repeat(65), 7]],
  ['payer', ['260763456789', 1, [], [msisdn('260763456789')]]],
  ['statementDescription', ['', 'abc', x(23), 'Café 12', 'a_b_c', 'line\nfeed', 1234]],
  ['preAuthorisationCode', [x(37), 1234, {}]],
  ['metadata', ['text', { fieldName: 'a', fieldValue: 'b' }, 7, elevenPairs()]],
  ['metadata[1]', [[{ fieldName: 'a', fieldValue: 'b' }, 'c']]],
  ['customerTimestamp', ['', '2026-11-15', '10:14:00Z', '2026-11-15T10:14:00', 1794737640]],
  ['customerTimestamp', ['2026-11-15T10:14Z', '2026-11-15T10:14:00+0200', '2026-11-15_10:14:00Z']],
  ['customerTimestamp', ['2026-13-15T10:14:00Z', '2026-00-15T10:14:00Z', '2026-11-00T10:14:00Z']],
  ['customerTimestamp', ['2026-11-31T10:14:00Z', '2026-02-29T10:14:00Z', '1900-02-29T10:14:00Z']],
  ['customerTimestamp', ['2026-11-15T24:00:00Z', '2026-11-15T10:60:00Z', '2026-11-15T10:14:61Z']],
  ['customerTimestamp', ['2026-11-15T10:14:00+24:00', '2026-11-15T10:14:00.Z', 'yesterday']],
  ['customerTimestamp', ['2026-11-15T10:14:00Z\n', '٢٠٢٦-11-15T10:14:00Z', `${x(64)}Z`]],
]

/** The same for what lies deeper. */
const INVALID_INSIDE: readonly Case[] = [
  ...['', 'MMO', 'msisdn', 7].map((type): Case => ['type', { payer: { ...msisdn('1'), type } }]),
  ...['', [], 7].map((address): Case => ['address', { payer: { type: 'MSISDN', address } }]),
  ...['', '+260763456789', '260 763', 'abc', 260763456789, '1'.repeat(33), '٢٦٠'].map(
    (value): Case => ['value', from(value)],
  ),
  ...['', x(65), 7].map((fieldName): Case => ['fieldName', pair(fieldName, 'a')]),
  ...['', x(513), 7, true, {}].map((value): Case => ['fieldValue', pair('a', value)]),
  ...['true', 1].map((isPII): Case => ['isPII', pair('a', 'b', { isPII })]),
]

async function refuses([name, change]: Case, says: string): Promise<void> {
  const { id: _, ...answer } = await startLegacy(service, 'deposit', change)
  const quoted = `'${name.replace(/[[\]]/g, '\\$&')}'`
  assertLegacyError(service, answer, 400, new RegExp(`^The parameter ${quoted} ${says}`))
}

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > 60 ? `${text.slice(0, 40)}… (${text.length})` : text
}

describe('400 with error code 1 names the field that is missing:', () => {
  for (const one of MISSING) {
    it(`${one[0]} in ${shown(one[1])}`, () => refuses(one, 'is required'))
  }
})

describe('400 with error code 1 names the field that is not known:', () => {
  for (const one of UNKNOWN) it(one[0], () => refuses(one, 'is not known'))
})

describe('400 with error code 1 names the field that cannot be right:', () => {
  const fieldOf = (name: string): string => name.replace('[1]', '')
  const cases = [
    ...INVALID.flatMap(([name, values]) =>
      values.map((value): Case => [name, { [fieldOf(name)]: value }]),
    ),
    ...INVALID_INSIDE,
  ]
  for (const one of cases) {
    it(`${one[0]} in ${shown(one[1])}`, () => refuses(one, 'is not valid'))
  }
})

/** What is wrong, in the terms of the earlier generation. */
const WORDS: readonly (readonly [change: Change, says: RegExp])[] = [
  [{ correspondent: 'mtn_momo_zmb' }, /'correspondent'.*a correspondent code in capital letters/],
  [{ provider: 'MTN_MOMO_ZMB' }, /'provider' is not known/],
  [{ amount: -5.5 }, /'amount'.*no sign/],
  [{ amount: 1e21 }, /'amount'.*such as 15/],
  [{ amount: 5.12345 }, /'amount'.*up to four decimals/],
  [{ customerTimestamp: '2026-11-15' }, /'customerTimestamp'.*RFC 3339/],
  [{ customerTimestamp: '2026-11-15T10:14:00' }, /'customerTimestamp'.*with Z or an offset/],
]

describe('400 with error code 1 says what would be right:', () => {
  for (const [change, says] of WORDS) {
    it(shown(change), async () => {
      const answer = await service.post('/deposits', legacyDeposit(change))
      assertLegacyError(service, answer, 400, says)
    })
  }
})

it('400 with error code 1 for one metadata name twice', async () => {
  const twice = meta({ fieldName: 'a', fieldValue: '1' }, { fieldName: 'a', fieldValue: '2' })
  await refuses(['metadata', twice], "holds the name 'a' more than once")
})

/** Bodies that hold no request. */
const BODIES: readonly (readonly [body: string | undefined, says: RegExp])[] = [
  [undefined, /could not be parsed.*empty/],
  ['{', /could not be parsed.*not valid JSON/],
  ['{"amount":NaN}', /could not be parsed.*not valid JSON/],
  ['{"amount":Infinity}', /could not be parsed.*not valid JSON/],
  ['{"amount":"1","amount":"2"}', /could not be parsed.*the same field twice/],
  ['{"depositId":"\\u0000"}', /could not be parsed.*NUL/],
  ['null', /'body'.*an object/],
  ['"text"', /'body'.*an object/],
  ['7', /'body'.*an object/],
  ['[]', /'body'.*an object/],
]

describe('400 with error code 1 for a body that is', () => {
  for (const [body, says] of BODIES) {
    it(String(body), async () => {
      const answer = await service.post('/deposits', body)
      assertLegacyError(service, answer, 400, says)
    })
  }

  it('a request of the current generation', async () => {
    const { payer: _, ...rest } = legacyDeposit()
    const account = payer('260763456789', 'MTN_MOMO_ZMB')
    const answer = await service.post('/deposits', { ...rest, payer: account })
    assertLegacyError(service, answer, 400, /'accountDetails' is not known/)
  })
})

describe('400 with error code 1 for a status check of', () => {
  for (const id of ['order-17', 'f4401bd2-1568-4140-bf2d-eb77d2b2b63', '%20', x(200)]) {
    it(shown(id), async () => {
      const answer = await service.get(`/deposits/${id}`)
      assertLegacyError(service, answer, 400, /'depositId'.*must be a UUID, such as/)
    })
  }
})

it('a repeat that is not well-formed is refused, although the identifier is known', async () => {
  const { id } = await startLegacy(service, 'deposit')
  const answer = await startLegacy(service, 'deposit', { depositId: id, amount: '-1' })
  assertLegacyError(service, answer, 400, /'amount'/)
})

it('none of these requests stored anything, except the accepted one', async () => {
  const rows = await service.database.query('select id from payments where merchant_id = $1', [
    service.merchantId,
  ])
  assert.equal(rows.length, 1)
})

function elevenPairs(): object[] {
  return Array.from({ length: 11 }, (_, at) => ({ fieldName: `name ${at}`, fieldValue: 'a' }))
}
