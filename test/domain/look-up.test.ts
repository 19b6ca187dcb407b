import assert from 'node:assert/strict'
import { it } from 'node:test'
import { lookUpPauseMs, timesAskedAfter } from '../../src/domain/payments/look-up.ts'

it('pauses grow, and the longest repeats', () => {
  const pauses = Array.from({ length: 14 }, (_, asked) => lookUpPauseMs(asked))
  assert.deepEqual(
    pauses,
    pauses.toSorted((a, b) => a - b),
  )
  assert.equal(pauses.at(-1), 3_600_000)
  assert.equal(pauses.at(-2), 3_600_000)
})

it('a payment that is not in memory is looked up as often as its age says', () => {
  let age = 0
  for (let asked = 0; asked < 9; asked += 1) {
    assert.equal(timesAskedAfter(age), asked)
    age += lookUpPauseMs(asked)
  }
  assert.equal(timesAskedAfter(365 * 86_400_000), 9)
})
