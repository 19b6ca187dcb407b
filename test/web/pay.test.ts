import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  FAILURE_CODES,
  type FailureCode,
  PAYMENT_FAILURE_MESSAGES,
} from '../../src/domain/failure.ts'
import { CATALOG_FILE } from '../../src/package-root.ts'
import { readCatalog } from '../../src/providers/catalog.ts'
import { decimalsOf, moment, money, moneyLimits } from '../../src/web/money.ts'
import { FAILURE_WORDS, PAY_WORDS } from '../../src/web/pay/words.ts'
import type { PayWords } from '../../src/web/pay/words-en.ts'
import { WALLET_WORDS } from '../../src/web/sandbox/wallet/words.ts'
import { SANDBOX_WORDS } from '../../src/web/sandbox/words.ts'
import { fill } from '../../src/web/words.ts'

const LANGS = ['en', 'fr'] as const
const FRENCH = [PAY_WORDS.fr, SANDBOX_WORDS.fr, WALLET_WORDS.fr]
const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).toSorted()

describe('the catalogue of the customers’ pages', () => {
  it('has the same keys and placeholders in both languages', () => {
    assert.deepEqual(Object.keys(PAY_WORDS.fr), Object.keys(PAY_WORDS.en))
    for (const key of Object.keys(PAY_WORDS.en) as (keyof PayWords)[]) {
      assert.deepEqual(placeholders(PAY_WORDS.fr[key]), placeholders(PAY_WORDS.en[key]), key)
      for (const lang of LANGS) assert.notEqual(PAY_WORDS[lang][key].trim(), '', key)
    }
  })

  it('puts non-breaking spaces before French punctuation', () => {
    for (const words of FRENCH) {
      for (const text of Object.values(words)) {
        assert.doesNotMatch(text, / [:;!?»]|« |'|\d (?:min|s|g)\b/, text)
        // A sign that needs a space in front of it has one.
        assert.doesNotMatch(text, /[^\s\u00a0\u202f/*#][;!?]|\p{L}:/u, text)
      }
    }
  })

  it('says vous, and has one word for each thing', () => {
    for (const words of FRENCH) {
      for (const text of Object.values(words)) {
        assert.doesNotMatch(
          text,
          /(?<!\p{L})(?:tu|ton|ta|tes|toi)(?!\p{L})|fournisseur|code PIN|approuv/iu,
          text,
        )
      }
    }
  })

  it('has a text for every failure code of the API, never the message for staff', () => {
    const codes = Object.keys(FAILURE_CODES) as FailureCode[]
    assert.deepEqual(Object.keys(FAILURE_WORDS).toSorted(), codes.toSorted())
    const forStaff = new Set<string>(Object.values(PAYMENT_FAILURE_MESSAGES))
    for (const code of codes) {
      for (const lang of LANGS) {
        const text = PAY_WORDS[lang][FAILURE_WORDS[code]]
        assert.ok(!forStaff.has(text), code)
        assert.deepEqual(
          placeholders(text).filter((one) => one !== '{provider}' && one !== '{currency}'),
          [],
        )
      }
    }
  })
})

it('no amount has decimals where a provider of its currency takes none', () => {
  for (const { currency, operations } of readCatalog(CATALOG_FILE).all.flatMap(
    ({ currencies }) => currencies,
  )) {
    const { decimals = 2 } = operations.DEPOSIT ?? {}
    assert.ok(decimalsOf(currency) <= decimals, currency)
  }
  const limits = moneyLimits({ min: '1', max: '250000', currency: 'KES' }, 'en')
  assert.equal(fill(PAY_WORDS.en.between, limits), 'Between 1 and 250,000\u00a0KES')
})

it('amounts read as the API says them, with the decimals that people expect', () => {
  const read = (amount: string, currency: string, lang: 'en' | 'fr') =>
    money(amount, currency, lang).replaceAll(/\s/g, ' ')
  assert.equal(read('15', 'ZMW', 'en'), '15.00 ZMW')
  assert.equal(read('15.5', 'ZMW', 'fr'), '15,50 ZMW')
  assert.equal(read('2500', 'XOF', 'en'), '2,500 XOF')
  assert.equal(read('2500', 'XOF', 'fr'), '2 500 XOF')
  assert.equal(read('2500.5', 'XOF', 'en'), '2,500.50 XOF')
  assert.equal(read('250000', 'KES', 'en'), '250,000 KES')
  assert.equal(read('150.5', 'TZS', 'fr'), '150,50 TZS')
  assert.equal(read('90071992547409931.27', 'ZMW', 'en'), '90,071,992,547,409,931.27 ZMW')
})

it('moments name their zone', () => {
  const at = Date.UTC(2026, 10, 15, 9, 30)
  assert.equal(moment(at, 'ZMB', 'en'), '15 Nov 2026, 11:30 GMT+2')
  assert.equal(moment(at, 'ZMB', 'fr'), '15 nov. 2026, 11:30 UTC+2')
  assert.equal(moment(at, 'ATA', 'en'), '15 Nov 2026, 09:30 GMT+0')
})
