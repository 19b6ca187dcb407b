import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import {
  isAcknowledged,
  nextAttemptAt,
  RETRY_WINDOW_MS,
} from '../../src/domain/callbacks/callback.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const START = 1_800_000_000_000

/** How long after which try the next one comes, when nothing is left to chance. */
const SCHEDULE: readonly (readonly [tries: number, delayMs: number])[] = [
  [1, 5 * SECOND],
  [2, 15 * SECOND],
  [3, 45 * SECOND],
  [4, 2 * MINUTE],
  [5, 5 * MINUTE],
  [6, 15 * MINUTE],
  [7, 1 * HOUR],
  [8, 3 * HOUR],
  [9, 6 * HOUR],
  [10, 12 * HOUR],
  [11, 24 * HOUR],
  [12, 24 * HOUR],
  [13, 24 * HOUR],
]

describe('the schedule of a callback', () => {
  for (const [tries, delayMs] of SCHEDULE) {
    it(`try ${tries} is followed by another after ${delayMs / SECOND} s`, () => {
      assert.equal(nextAttemptAt(tries, START, START, 0), START + delayMs)
    })
  }

  it('is shortened randomly by at most a tenth, and never lengthened', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 30 }), chance(), (tries, random) => {
        const longest = nextAttemptAt(tries, START, START, 0) ?? 0
        const at = nextAttemptAt(tries, START, START, random) ?? 0
        assert.ok(at <= longest)
        assert.ok(at - START >= Math.floor((longest - START) * 0.9))
      }),
    )
  })

  it('ends seven days after the first try, not before and not after', () => {
    assert.equal(RETRY_WINDOW_MS, 7 * DAY)
    assert.equal(nextAttemptAt(20, START, START + 6 * DAY, 0), START + 7 * DAY)
    assert.equal(nextAttemptAt(20, START, START + 6 * DAY + 1, 0), START + 7 * DAY)
    assert.equal(nextAttemptAt(20, START, START + 7 * DAY - 1, 0), START + 7 * DAY)
    assert.equal(nextAttemptAt(20, START, START + 7 * DAY, 0), undefined)
  })

  it('ends whatever the random numbers, within seven days and some twenty tries', () => {
    fc.assert(
      fc.property(fc.array(chance(), { minLength: 40, maxLength: 40 }), (chances) => {
        let tries = 0
        let now = START
        for (let next: number | undefined = START; next !== undefined; ) {
          now = next
          tries += 1
          next = nextAttemptAt(tries, START, now, chances[tries] ?? 0)
        }
        assert.equal(now, START + 7 * DAY)
        assert.ok(tries >= 16 && tries <= 20, `${tries} tries`)
      }),
    )
  })
})

/** Any 2xx says that the receiver has it; a redirect does not. */
const STATUSES: readonly (readonly [status: number, acknowledged: boolean])[] = [
  [199, false],
  [200, true],
  [201, true],
  [202, true],
  [204, true],
  [299, true],
  [300, false],
  [301, false],
  [302, false],
  [307, false],
  [308, false],
  [400, false],
  [404, false],
  [410, false],
  [429, false],
  [500, false],
  [503, false],
]

describe('a callback answered with', () => {
  for (const [status, acknowledged] of STATUSES) {
    it(`${status} ${acknowledged ? 'is delivered' : 'is tried again'}`, () => {
      assert.equal(isAcknowledged(status), acknowledged)
    })
  }
})

function chance(): fc.Arbitrary<number> {
  return fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
}
