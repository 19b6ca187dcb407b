import fc from 'fast-check'
import { msisdn } from '../support/legacy-payments.ts'

// biome-ignore lint/suspicious/noExplicitAny: requests are inspected freely
type Json = any

/** Well-formed requests of the earlier generation, made by chance: some are accepted, some refused. */
export const anyId: fc.Arbitrary<string> = fc
  .tuple(fc.uuid({ version: 4 }), fc.array(fc.boolean(), { minLength: 36, maxLength: 36 }))
  .map(([text, upper]) =>
    [...text].map((letter, at) => (upper[at] ? letter.toUpperCase() : letter)).join(''),
  )

/** Where the money comes from or goes to; see `v1-translate.test.ts` for those that do not work. */
const wallet: fc.Arbitrary<Json> = fc.oneof(
  ending('MTN_MOMO_ZMB', 'ZMB', 'ZMW', '260763456'),
  ending('AIRTEL_COD', 'COD', 'CDF', '243973456'),
  ending('AIRTEL_COD', 'COD', 'USD', '243973456'),
  ending('MPESA_KEN', 'KEN', 'KES', '254703456'),
  fc.constantFrom(
    { correspondent: 'ORANGE_BFA', country: 'BFA', currency: 'XOF', number: '22607345678' },
    { correspondent: 'ZAMTEL_ZMB', country: 'ZMB', currency: 'ZMW', number: '260953456704' },
    { correspondent: 'AIRTEL_OAPI_ZMB', country: 'ZMB', currency: 'ZMW', number: '260973456789' },
    { correspondent: 'NOBODY_ZMB', country: 'ZMB', currency: 'ZMW', number: '260763456789' },
    { correspondent: 'MTN_MOMO_ZMB', country: 'ZMB', currency: 'USD', number: '260763456789' },
  ),
)

function ending(correspondent: string, country: string, currency: string, stem: string) {
  const numbers = ['789', '789', '049', '099', '119', '129', '7890', ''].map((end) => stem + end)
  return fc.constantFrom(...numbers).map((number) => ({ correspondent, country, currency, number }))
}

export const anyAmount: fc.Arbitrary<string | number> = fc.oneof(
  fc.constantFrom('100', '15', '100.00', '100.5', '100.55', '100.555', '0', '0.5', '99999999'),
  fc.constantFrom(100, 15, 150.5, 100.25, 0, 0.001, 99_999_999),
  fc.integer({ min: 1, max: 3000 }),
  fc.integer({ min: 1, max: 3000 }).map(String),
)

const text = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  .filter((one) => !one.includes('\0') && [...one].length <= 64)

export const anyMetadata: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom(undefined, null, []),
  fc.uniqueArray(
    fc.record(
      {
        // One name means something else in the current generation; it has a test of its own.
        fieldName: fc
          .oneof(text, fc.constantFrom('__proto__', 'constructor', 'fieldName', 'x'.repeat(64)))
          .filter((name) => name !== 'isPII'),
        fieldValue: fc.oneof(text, fc.constant('y'.repeat(512))),
        isPII: fc.constantFrom(true, false, null),
      },
      { requiredKeys: ['fieldName', 'fieldValue'] },
    ),
    { minLength: 1, maxLength: 10, selector: ({ fieldName }) => fieldName },
  ),
)

const common = {
  wallet,
  amount: anyAmount,
  saysCountry: fc.boolean(),
  customerTimestamp: fc.constantFrom(
    '2026-11-15T10:14:00Z',
    '2026-11-15T10:14:00.123456+03:00',
    '2026-11-15 10:14:00-11:30',
  ),
  statementDescription: fc.stringMatching(/^[a-zA-Z0-9 ]{4,22}$/),
  metadata: anyMetadata,
}

export const anyDeposit: fc.Arbitrary<Json> = fc
  .record({
    depositId: anyId,
    ...common,
    preAuthorisationCode: fc.constantFrom(undefined, null, '', '1234', 'ABCDEF', '000000'),
  })
  .map((request) => named(request, 'payer'))

export const anyPayout: fc.Arbitrary<Json> = fc
  .record({ payoutId: anyId, ...common })
  .map((request) => named(request, 'recipient'))

function named({ wallet: account, saysCountry, ...rest }: Json, party: string): Json {
  const { correspondent, country, currency, number } = account
  const place = saysCountry ? { country } : {}
  return { ...rest, correspondent, currency, ...place, [party]: msisdn(number) }
}
