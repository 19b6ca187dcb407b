import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { providerHint } from '../../src/domain/meant-provider.ts'
import {
  createPredictor,
  type NumberPlan,
  type Prediction,
} from '../../src/domain/payments/prediction.ts'
import { CATALOG_FILE } from '../../src/package-root.ts'
import { readCatalog } from '../../src/providers/catalog.ts'

const ranges = (...entries: readonly (readonly [range: string, provider: string | undefined])[]) =>
  new Map(entries)

const PLANS: readonly NumberPlan[] = [
  {
    country: 'AAA',
    callingCode: '999',
    ranges: new Map([
      [6, ranges(['1', 'ONE'], ['12', 'TWO'], ['123', undefined], ['1234', 'FOUR'], ['0', 'ZERO'])],
      [5, ranges(['7', 'SHORT'])],
    ]),
  },
  {
    country: 'BBB',
    callingCode: '88',
    legacy: { nationalLength: 4, prepend: '01' },
    ranges: new Map([[6, ranges(['01', 'OLD'])]]),
  },
]
const EXACT = new Map<string, Prediction>([
  ['999120000', { country: 'AAA', provider: 'EXACT', phoneNumber: '999120000' }],
  ['99998', { country: 'AAA', provider: 'EXACT', phoneNumber: '99998' }],
  ['555', { country: 'CCC', provider: 'EXACT', phoneNumber: '555' }],
])
const predict = createPredictor(PLANS, EXACT)

/** What is asked, and the provider with the number, or why there is none. */
const CASES: readonly (readonly [what: string, text: string, expected: string])[] = [
  ['a range', '999199999', 'ONE 999199999'],
  ['a longer range inside it', '999129999', 'TWO 999129999'],
  ['a range inside that one that is not served', '999123999', 'UNKNOWN_NETWORK'],
  ['a served range inside that one', '999123499', 'FOUR 999123499'],
  ['another length with other ranges', '99970000', 'SHORT 99970000'],
  ['a range of another length', '999700000', 'UNKNOWN_NETWORK'],
  ['a zero that belongs to the number', '999012345', 'ZERO 999012345'],
  ['a zero that does not', '9990129999', 'TWO 999129999'],
  ['a zero before a range that is not served', '9990123999', 'UNKNOWN_NETWORK'],
  ['a number known exactly, before its range', '999120000', 'EXACT 999120000'],
  ['the same with a zero', '9990120000', 'EXACT 999120000'],
  ['a number known exactly, in no plan', '99998', 'EXACT 99998'],
  ['a number known exactly, of no country', '555', 'EXACT 555'],
  ['a shorter calling code', '88012345', 'OLD 88012345'],
  ['the former length', '882345', 'OLD 88012345'],
  ['the former length with a zero', '8802345', 'OLD 88012345'],
  ['the international prefix', '00999199999', 'ONE 999199999'],
  ['the same with signs', '(00) 999 012-9999', 'TWO 999129999'],
  ['the same before a number known exactly', '0099998', 'EXACT 99998'],
  ['one zero in front', '0999199999', 'UNKNOWN_COUNTRY'],
  ['nothing', '', 'UNKNOWN_COUNTRY'],
  ['no digits', 'abc', 'UNKNOWN_COUNTRY'],
  ['another country', '771234', 'UNKNOWN_COUNTRY'],
  ['a calling code alone', '999', 'UNKNOWN_NETWORK'],
]

describe('prediction of', () => {
  for (const [what, text, expected] of CASES) {
    it(`${what}: ${expected}`, () => {
      const found = predict(text)
      const shown = typeof found === 'string' ? found : `${found.provider} ${found.phoneNumber}`
      assert.equal(shown, expected)
    })
  }
})

const ZAMBIA = ['ZMW', '260763456789'] as const
const NOWHERE = [undefined, undefined] as const

/** A code that does not exist, the currency and number it came with, and the code that was meant. */
const MISTYPED: readonly (readonly [
  typed: string,
  clues: readonly [currency: string | undefined, phoneNumber: string | undefined],
  meant?: string,
])[] = [
  ['MTN_ZMB', ZAMBIA, 'MTN_MOMO_ZMB'],
  ['MTN_ZMB', NOWHERE, 'MTN_MOMO_ZMB'],
  ['MTN_ZMB', ['KES', '254703456789'], 'MTN_MOMO_ZMB'],
  ['AIRTEL_ZMB', ZAMBIA, 'AIRTEL_OAPI_ZMB'],
  ['mtn_momo_zmb', NOWHERE, 'MTN_MOMO_ZMB'],
  ['MTN-MOMO-ZMB', NOWHERE, 'MTN_MOMO_ZMB'],
  ['ZMB_MTN', NOWHERE, 'MTN_MOMO_ZMB'],
  ['MTN_MOMO_ZM', NOWHERE, 'MTN_MOMO_ZMB'],
  ['MTN_MOMO_ZBM', ZAMBIA, 'MTN_MOMO_ZMB'],
  ['MTN_MOMO_ZMBB', NOWHERE, 'MTN_MOMO_ZMB'],
  ['MTN', ZAMBIA, 'MTN_MOMO_ZMB'],
  ['MTN', ['ZMW', '1'], 'MTN_MOMO_ZMB'],
  ['MTN', ['XOF', '22951345678'], 'MTN_MOMO_BEN'],
  ['MTN', ['XOF', undefined]],
  ['MTN', ['ZMW', '256783456789']],
  ['MTN', NOWHERE],
  ['MPESA', ZAMBIA],
  ['MPESA', ['KES', '254703456789'], 'MPESA_KEN'],
  ['M_PESA_KEN', NOWHERE, 'MPESA_KEN'],
  ['VODACOM_MPESA_TZ', NOWHERE, 'VODACOM_TZA'],
  ['VODACOM_COD', NOWHERE, 'VODACOM_MPESA_COD'],
  ['AIRTEL_OAPI_RWA', NOWHERE, 'AIRTEL_RWA'],
  ['AIRTEL_TIGO_GHA', NOWHERE, 'AIRTELTIGO_GHA'],
  ['ARTEL_MWI', NOWHERE, 'AIRTEL_MWI'],
  ['MTN_MWI', NOWHERE],
  ['TIGO_ZMB', ZAMBIA],
  ['ORANGE_ZMB', ZAMBIA],
  ['MTN_AIRTEL_ZMB', ZAMBIA],
  ['MTN_MOMO_ZAF', ZAMBIA],
  ['NOBODY', ZAMBIA],
  ['', ZAMBIA],
  ['_', NOWHERE],
  ['MTN_ZMB'.repeat(10), ZAMBIA],
]

describe('of providers that could be meant, none of another operator or country is named:', () => {
  const { all } = readCatalog(CATALOG_FILE)
  for (const [typed, [currency, phoneNumber], meant] of MISTYPED) {
    it(`${typed.slice(0, 20)} with ${currency} and ${phoneNumber}: ${meant ?? 'none'}`, () => {
      const clues = { currencies: currency === undefined ? [] : [currency], phoneNumber }
      const hint = meant === undefined ? '' : ` Did you mean '${meant}'?`
      assert.equal(providerHint(typed, all, clues), hint)
    })
  }
})
