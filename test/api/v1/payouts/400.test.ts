import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { shareService } from '../../../../harness/share.ts'
import { assertLegacyError, msisdn, startLegacy } from '../../../support/legacy-payments.ts'

const service = await shareService()
after(service.stop)

type Change = Readonly<Record<string, unknown>>
type Case = readonly [name: string, change: Change]

const to = (value: unknown) => ({ recipient: { type: 'MSISDN', address: { value } } })
const meta = (...metadata: unknown[]) => ({ metadata })

const REQUIRED = [
  'payoutId',
  'amount',
  'currency',
  'correspondent',
  'recipient',
  'customerTimestamp',
  'statementDescription',
]

const MISSING: readonly Case[] = [
  ...REQUIRED.map((name): Case => [name, { [name]: undefined }]),
  ...REQUIRED.map((name): Case => [name, { [name]: null }]),
  ['type', { recipient: {} }],
  ['address', { recipient: { type: 'MSISDN' } }],
  ['value', { recipient: { type: 'MSISDN', address: {} } }],
  ['fieldName', meta({ fieldValue: 'a' })],
]

const UNKNOWN: readonly Case[] = [
  ['depositId', { depositId: '1' }],
  ['payer', { payer: msisdn('260763456789') }],
  ['provider', { provider: 'MTN_MOMO_ZMB' }],
  ['preAuthorisationCode', { preAuthorisationCode: '1234' }],
  ['customerMessage', { customerMessage: 'Order' }],
  ['accountDetails', { recipient: { ...msisdn('260763456789'), accountDetails: {} } }],
  ['orderId', meta({ orderId: 'ORD-1' })],
]

const INVALID: readonly Case[] = [
  ...['', 'order-17', 'f4401bd2-1568-1140-bf2d-eb77d2b2b639', 17].map(
    (payoutId): Case => ['payoutId', { payoutId }],
  ),
  ...['5.', '.5', '-5.5', '00.5', '', 'NaN', -1, 1e21, 0.1 + 0.2, 1e-7, true, []].map(
    (amount): Case => ['amount', { amount }],
  ),
  ...['', 'zmw', 894].map((currency): Case => ['currency', { currency }]),
  ...['zmb', 'ZM'].map((country): Case => ['country', { country }]),
  ...['', 'mtn_momo_zmb', 7].map((one): Case => ['correspondent', { correspondent: one }]),
  ...['260763456789', [], 7].map((recipient): Case => ['recipient', { recipient }]),
  ...['MMO', 'msisdn'].map((type): Case => ['type', { recipient: { ...msisdn('1'), type } }]),
  ...['', '+260763456789', 'abc', 260763456789].map((value): Case => ['value', to(value)]),
  ...['', 'abc', 'x'.repeat(23), 'a_b_c'].map(
    (text): Case => ['statementDescription', { statementDescription: text }],
  ),
  ...['', '2026-11-15', '2026-11-15T10:14:00', '2026-02-30T10:14:00Z', 1794737640].map(
    (time): Case => ['customerTimestamp', { customerTimestamp: time }],
  ),
  ['metadata', { metadata: elevenPairs() }],
  ['metadata', { metadata: 'text' }],
  ['fieldValue', meta({ fieldName: 'a', fieldValue: 7 })],
  ['isPII', meta({ fieldName: 'a', fieldValue: 'b', isPII: 'yes' })],
]

async function refuses([name, change]: Case, says: string): Promise<void> {
  const { id: _, ...answer } = await startLegacy(service, 'payout', change)
  assertLegacyError(service, answer, 400, new RegExp(`^The parameter '${name}' ${says}`))
}

for (const [what, says, cases] of [
  ['missing', 'is required', MISSING],
  ['not known', 'is not known', UNKNOWN],
  ['wrong', 'is not valid', INVALID],
] as const) {
  describe(`400 with error code 1 names the field that is ${what}:`, () => {
    for (const one of cases) {
      const text = JSON.stringify(one[1]).slice(0, 60)
      it(`${one[0]} in ${text}`, () => refuses(one, says))
    }
  })
}

it('400 with error code 1 for one metadata name twice', async () => {
  const twice = meta({ fieldName: 'a', fieldValue: '1' }, { fieldName: 'a', fieldValue: '2' })
  await refuses(['metadata', twice], "holds the name 'a' more than once")
})

describe('400 with error code 1 for', () => {
  for (const body of [undefined, '{', '{"amount":NaN}', 'null', '[]', '"text"']) {
    it(`a payout that is ${body}`, async () => {
      const answer = await service.post('/payouts', body)
      assertLegacyError(service, answer, 400, /could not be parsed|'body'.*an object/)
    })
  }

  for (const path of ['order-17', 'f4401bd2-1568-4140-bf2d-eb77d2b2b63', '%20']) {
    it(`a status check of ${path}`, async () => {
      const answer = await service.get(`/payouts/${path}`)
      assertLegacyError(service, answer, 400, /'payoutId'.*must be a UUID, such as/)
    })
  }
})

it('none of these requests stored anything', async () => {
  assert.deepEqual(
    await service.database.query('select id from payments where merchant_id = $1', [
      service.merchantId,
    ]),
    [],
  )
})

function elevenPairs(): object[] {
  return Array.from({ length: 11 }, (_, at) => ({ fieldName: `name ${at}`, fieldValue: 'a' }))
}
