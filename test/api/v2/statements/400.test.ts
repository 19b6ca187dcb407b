import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { shareService } from '../../../../harness/share.ts'
import { statementBody, ZAMBIA } from '../../../../harness/statements.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await shareService()
after(service.stop)

const without = (name: string): object => {
  const { [name]: _, ...rest } = statementBody()
  return rest
}

/** Bodies that do not fit, with the code and the field that the message names. */
const BODIES: readonly (readonly [what: string, body: unknown, code: string, says: RegExp])[] = [
  ['no body', undefined, 'INVALID_INPUT', /empty/],
  ['no JSON', '{', 'INVALID_INPUT', /JSON/],
  ['a list', '[]', 'INVALID_PARAMETER', /'body'/],
  ['no wallet', without('wallet'), 'MISSING_PARAMETER', /'wallet'/],
  ['no callbackUrl', without('callbackUrl'), 'MISSING_PARAMETER', /'callbackUrl'/],
  ['no startDate', without('startDate'), 'MISSING_PARAMETER', /'startDate'/],
  ['no endDate', without('endDate'), 'MISSING_PARAMETER', /'endDate'/],
  ['null for a date', statementBody({ endDate: null }), 'MISSING_PARAMETER', /'endDate'/],
  ['no country', statementBody({ wallet: { currency: 'ZMW' } }), 'MISSING_PARAMETER', /'country'/],
  ['no currency', statementBody({ wallet: { country: 'ZMB' } }), 'MISSING_PARAMETER', /'currency'/],
  ['a wallet as text', statementBody({ wallet: 'ZMB' }), 'INVALID_PARAMETER', /'wallet'/],
  [
    'a country of two letters',
    statementBody({ wallet: { ...ZAMBIA, country: 'ZM' } }),
    'INVALID_PARAMETER',
    /'country'/,
  ],
  [
    'a provider in small letters',
    statementBody({ wallet: { ...ZAMBIA, provider: 'mtn' } }),
    'INVALID_PARAMETER',
    /'provider'/,
  ],
  [
    'a balance in the wallet',
    statementBody({ wallet: { ...ZAMBIA, balance: '1' } }),
    'UNSUPPORTED_PARAMETER',
    /'balance'/,
  ],
  ['a statementId', statementBody({ statementId: 'x' }), 'UNSUPPORTED_PARAMETER', /'statementId'/],
  [
    'compressed as text',
    statementBody({ compressed: 'true' }),
    'INVALID_PARAMETER',
    /'compressed'/,
  ],
  [
    'an empty callbackUrl',
    statementBody({ callbackUrl: '' }),
    'INVALID_PARAMETER',
    /'callbackUrl'/,
  ],
  [
    'a callbackUrl without end',
    statementBody({ callbackUrl: `https://x.example/${'x'.repeat(2048)}` }),
    'INVALID_PARAMETER',
    /'callbackUrl'/,
  ],
  ['a date as number', statementBody({ startDate: 20261101 }), 'INVALID_PARAMETER', /'startDate'/],
]

/** Texts that are not a date and time. */
const DATES = [
  '',
  '2026-11-01',
  '2026-11-01 00:00:00',
  '2026-11-01T00:00',
  '2026-11-01T00:00:00+02:00',
  '2026-11-01T00:00:00.1234',
  '2026-11-1T00:00:00',
  '01.11.2026',
  'now',
  '2026-02-30T00:00:00',
  '2025-02-29T00:00:00',
  '2026-13-01T00:00:00',
  '2026-00-01T00:00:00',
  '2026-11-31T00:00:00',
  '2026-11-01T24:00:00',
  '2026-11-01T25:00:00',
  '2026-11-01T00:60:00',
  '2026-11-01T00:00:60',
  ' 2026-11-01T00:00:00',
  '2026-11-01T00:00:00\n',
]

describe('a request for a statement that does not fit is answered with 400:', () => {
  for (const [what, body, code, says] of BODIES) {
    it(what, async () => {
      assertAnswer(await service.post('/v2/statements', body), 400, refused(code, says))
    })
  }
  for (const name of ['startDate', 'endDate']) {
    for (const date of DATES) {
      it(`${name} ${JSON.stringify(date)}`, async () => {
        const answer = await service.post('/v2/statements', statementBody({ [name]: date }))
        assertAnswer(answer, 400, refused('INVALID_PARAMETER', new RegExp(`'${name}'`)))
      })
    }
  }
})

it('a status check needs an identifier that can be one', async () => {
  for (const id of ['x', '1', 'f4401bd2-1568-4140-bf2d-eb77d2b2b63', '%20']) {
    const answer = await service.get(`/v2/statements/${id}`)
    assertAnswer(answer, 400, refused('INVALID_PARAMETER', /'statementId'/))
  }
})

it('none of these requests stored anything', async () => {
  assert.deepEqual(
    await service.database.query('select id from statements where merchant_id = $1', [
      service.merchantId,
    ]),
    [],
  )
})
