import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, describe, it } from 'node:test'
import { addMerchant, addToken, callerWith } from '../../../harness/merchant.ts'
import { startService } from '../../../harness/service.ts'
import { shareService } from '../../../harness/share.ts'
import { assertAnswer, reason, refused } from '../../support/shapes.ts'

const service = await shareService()
after(service.stop)

const PATH = '/v2/predict-provider'
const predict = (phoneNumber: unknown) => service.post(PATH, { phoneNumber })

type Entry = {
  country: string
  provider: string
  testNumbers: Record<string, { phoneNumber: string }[]>
}
const catalog: readonly Entry[] = JSON.parse(readFileSync('catalog/providers.json', 'utf8'))

type Operator = {
  provider: string | null
  prefixesByNationalLength: Record<string, readonly string[]>
}
type Plan = { callingCode: string; operators: readonly Operator[] }
const plans: Record<string, Plan> = JSON.parse(
  readFileSync('catalog/prefixes.json', 'utf8'),
).countries

/** A number of each provider, as a telephone book has it. */
const NUMBERS: readonly (readonly [country: string, provider: string, phoneNumber: string])[] = [
  ['BEN', 'MTN_MOMO_BEN', '2290197123456'],
  ['BEN', 'MOOV_BEN', '2290195123456'],
  ['BFA', 'MOOV_BFA', '22670123456'],
  ['BFA', 'ORANGE_BFA', '22676123456'],
  ['CMR', 'MTN_MOMO_CMR', '237671234567'],
  ['CMR', 'ORANGE_CMR', '237691234567'],
  ['CIV', 'MTN_MOMO_CIV', '2250512345678'],
  ['CIV', 'ORANGE_CIV', '2250712345678'],
  ['COD', 'VODACOM_MPESA_COD', '243811234567'],
  ['COD', 'AIRTEL_COD', '243991234567'],
  ['COD', 'ORANGE_COD', '243891234567'],
  ['COG', 'AIRTEL_COG', '242051234567'],
  ['COG', 'MTN_MOMO_COG', '242061234567'],
  ['ETH', 'MPESA_ETH', '251701234567'],
  ['GAB', 'AIRTEL_GAB', '24177123456'],
  ['GHA', 'MTN_MOMO_GHA', '233241234567'],
  ['GHA', 'AIRTELTIGO_GHA', '233271234567'],
  ['GHA', 'VODAFONE_GHA', '233201234567'],
  ['KEN', 'MPESA_KEN', '254712123456'],
  ['LSO', 'MPESA_LSO', '26650123456'],
  ['MWI', 'AIRTEL_MWI', '265991234567'],
  ['MWI', 'TNM_MWI', '265881234567'],
  ['MOZ', 'MOVITEL_MOZ', '258861234567'],
  ['MOZ', 'VODACOM_MOZ', '258841234567'],
  ['NGA', 'AIRTEL_NGA', '2348021234567'],
  ['NGA', 'MTN_MOMO_NGA', '2348031234567'],
  ['RWA', 'AIRTEL_RWA', '250731234567'],
  ['RWA', 'MTN_MOMO_RWA', '250781234567'],
  ['SEN', 'FREE_SEN', '221761234567'],
  ['SEN', 'ORANGE_SEN', '221771234567'],
  ['SLE', 'ORANGE_SLE', '23276123456'],
  ['TZA', 'AIRTEL_TZA', '255681234567'],
  ['TZA', 'VODACOM_TZA', '255751234567'],
  ['TZA', 'TIGO_TZA', '255711234567'],
  ['TZA', 'HALOTEL_TZA', '255621234567'],
  ['UGA', 'AIRTEL_OAPI_UGA', '256751234567'],
  ['UGA', 'MTN_MOMO_UGA', '256771234567'],
  ['ZMB', 'AIRTEL_OAPI_ZMB', '260971234567'],
  ['ZMB', 'MTN_MOMO_ZMB', '260961234567'],
  ['ZMB', 'ZAMTEL_ZMB', '260951234567'],
]

describe('a number of each provider is predicted:', () => {
  for (const [country, provider, phoneNumber] of NUMBERS) {
    it(`${provider} from ${phoneNumber}`, async () => {
      assertAnswer(await predict(phoneNumber), 200, { country, provider, phoneNumber })
    })
  }

  it('all of the catalogue but Wave, which has no numbers of its own', () => {
    const predicted = new Set(NUMBERS.map(([, provider]) => provider))
    assert.deepEqual(
      catalog.map(({ provider }) => provider).filter((provider) => !predicted.has(provider)),
      ['WAVE_CIV', 'WAVE_SEN'],
    )
  })
})

/** By number, the first provider that lists it. */
const testNumbers = new Map<string, Entry>()
for (const entry of catalog) {
  for (const { phoneNumber } of Object.values(entry.testNumbers).flat()) {
    if (!testNumbers.has(phoneNumber)) testNumbers.set(phoneNumber, entry)
  }
}

/** The owner of the longest range that fits, found by looking at every one of them. */
function ownerOf({ operators }: Plan, national: string): string | null {
  const fitting = operators.flatMap(({ provider, prefixesByNationalLength }) =>
    (prefixesByNationalLength[national.length] ?? [])
      .filter((prefix) => national.startsWith(prefix))
      .map((prefix) => ({ provider, length: prefix.length })),
  )
  return fitting.toSorted((a, b) => b.length - a.length)[0]?.provider ?? null
}

it('every range of every operator leads to its provider, or to none that is not ours', async () => {
  const ours = new Set(catalog.map(({ provider }) => provider))
  let asked = 0
  for (const country of new Set(catalog.map((entry) => entry.country))) {
    const plan = plans[country]
    assert.ok(plan !== undefined, country)
    for (const { prefixesByNationalLength } of plan.operators) {
      for (const [length, prefixes] of Object.entries(prefixesByNationalLength)) {
        for (const prefix of prefixes) {
          const national = prefix.padEnd(Number(length), '5')
          const phoneNumber: string = plan.callingCode + national
          assert.ok(!testNumbers.has(phoneNumber))
          const provider = ownerOf(plan, national)
          const { status, body } = await predict(phoneNumber)
          if (provider !== null && ours.has(provider)) {
            assert.deepEqual(body, { country, provider, phoneNumber })
          } else {
            assert.equal(status, 400, `${phoneNumber}: ${JSON.stringify(body)}`)
          }
          asked += 1
        }
      }
    }
  }
  assert.ok(asked > 400, String(asked))
})

it('every test number is predicted for the provider that lists it, in the plan or not', async () => {
  assert.ok(testNumbers.size > 200)
  for (const [phoneNumber, { country, provider }] of testNumbers) {
    assertAnswer(await predict(phoneNumber), 200, { country, provider, phoneNumber })
  }
})

it('a test number that Wave and Orange list is predicted for Orange', async () => {
  const phoneNumber = '221773456789'
  assertAnswer(await predict(phoneNumber), 200, {
    country: 'SEN',
    provider: 'ORANGE_SEN',
    phoneNumber,
  })
})

/** What a person writes, and the number that is meant. */
const SPELLINGS: readonly (readonly [written: string, meant: string, provider: string])[] = [
  ['25007 834-56789a', '250783456789', 'MTN_MOMO_RWA'],
  ['+260 763 456 789', '260763456789', 'MTN_MOMO_ZMB'],
  ['(+260) 0763.456.789', '260763456789', 'MTN_MOMO_ZMB'],
  ['260-0961234567', '260961234567', 'MTN_MOMO_ZMB'],
  ['tel:+254712123456', '254712123456', 'MPESA_KEN'],
  ['254 0712 123456', '254712123456', 'MPESA_KEN'],
  ['٠+260961234567', '260961234567', 'MTN_MOMO_ZMB'],
  ['\u202a+260 96 123 4567\u202c', '260961234567', 'MTN_MOMO_ZMB'],
  // A test number outside the number plan, with a national zero.
  ['+234 0903 456 7899', '2349034567899', 'AIRTEL_NGA'],
  // The zero belongs to the number.
  ['+242 06 123 4567', '242061234567', 'MTN_MOMO_COG'],
  ['+242 04 123 4567', '242041234567', 'AIRTEL_COG'],
  ['+225 07 12 34 56 78', '2250712345678', 'ORANGE_CIV'],
  ['+226 01 23 45 67', '22601234567', 'MOOV_BFA'],
  ['+241 07 12 34 56', '24107123456', 'AIRTEL_GAB'],
  // And here it does not, with one digit more.
  ['+241 074 12 34 56', '24174123456', 'AIRTEL_GAB'],
  // The former numbers of Benin, with and without a zero.
  ['+229 97 12 34 56', '2290197123456', 'MTN_MOMO_BEN'],
  ['+229 097 12 34 56', '2290197123456', 'MTN_MOMO_BEN'],
  ['+229 01 97 12 34 56', '2290197123456', 'MTN_MOMO_BEN'],
  ['22995123456', '2290195123456', 'MOOV_BEN'],
]

describe('whatever surrounds the digits is dropped:', () => {
  for (const [written, phoneNumber, provider] of SPELLINGS) {
    it(`${JSON.stringify(written)} is ${phoneNumber}`, async () => {
      const country = provider.slice(-3)
      assertAnswer(await predict(written), 200, { country, provider, phoneNumber })
    })
  }
})

describe('400 INVALID_PARAMETER names phoneNumber:', () => {
  for (const [what, phoneNumber, message] of [
    ['an empty text', '', /'phoneNumber'.*must not be empty/],
    ['no digits', '+ (-)', /'phoneNumber'.*country code/],
    ['a number instead of a text', 260763456789, /'phoneNumber'.*text in quotes/],
    ['an object', {}, /'phoneNumber'/],
    ['true', true, /'phoneNumber'/],
    ['a list', ['260763456789'], /'phoneNumber'/],
    ['65 characters', '2'.repeat(65), /'phoneNumber'.*at most 64/],
    ['the country code alone', '260', /'phoneNumber'.*first digits/],
    ['a digit too few', '26096123456', /'phoneNumber'.*first digits/],
    ['a digit too many', '2609612345678', /'phoneNumber'.*first digits/],
    ['two national zeroes', '26000961234567', /'phoneNumber'.*first digits/],
    ['no country code', '0961234567', /'phoneNumber'.*country code/],
    ['a country that is not served', '33612345678', /'phoneNumber'.*country code/],
    ['a country with ranges that is not served', '22461123456', /'phoneNumber'.*country code/],
    ['an operator without wallet', '260981234567', /'phoneNumber'.*first digits/],
    ['a provider that is not in the catalogue', '2290140123456', /'phoneNumber'.*first digits/],
    ['a former number of that provider', '22940123456', /'phoneNumber'.*first digits/],
    ['a range inside that of another operator', '251911234567', /'phoneNumber'.*first digits/],
    ['a zero that must not be dropped', '24261234567', /'phoneNumber'.*first digits/],
  ] as const) {
    it(what, async () => {
      assertAnswer(await predict(phoneNumber), 400, refused('INVALID_PARAMETER', message))
    })
  }
})

describe('other refusals, each with its code:', () => {
  for (const [body, code, message] of [
    [{}, 'MISSING_PARAMETER', /'phoneNumber'/],
    [{ phoneNumber: null }, 'MISSING_PARAMETER', /'phoneNumber'/],
    [{ phoneNumber: '260763456789', country: 'ZMB' }, 'UNSUPPORTED_PARAMETER', /'country'/],
    [{ msisdn: '260763456789' }, 'UNSUPPORTED_PARAMETER', /'msisdn'/],
    [[], 'INVALID_PARAMETER', /'body'/],
    ['"260763456789"', 'INVALID_PARAMETER', /'body'/],
    ['', 'INVALID_INPUT', /could not be parsed/],
    ['{"phoneNumber": 26', 'INVALID_INPUT', /could not be parsed/],
    ['phoneNumber=260763456789', 'INVALID_INPUT', /could not be parsed/],
  ] as const) {
    it(`${typeof body === 'string' ? body || 'nothing' : JSON.stringify(body)}: ${code}`, async () => {
      assertAnswer(await service.post(PATH, body), 400, refused(code, message))
    })
  }

  it('401 and 403', async () => {
    const body = { phoneNumber: '260763456789' }
    const nobody = callerWith(service, 'nobody')
    assertAnswer(await nobody.call('POST', PATH, body), 401, reason('AUTHENTICATION_ERROR'))
    const { id } = await addMerchant(service, { providers: [] })
    const { call } = callerWith(service, await addToken(service, id, ['deposits']))
    const lacks = reason('AUTHORISATION_ERROR', /'toolkit:read'/)
    assertAnswer(await call('POST', PATH, body), 403, lacks)
    const reader = callerWith(service, await addToken(service, id, ['toolkit:read']))
    assert.equal((await reader.call('POST', PATH, body)).body.provider, 'MTN_MOMO_ZMB')
  })
})

it('no number reaches the log', async () => {
  await predict('260963111222')
  await predict('260989111222')
  assert.deepEqual(
    service.logLines.filter((line) => /963111222|989111222/.test(line)),
    [],
  )
})

it('in production a test number is a number like any other', async () => {
  const production = await startService({
    MALIPO_ENV: 'production',
    MALIPO_SANDBOX_DELAY_MS: '',
    MALIPO_SECRET_KEY: 'only for this test, and long enough for it',
  })
  try {
    const { call } = await addMerchant(production, { slug: 'live' })
    const ask = (phoneNumber: string) => call('POST', PATH, { phoneNumber })
    const outside = await ask('258100000000')
    assertAnswer(outside, 400, refused('INVALID_PARAMETER', /'phoneNumber'/))
    const { body } = await ask('2349034567899')
    assert.equal(body.provider, 'MTN_MOMO_NGA')
    assert.equal((await predict('2349034567899')).body.provider, 'AIRTEL_NGA')
  } finally {
    await production.stop()
  }
})
