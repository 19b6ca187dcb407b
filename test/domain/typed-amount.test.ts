import assert from 'node:assert/strict'
import { it } from 'node:test'
import {
  hasTooManyDecimals,
  likelyAmount,
  plainAmount,
  readTypedAmount,
  typedAmount,
} from '../../src/domain/payments/typed-amount.ts'

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
    ['15 50', undefined],
    ['9999999999999999999', '9999999999999999999'],
    ['', undefined],
  ] as const) {
    assert.equal(typedAmount(typed), amount, typed)
  }
})

it('decimals that no currency has are distinguished from thousands', () => {
  for (const typed of ['15.555', '15,5555', '1,000.505', '0.001', '1 000,5555', '1 000.505']) {
    assert.equal(hasTooManyDecimals(typed), true, typed)
  }
  for (const typed of ['1,000', '15.55', '1,000,000', '1,000.50', 'ten', '']) {
    assert.equal(hasTooManyDecimals(typed), false, typed)
  }
})

it('what looks for amounts takes the likelier meaning, with decimals as the API has them', () => {
  for (const [typed, amount] of [
    ['1100', '1100'],
    ['1,100', '1100'],
    ['1,100.00', '1100.00'],
    ['1 100,00', '1100.00'],
    ['1.100,00', '1100.00'],
    ['1.125', '1.125'],
    ['0.0001', '0.0001'],
    ['0.00001', undefined],
    ['28/11/2026', undefined],
    ['12 34', undefined],
    ['9999999999999999999', undefined],
  ] as const) {
    assert.equal(likelyAmount(typed), amount, typed)
  }
})

it('both meanings are known where there are two, and a zero begins no group', () => {
  const two = { meaning: 'TWO', thousands: '1500', decimals: '1.500', mark: ',' }
  assert.deepEqual(readTypedAmount('1,500'), two)
  assert.deepEqual(readTypedAmount('0.001'), { meaning: 'TOO_FINE', amount: '0.001' })
  assert.deepEqual(readTypedAmount('0,001'), { meaning: 'TOO_FINE', amount: '0.001' })
})

it('an amount of the API stays as it is, and so does what is none', () => {
  for (const [typed, plain] of [
    ['1.500', '1.500'],
    ['1500,50', '1500.50'],
    ['1,500', '1,500'],
    ['ten', 'ten'],
  ] as const) {
    assert.equal(plainAmount(typed), plain, typed)
  }
})
