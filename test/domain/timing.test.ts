import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RETRY_DELAYS_MS, RETRY_WINDOW_MS } from '../../src/domain/callbacks/callback.ts'
import { LIFETIMES, LIMITS, NODE_TIMING, scaledTiming } from '../../src/domain/timing.ts'

const DAY = 86_400_000

describe('the waits of nodes', () => {
  for (const scale of [1, 0.5, 0.1, 0.01]) {
    const timing = scaledTiming(scale)

    it(`a node stops acting before others act for it, at scale ${scale}`, () => {
      assert.ok(timing.mayActForMs < timing.deadAfterMs)
      // By more than a heartbeat: a node that is late notices it before the others do.
      assert.ok(timing.deadAfterMs - timing.mayActForMs > timing.heartbeatEveryMs)
    })

    it(`a heartbeat may get lost before a node stops acting, at scale ${scale}`, () => {
      assert.ok(timing.heartbeatEveryMs * 3 <= timing.mayActForMs)
    })

    it(`a transaction outlives its node, not the other way round, at scale ${scale}`, () => {
      assert.ok(LIMITS.transactionIdleMs >= 2 * timing.deadAfterMs)
    })

    it(`no order counts as lost before its node counts as dead, at scale ${scale}`, () => {
      assert.ok(LIMITS.orderArrivesWithinMs >= timing.deadAfterMs)
      assert.ok(LIMITS.orderArrivesWithinMs > timing.mayActForMs)
    })

    it(`clients and receivers that hang leave time to stop, at scale ${scale}`, () => {
      const { requestsEndWithinMs, receiversEndWithinMs, settleWithinMs } = timing
      assert.ok(receiversEndWithinMs < settleWithinMs)
      assert.ok(requestsEndWithinMs + receiversEndWithinMs + settleWithinMs < LIMITS.stopWithinMs)
    })

    it(`work is looked for several times between heartbeats, at scale ${scale}`, () => {
      assert.ok(timing.claimEveryMs * 4 <= timing.heartbeatEveryMs)
    })

    it(`work delayed by a bug stays in memory, at scale ${scale}`, () => {
      assert.ok(timing.retryAfterBugMs < LIMITS.parkAfterMs)
    })
  }

  it('are all scaled, and by default unchanged', () => {
    assert.deepEqual(scaledTiming(1), NODE_TIMING)
    const halves = Object.entries(NODE_TIMING).map(([name, ms]) => [name, ms / 2])
    assert.deepEqual(scaledTiming(0.5), Object.fromEntries(halves))
  })
})

describe('the limits that depend on others', () => {
  it('a silent server is left for one that was connected to in time', () => {
    assert.ok(LIMITS.connectWithinMs <= NODE_TIMING.deadAfterMs)
    assert.ok(LIMITS.serverIsNewForMs < NODE_TIMING.deadAfterMs)
  })

  it('an attempt in flight is over before any node sends its callback again', () => {
    assert.ok(LIMITS.callbackConnectMs < LIMITS.callbackTotalMs)
    assert.ok(LIMITS.attemptOverMs > LIMITS.callbackTotalMs)
    const { mayActForMs, deadAfterMs } = NODE_TIMING
    const lastsMs = mayActForMs + LIMITS.crossWithinMs + LIMITS.callbackTotalMs
    assert.ok(lastsMs <= deadAfterMs + LIMITS.attemptOverMs)
  })

  it('what is deferred comes back within the time in which callbacks are tried', () => {
    assert.ok(LIMITS.deferAtLeastMs < LIMITS.deferAtMostMs)
    assert.ok(LIMITS.deferAtMostMs < RETRY_WINDOW_MS)
    assert.ok(LIMITS.laneKeptMs > LIMITS.deferAtMostMs)
    assert.ok(RETRY_DELAYS_MS.every((ms) => ms < RETRY_WINDOW_MS))
  })
})

describe('lifetimes', () => {
  it('a retired key is published for longer than the day that is promised', () => {
    assert.ok(LIFETIMES.retiredKeyMs > DAY)
    assert.ok(LIFETIMES.signatureSeconds * 1000 < DAY)
  })

  it('a file is kept for longer than a link to it lives', () => {
    assert.ok(LIFETIMES.statementFileMs > LIFETIMES.statementLinkMs)
  })

  it('a page can be read for longer than it can be paid on', () => {
    assert.ok(LIFETIMES.pageReadableMs > LIFETIMES.pageSessionMs)
  })
})
