import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  hasTooManyDecimals,
  numberSpellings,
  typedAmount,
} from '../../src/domain/hosted/typed-text.ts'

it('an amount is read as people write it, or not at all where it could mean two things', () => {
  for (const [typed, amount] of [
    ['15', '15'],
    [' 15.5 ', '15.5'],
    ['15,50', '15.50'],
    ['1 000', '1000'],
    ["1'000.50", '1000.50'],
    ['1\u202f000', '1000'],
    ['１５', '15'],
    ['015', '15'],
    ['0', '0'],
    ['0,5', '0.5'],
    ['1,000', undefined],
    ['1.000', undefined],
    ['1,000.50', '1000.50'],
    ['20,000.00', '20000.00'],
    ['1.000,50', '1000.50'],
    ['1,000,000', '1000000'],
    ['1.000.000', '1000000'],
    ['1,000,000.5', '1000000.5'],
    ['10,00.50', undefined],
    ['1,000,00', undefined],
    ['1,000,000,50', undefined],
    ['1,000.505', undefined],
    ['1,000.000,50', undefined],
    ['15.555', undefined],
    ['5.', undefined],
    ['.5', undefined],
    ['-5', undefined],
    ['1e3', undefined],
    ['ten', undefined],
    ['', undefined],
  ] as const) {
    assert.equal(typedAmount(typed), amount, typed)
  }
})

it('decimals that no currency has are distinguished from thousands', () => {
  for (const typed of ['15.555', '15,5555', '1,000.505', '0.001', '1 000,5555']) {
    assert.equal(hasTooManyDecimals(typed), true, typed)
  }
  for (const typed of ['1,000', '15.55', '1,000,000', '1,000.50', 'ten', '']) {
    assert.equal(hasTooManyDecimals(typed), false, typed)
  }
})

it('a number is tried with and without what people put in front of it', () => {
  assert.deepEqual(numberSpellings('+260 763-456 789', '260')[0], '260763456789')
  assert.ok(numberSpellings('0763456789', '260').includes('260763456789'))
  assert.ok(numberSpellings('00260763456789', '260').includes('260763456789'))
  assert.ok(numberSpellings('+260 (0) 763456789', '260').includes('260763456789'))
  // Here the zero belongs to the number, and stays the first guess.
  assert.equal(numberSpellings('0123456789', '225')[0], '2250123456789')
  assert.deepEqual(numberSpellings('none', '260'), [])
})
