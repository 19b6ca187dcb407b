import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { createBurst } from '../../src/workers/burst.ts'

const TIMING = { burstForMs: 10_000, burstOverMs: 1000 }

describe('a burst', () => {
  let [now, isAccepting, waited] = [0, true, 0]
  let burst = createBurst(
    () => isAccepting,
    () => waited,
    TIMING,
  )
  /** Looks every hundred milliseconds, as the runner does far more often; how many said yes. */
  const lookFor = (ms: number): number => {
    let yes = 0
    for (const end = now + ms; now < end; now += 100) if (burst.isOn()) yes += 1
    return yes
  }
  beforeEach(() => {
    now = 5_000_000
    isAccepting = true
    waited = 0
    burst = createBurst(
      () => isAccepting,
      () => waited,
      TIMING,
      () => now,
    )
  })

  it('is on while many payments come in, for ten seconds at most', () => {
    assert.equal(lookFor(10_000), 100)
    assert.equal(lookFor(60_000), 0)
  })

  it('is not on while few come in', () => {
    isAccepting = false
    assert.equal(lookFor(60_000), 0)
  })

  it('goes on behind a short gap, and does not begin anew', () => {
    assert.equal(lookFor(8000), 80)
    isAccepting = false
    assert.equal(lookFor(900), 0)
    isAccepting = true
    assert.equal(lookFor(60_000), 11)
  })

  it('is not on for a payment that has waited through another one', () => {
    assert.equal(lookFor(5000), 50)
    now += 2000
    waited = 10_000
    assert.equal(lookFor(5000), 0)
    waited = 9999
    assert.equal(lookFor(5000), 50)
  })

  it('begins anew when it was over', () => {
    lookFor(60_000)
    isAccepting = false
    lookFor(1100)
    isAccepting = true
    assert.equal(lookFor(60_000), 100)
  })
})
