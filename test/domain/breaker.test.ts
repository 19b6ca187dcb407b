import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  ATTEMPTS_AT_ONCE,
  afterAttempt,
  type Breaker,
  deferMs,
  isOpen,
  OPENS_AFTER,
  placesOf,
  TRUSTED,
  UNDER_WAY_MANY,
} from '../../src/domain/callbacks/breaker.ts'

const after = (results: readonly boolean[], from: Breaker = TRUSTED): Breaker =>
  results.reduce((breaker, isDelivered, at) => afterAttempt(breaker, isDelivered, at), from)
const failed = (times: number): boolean[] => new Array(times).fill(false)

describe('a breaker', () => {
  it('opens after several failures in a row, and then lets one attempt through at a time', () => {
    assert.equal(isOpen(after(failed(OPENS_AFTER - 1))), false)
    assert.deepEqual(after(failed(OPENS_AFTER)), {
      failures: OPENS_AFTER,
      limit: 1,
      openedAt: OPENS_AFTER - 1,
    })
  })

  it('stays closed while successes come in between', () => {
    const mixed = Array.from({ length: 100 }, (_, at) => at % OPENS_AFTER === 0)
    assert.equal(after(mixed).limit, ATTEMPTS_AT_ONCE)
  })

  it('remembers since when it is open', () => {
    assert.equal(after(failed(50)).openedAt, OPENS_AFTER - 1)
  })

  it('closes with the first success and doubles from there', () => {
    const open = after(failed(OPENS_AFTER))
    const limits = [1, 2, 3, 4, 5, 6, 7, 8].map((times) => after(new Array(times).fill(true), open))
    assert.deepEqual(
      limits.map(({ limit }) => limit),
      [2, 4, 8, 16, 32, 64, 128, 128],
    )
    assert.ok(limits.every((one) => !isOpen(one)))
  })

  it('defers what does not fit, longer the more there is, but never for too long', () => {
    assert.equal(deferMs(0), 10_000)
    assert.ok(deferMs(1000) > deferMs(999))
    assert.equal(deferMs(1_000_000), 5 * 60_000)
  })
})

it('an endpoint has few under way while all of them together have many', () => {
  const cautious = { failures: 0, limit: 4 }
  assert.equal(placesOf(TRUSTED, UNDER_WAY_MANY - 1), ATTEMPTS_AT_ONCE)
  assert.equal(placesOf(cautious, UNDER_WAY_MANY - 1), 4)
  // Never none: those under way may be at endpoints that hang.
  assert.equal(placesOf(TRUSTED, UNDER_WAY_MANY * 10), 8)
  assert.equal(placesOf(cautious, UNDER_WAY_MANY * 10), 4)
})
