import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, it } from 'node:test'
import { checkout, checkoutBody } from '../../../../harness/hosted.ts'
import { addMerchant, addToken, callerWith } from '../../../../harness/merchant.ts'
import { shareService } from '../../../../harness/share.ts'
import { assertAnswer, refused, SECONDS } from '../../../support/shapes.ts'

const service = await shareService()
after(service.stop)
const PATH = '/v2/checkouts'
const x = (length: number): string => 'x'.repeat(length)
type Change = Readonly<Record<string, unknown>>

const accepted = (checkoutId: string, status = 'ACCEPTED') => ({
  checkoutId,
  status,
  redirectUrl: new RegExp(`^${service.url}/checkout/[0-9A-Za-z]{22}$`),
  created: SECONDS,
  expiresAt: SECONDS,
  checkoutCode: /^[0-9A-Za-z]{22}$/,
})

const payer = (details: object) => ({ payer: { type: 'MMO', accountDetails: details } })
const amounts = (...list: object[]) => ({ amounts: list })
const ZMW = { country: 'ZMB', currency: 'ZMW', amount: '15' }

/** Requests that are accepted. */
const GOOD: readonly (readonly [what: string, changes: Change])[] = [
  ['one country and its amount', {}],
  ['nothing but what is required', { countries: undefined, amounts: undefined }],
  ['empty lists, which say nothing', { countries: [], amounts: [] }],
  [
    'amounts for several countries',
    {
      countries: ['ZMB', 'COD'],
      ...amounts(
        ZMW,
        { country: 'COD', currency: 'CDF', amount: '2000' },
        { country: 'COD', currency: 'USD', amount: '2' },
      ),
    },
  ],
  [
    'a suggested wallet',
    payer({
      phoneNumber: '260763456789',
      provider: 'MTN_MOMO_ZMB',
      allowCustomerToOverride: true,
    }),
  ],
  [
    'a suggested provider of one of the countries',
    {
      countries: ['ZMB', 'RWA'],
      ...amounts(ZMW, { country: 'RWA', currency: 'RWF', amount: '1500' }),
      ...payer({ provider: 'MTN_MOMO_ZMB', allowCustomerToOverride: true }),
    },
  ],
  [
    'a suggested number of another country, which the customer will not use',
    {
      countries: ['RWA'],
      ...amounts({ country: 'RWA', currency: 'RWF', amount: '1500' }),
      ...payer({ phoneNumber: '260763456789', allowCustomerToOverride: true }),
    },
  ],
  ['a fixed number alone', payer({ phoneNumber: '260763456789', allowCustomerToOverride: false })],
  [
    'everything',
    {
      returnMethod: 'COUNTDOWN',
      defaultLanguage: 'fr',
      expiresAfter: 60,
      clientReferenceId: 'INV-1',
      reason: { en: 'Order 12345', fr: 'Commande 12345' },
      metadata: [{ orderId: '1' }],
    },
  ],
]

describe('200 ACCEPTED with the link, for', () => {
  for (const [what, changes] of GOOD) {
    it(what, async () => {
      const body = checkoutBody(changes)
      assertAnswer(await service.post(PATH, body), 200, accepted(body.checkoutId))
    })
  }

  it('each length of time that is allowed', async () => {
    for (const [expiresAfter, minutes] of [
      [3, 3],
      [60, 60],
      [undefined, 15],
    ]) {
      const { created, expiresAt } = (await checkout(service, { expiresAfter })).answer
      assert.equal(Date.parse(expiresAt) - Date.parse(created), (minutes ?? 0) * 60_000)
    }
  })
})

it('200 DUPLICATE_IGNORED repeats the link, whatever the repeat asks for', async () => {
  const { id, answer } = await checkout(service)
  for (const changes of [{}, { amounts: undefined }, { countries: ['FRA'], amounts: undefined }]) {
    const again = await service.post(
      PATH,
      checkoutBody({ checkoutId: id.toUpperCase(), ...changes }),
    )
    const repeat = { ...answer, checkoutId: id.toUpperCase(), status: 'DUPLICATE_IGNORED' }
    assertAnswer(again, 200, repeat)
  }
})

it('of simultaneous requests with one identifier only one is accepted, and all get the same link', async () => {
  const second = await service.addNode()
  const body = checkoutBody()
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, at) => [service, second][at % 2]?.post(PATH, body)),
  )
  await second.stop()
  const statuses = answers.map((answer) => answer?.body.status)
  assert.equal(statuses.filter((one) => one === 'ACCEPTED').length, 1)
  assert.equal(new Set(answers.map((answer) => answer?.body.checkoutCode)).size, 1)
})

describe('200 REJECTED, and nothing is stored, for', () => {
  const cases: readonly (readonly [code: string, says: RegExp, changes: Change])[] = [
    ['INVALID_CURRENCY', /'EUR'.*'ZMB'/, amounts({ ...ZMW, currency: 'EUR' })],
    ['INVALID_AMOUNT', /'1.555'/, amounts({ ...ZMW, amount: '1.555' })],
    [
      'AMOUNT_OUT_OF_BOUNDS',
      /more than '1' and less than '20000'/,
      amounts({ ...ZMW, amount: '0' }),
    ],
    [
      'INVALID_PROVIDER',
      /'MPESA_KEN'/,
      payer({
        provider: 'MPESA_KEN',
        allowCustomerToOverride: false,
      }),
    ],
    [
      'INVALID_PROVIDER',
      /'MPESA_NOWHERE'/,
      payer({
        provider: 'MPESA_NOWHERE',
        allowCustomerToOverride: true,
      }),
    ],
    [
      'INVALID_PHONE_NUMBER',
      /'254703456789'/,
      payer({
        phoneNumber: '254703456789',
        allowCustomerToOverride: false,
      }),
    ],
    [
      'INVALID_PHONE_NUMBER',
      /'12345'/,
      payer({
        phoneNumber: '12345',
        allowCustomerToOverride: true,
      }),
    ],
    [
      'INVALID_PHONE_NUMBER',
      /'260763456789'.*'MPESA_KEN'/,
      payer({
        phoneNumber: '260763456789',
        provider: 'MPESA_KEN',
        allowCustomerToOverride: true,
      }),
    ],
  ]
  for (const [code, says, changes] of cases) {
    it(`${code} ${says}`, async () => {
      const body = checkoutBody(changes)
      const { checkoutId } = body
      assertAnswer(await service.post(PATH, body), 200, refused(code, says, { checkoutId }))
      const { body: status } = await service.get(`${PATH}/${checkoutId}`)
      assert.deepEqual(status, { status: 'NOT_FOUND' })
    })
  }
})

async function refuses(change: Change, code: string, name: string): Promise<void> {
  const body = checkoutBody(change)
  const id = typeof body.checkoutId === 'string' ? { checkoutId: body.checkoutId } : {}
  const says = new RegExp(`'${name.replace(/[[\]]/g, '\\$&')}'`)
  assertAnswer(await service.post(PATH, body), 400, refused(code, says, id))
}

describe('400 MISSING_PARAMETER names the field:', () => {
  for (const [name, change] of [
    ['checkoutId', { checkoutId: null }],
    ['returnUrl', { returnUrl: undefined }],
    ['country', amounts({ currency: 'ZMW', amount: '15' })],
    ['amount', amounts({ country: 'ZMB', currency: 'ZMW' })],
    ['type', { payer: { accountDetails: { allowCustomerToOverride: true } } }],
    ['allowCustomerToOverride', payer({ phoneNumber: '260763456789' })],
  ] as const) {
    it(name, () => refuses(change, 'MISSING_PARAMETER', name))
  }
})

describe('400 UNSUPPORTED_PARAMETER names the field:', () => {
  for (const [name, change] of [
    ['depositId', { depositId: randomUUID() }],
    ['language', { language: 'EN' }],
    ['fee', amounts({ ...ZMW, fee: '1' })],
    ['name', payer({ allowCustomerToOverride: true, name: 'x' })],
    ['english', { reason: { english: 'Order 12345' } }],
  ] as const) {
    it(name, () => refuses(change, 'UNSUPPORTED_PARAMETER', name))
  }
})

const INVALID: Readonly<Record<string, readonly unknown[]>> = {
  checkoutId: ['', 'order-17', 17],
  returnUrl: ['', 'shop.example', 'ftp://shop.example', 17],
  returnMethod: ['instant', 'NEVER', 7],
  defaultLanguage: ['EN', 'de', 7],
  countries: ['ZMB', ['FRA'], {}],
  'countries[0]': [['zmb'], [7]],
  expiresAfter: [2, 61, 15.5, '15', true],
  amounts: ['15', [ZMW, ZMW], [{ ...ZMW, country: 'KEN' }]],
  'amounts[0]': [['15']],
  payer: ['x', []],
  clientReferenceId: [x(101), 7],
  reason: ['Order 12345', []],
  en: [{ en: 'abc' }, { en: x(23) }, { en: 'a_b_c' }, { en: 7 }],
  metadata: ['text', [{}]],
}

describe('400 INVALID_PARAMETER names the field:', () => {
  for (const [name, values] of Object.entries(INVALID)) {
    const field = name === 'en' ? 'reason' : name.replace('[0]', '')
    for (const value of values) {
      const change = name === 'countries' ? { amounts: undefined } : {}
      it(`${name} in ${JSON.stringify(value).slice(0, 60)}`, () =>
        refuses({ ...change, [field]: value }, 'INVALID_PARAMETER', name))
    }
  }

  it('a reason with accents: says of which field, and that letters have none', async () => {
    const body = checkoutBody({ reason: { en: 'Coffee beans', fr: 'Café grain' } })
    const { failureMessage } = (await service.post('/v2/checkouts', body)).body.failureReason
    assert.match(
      failureMessage,
      /^The parameter 'fr' is not valid: expected a text of reason with 4 to 22 .*without accents/,
    )
  })

  it('amounts where a country has none', () =>
    refuses({ countries: ['ZMB', 'KEN'] }, 'INVALID_PARAMETER', 'amounts'))
})

it('401 and 403 name the identifier', async () => {
  const body = checkoutBody()
  const { checkoutId } = body
  const nobody = await service.post(PATH, body, { authorization: 'Bearer nobody' })
  assertAnswer(nobody, 401, refused('AUTHENTICATION_ERROR', undefined, { checkoutId }))
  const merchant = await addMerchant(service)
  const reader = callerWith(service, await addToken(service, merchant.id, ['checkouts:read']))
  assertAnswer(
    await reader.call('POST', PATH, body),
    403,
    refused('AUTHORISATION_ERROR', /lacks the scope 'checkouts'/, { checkoutId }),
  )
  assert.deepEqual((await reader.call('GET', `${PATH}/${checkoutId}`)).body, {
    status: 'NOT_FOUND',
  })
  assert.equal((await reader.call('POST', `${PATH}/${checkoutId}/expire`)).status, 403)
  const poor = await addMerchant(service, { providers: [] })
  assertAnswer(
    await poor.call('POST', PATH, body),
    403,
    refused('DEPOSITS_NOT_ALLOWED', undefined, { checkoutId }),
  )
})
