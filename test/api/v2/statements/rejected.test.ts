import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { callerWith } from '../../../../harness/merchant.ts'
import { startService } from '../../../../harness/service.ts'
import { shareService } from '../../../../harness/share.ts'
import { statementBody } from '../../../../harness/statements.ts'
import { createMerchant } from '../../../../src/usecases/accounts/manage-merchants.ts'
import { createToken } from '../../../../src/usecases/accounts/manage-tokens.ts'
import { ROOT } from '../../../node/program.ts'
import { assertAnswer, refused } from '../../../support/shapes.ts'

const service = await shareService()
after(service.stop)

/** Requests that a rule refuses, with the code and what the message says. */
const REQUESTS: readonly (readonly [
  what: string,
  changes: Record<string, unknown>,
  code: string,
  says: RegExp,
])[] = [
  ['a callback that is no address', { callbackUrl: 'shop' }, 'INVALID_CALLBACK_URL', /valid URL/],
  ['a callback by ftp', { callbackUrl: 'ftp://x.example/' }, 'INVALID_CALLBACK_URL', /ftp:/],
  [
    'a callback with a password',
    { callbackUrl: 'https://me:secret@x.example/' },
    'INVALID_CALLBACK_URL',
    /user name or password/,
  ],
  [
    'a callback to a metadata service',
    { callbackUrl: 'http://169.254.169.254/' },
    'INVALID_CALLBACK_URL',
    /metadata/,
  ],
  [
    'an end before the start',
    { startDate: '2026-11-02T00:00:00', endDate: '2026-11-01T00:00:00' },
    'INVALID_DATE_RANGE',
    /'2026-11-01T00:00:00' is not after '2026-11-02T00:00:00'/,
  ],
  [
    'no time at all',
    { startDate: '2026-11-02T00:00:00', endDate: '2026-11-02T00:00:00' },
    'INVALID_DATE_RANGE',
    /is not after/,
  ],
  [
    'a second more than 31 days',
    { startDate: '2026-10-01T00:00:00', endDate: '2026-11-01T00:00:01' },
    'INVALID_DATE_RANGE',
    /longer than 31 days/,
  ],
  [
    'a currency without a wallet',
    { wallet: { country: 'ZMB', currency: 'USD' } },
    'WALLET_NOT_FOUND',
    /no wallet for 'USD' in 'ZMB'/,
  ],
  [
    'a country that does not exist',
    { wallet: { country: 'QQQ', currency: 'ZMW' } },
    'WALLET_NOT_FOUND',
    /in 'QQQ'/,
  ],
  [
    'a provider without a wallet of its own',
    { wallet: { country: 'ZMB', currency: 'ZMW', provider: 'MTN_MOMO_ZMB' } },
    'WALLET_NOT_FOUND',
    /no wallet of 'MTN_MOMO_ZMB' alone/,
  ],
  [
    'an address and a period at once: the address comes first',
    { callbackUrl: 'shop', startDate: '2026-11-02T00:00:00', endDate: '2026-11-01T00:00:00' },
    'INVALID_CALLBACK_URL',
    /./,
  ],
]

describe('a statement is rejected with 200 and nothing is stored:', () => {
  for (const [what, changes, code, says] of REQUESTS) {
    it(what, async () => {
      const answer = await service.post('/v2/statements', statementBody(changes))
      assertAnswer(answer, 200, refused(code, says))
      assert.deepEqual(
        await service.database.query('select id from statements where merchant_id = $1', [
          service.merchantId,
        ]),
        [],
      )
    })
  }
})

it('in production a callback address must be https and public', async () => {
  const production = await startService({
    MALIPO_ENV: 'production',
    MALIPO_SECRET_KEY: 'a secret of at least 32 characters',
    MALIPO_SANDBOX_DELAY_MS: '',
  })
  const { database } = production
  const { all } = production.node.ctx.providers.catalog
  const merchant = { slug: 'shop', name: 'Shop', providers: all, now: Date.now() }
  const id = await createMerchant(database, merchant)
  assert.ok(id !== undefined)
  const environment = 'production'
  const facts = { environment, merchantId: id, label: '', scopes: ['*'], now: Date.now() } as const
  const { token } = await createToken(database, facts)
  const { call } = callerWith(production, token)
  for (const [callbackUrl, says] of [
    ['http://shop.example/', /not encrypted; use https/],
    ['https://10.0.0.1/', /private/],
    ['https://localhost/', /this machine/],
  ] as const) {
    const answer = await call('POST', '/v2/statements', statementBody({ callbackUrl }))
    assertAnswer(answer, 200, refused('INVALID_CALLBACK_URL', says))
  }
  const callbackUrl = 'https://shop.example/'
  const { body } = await call('POST', '/v2/statements', statementBody({ callbackUrl }))
  assert.equal(body.status, 'ACCEPTED')
  await production.stop()
})

describe('the page of a code shows what the service answers to its own call:', () => {
  for (const code of ['INVALID_CALLBACK_URL', 'INVALID_DATE_RANGE', 'WALLET_NOT_FOUND']) {
    it(code, async () => {
      const page = readFileSync(join(ROOT, `docs/failure-codes/${code}.md`), 'utf8')
      const [, shown = ''] = /```json\n(.*?)```/s.exec(page) ?? []
      const [, sent = ''] = /-d '(.*?)'/s.exec(page) ?? []
      assertAnswer(await service.post('/v2/statements', sent), 200, JSON.parse(shown))
    })
  }
})
