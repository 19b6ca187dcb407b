import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nextAttemptAt } from '../../src/domain/callbacks/callback.ts'
import { retryAfterMs } from '../../src/domain/callbacks/retry-after.ts'

const NOW = Date.UTC(2026, 10, 15, 8, 0, 0)
const DAY = 86_400_000

const READ: readonly (readonly [text: string | undefined, ms: number | undefined])[] = [
  ['0', 0],
  ['120', 120_000],
  [' 7 ', 7000],
  ['86400', DAY],
  ['86401', DAY],
  ['999999999999', DAY],
  ['Sun, 15 Nov 2026 08:10:00 GMT', 600_000],
  ['Sunday, 15-Nov-26 08:10:00 GMT', 600_000],
  ['Sun Nov 15 08:10:00 2026', 600_000],
  ['Thu Dec  3 08:10:00 2026', DAY],
  ['Sun, 15 Nov 2026 07:00:00 GMT', 0],
  ['Fri, 01 Jan 2100 00:00:00 GMT', DAY],
  [undefined, undefined],
  ['', undefined],
  ['-5', undefined],
  ['1.5', undefined],
  ['soon', undefined],
  ['2026-11-15T08:10:00Z', undefined],
  ['Sun, 15 Foo 2026 08:10:00 GMT', undefined],
  ['9'.repeat(40), undefined],
]

describe('Retry-After', () => {
  for (const [text, ms] of READ) {
    it(`${JSON.stringify(text)} is ${ms === undefined ? 'nothing' : `${ms / 1000} s`}`, () => {
      assert.equal(retryAfterMs(text, NOW), ms)
    })
  }

  it('is a minimum: it counts if it is later than the schedule', () => {
    assert.equal(nextAttemptAt(1, NOW, NOW, 0, 60_000), NOW + 60_000)
    assert.equal(nextAttemptAt(1, NOW, NOW, 0, 1000), NOW + 5000)
    assert.equal(nextAttemptAt(8, NOW, NOW, 0, 1000), NOW + 3 * 3_600_000)
  })

  it('does not stretch the window of seven days', () => {
    assert.equal(nextAttemptAt(1, NOW - 7 * DAY + 1000, NOW, 0, 60_000), undefined)
  })
})
