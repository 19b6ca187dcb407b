import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  AMOUNT_PATTERN,
  type Amount,
  formatBalance,
  hasAtMostDecimals,
  parseAmount,
  parseSum,
} from '../../src/domain/amount.ts'

const amount = (value: bigint): Amount => value as Amount

/** Text on the wire, and how many ten-thousandths it is; undefined is no amount. */
const TEXTS: readonly (readonly [text: string, value: bigint | undefined])[] = [
  ['0', 0n],
  ['1', 10_000n],
  ['15', 150_000n],
  ['0.5', 5000n],
  ['5.00', 50_000n],
  ['5.50', 55_000n],
  ['0.0001', 1n],
  ['5.1234', 51_234n],
  ['999999999999999999', 9_999_999_999_999_999_990_000n],
  ['999999999999999999.9999', 9_999_999_999_999_999_999_999n],
  ['', undefined],
  ['-1', undefined],
  ['+1', undefined],
  ['01', undefined],
  ['00', undefined],
  ['.5', undefined],
  ['5.', undefined],
  ['5.12345', undefined],
  ['1,000', undefined],
  ['1 000', undefined],
  [' 1', undefined],
  ['1 ', undefined],
  ['1\n', undefined],
  ['1e3', undefined],
  ['0x10', undefined],
  ['NaN', undefined],
  ['٥', undefined],
  ['1000000000000000000', undefined],
]

describe('the text of an amount', () => {
  for (const [text, value] of TEXTS) {
    it(`${JSON.stringify(text)} is ${value === undefined ? 'no amount' : value}`, () => {
      assert.equal(parseAmount(text), value)
    })

    it(`${JSON.stringify(text)} is judged alike by the schema and by the parser`, () => {
      assert.equal(new RegExp(AMOUNT_PATTERN).test(text), value !== undefined)
    })
  }

  it('has at most 23 characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary-ascii', minLength: 24 }), (text) => {
        assert.equal(parseAmount(text), undefined)
      }),
    )
  })

  it('means the same whatever zeroes follow the decimals', () => {
    fc.assert(
      fc.property(wireAmounts(), ({ text, decimals }) => {
        const padded =
          decimals === 0 ? `${text}.0000` : text.padEnd(text.length + 4 - decimals, '0')
        assert.equal(parseAmount(padded), parseAmount(text))
      }),
    )
  })
})

/** A wallet and what is printed for it. */
const BALANCES: readonly (readonly [value: bigint, text: string])[] = [
  [0n, '0.00'],
  [1n, '0.0001'],
  [10n, '0.001'],
  [100n, '0.01'],
  [5000n, '0.50'],
  [10_000n, '1.00'],
  [155_000n, '15.50'],
  [155_050n, '15.505'],
  [10_000_000_000n, '1000000.00'],
  [-155_000n, '-15.50'],
  [-1n, '-0.0001'],
]

describe('a balance', () => {
  for (const [value, text] of BALANCES) {
    it(`of ${value} ten-thousandths is printed as ${text}`, () => {
      assert.equal(formatBalance(amount(value)), text)
    })
  }

  it('is printed so that reading it gives the same balance, however long', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (value) => {
        const text = formatBalance(amount(value))
        assert.match(text, /^-?(0|[1-9]\d*)\.\d{2,4}$/)
        assert.equal(parseSum(text), value)
      }),
    )
  })

  it('of one payment is the amount of the payment', () => {
    fc.assert(
      fc.property(wireAmounts(), ({ text }) => {
        const value = parseAmount(text)
        assert.ok(value !== undefined)
        assert.equal(parseAmount(formatBalance(value)), value)
        assert.equal(parseSum(text), value)
      }),
    )
  })

  it('that is no number is not read', () => {
    for (const text of ['', '-', 'NaN', 'Infinity', '1e3', '1.', '.5', '1.12345', '--1']) {
      assert.equal(parseSum(text), undefined, text)
    }
  })
})

/** The texts that a provider with that many decimals accepts: by value, not by length. */
const DECIMALS: readonly (readonly [text: string, least: number])[] = [
  ['5', 0],
  ['5.0', 0],
  ['5.00', 0],
  ['5.0000', 0],
  ['5.5', 1],
  ['5.50', 1],
  ['5.05', 2],
  ['5.0500', 2],
  ['5.555', 3],
  ['5.5550', 3],
  ['5.5555', 4],
  ['0', 0],
]

describe('the decimals of an amount', () => {
  for (const [text, least] of DECIMALS) {
    it(`${text} needs ${least} and no more`, () => {
      const value = parseAmount(text)
      assert.ok(value !== undefined)
      for (const decimals of [0, 1, 2, 3, 4]) {
        assert.equal(hasAtMostDecimals(value, decimals), decimals >= least, `with ${decimals}`)
      }
    })
  }
})

function wireAmounts(): fc.Arbitrary<{ text: string; decimals: number }> {
  const whole = fc.bigInt({ min: 0n, max: 10n ** 18n - 1n })
  const fraction = fc.stringMatching(/^\d{0,4}$/)
  return fc.tuple(whole, fraction).map(([units, digits]) => ({
    text: digits === '' ? `${units}` : `${units}.${digits}`,
    decimals: digits.length,
  }))
}
