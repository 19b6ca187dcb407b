import assert from 'node:assert/strict'
import { it } from 'node:test'
import { amountTerms } from '../../src/store/payments/terms.ts'

/** As SQL does it. */
function termOf(amount: number): string {
  const whole = String(Math.trunc(amount))
  return `a${whole.length}:${whole.slice(0, 2)}`
}

const AMOUNTS = [0.5, 1, 7, 9.99, 10, 15, 99, 100, 101, 125, 999.5, 1000, 12_500, 98_765, 1_000_000]

it('names the terms of all amounts between two, and of hardly any others', () => {
  for (const min of AMOUNTS) {
    for (const max of AMOUNTS.filter((amount) => amount >= min)) {
      const terms = new Set(amountTerms(String(min), String(max)))
      for (const amount of AMOUNTS) {
        const isNamed = terms.has(termOf(amount))
        if (amount >= min && amount <= max) assert.ok(isNamed, `${amount} of ${min} to ${max}`)
        // Those that begin as the bounds do are compared one by one.
        else if (![termOf(min), termOf(max)].includes(termOf(amount))) assert.ok(!isNamed)
      }
    }
  }
})

it('names terms where one bound is open', () => {
  assert.ok(amountTerms('0012.50', undefined).includes('a2:12'))
  assert.ok(!amountTerms('12.50', undefined).includes('a2:11'))
  assert.ok(amountTerms(undefined, '12').includes('a1:0'))
  assert.ok(amountTerms('1', undefined).length < 2000)
})
