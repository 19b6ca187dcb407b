import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { RETRY_DELAYS_MS, RETRY_WINDOW_MS } from '../../src/domain/callbacks/callback.ts'
import { COMMAND_TIMING, CONNECTIONS, PAGES } from '../../src/domain/client-timing.ts'
import { EXPIRES_AFTER_MINUTES } from '../../src/domain/hosted/checkout.ts'
import { trialPauseMs } from '../../src/domain/operators/breaker.ts'
import { LIFETIMES, LIMITS, NODE_TIMING, scaledTiming } from '../../src/domain/timing.ts'
import { EMBEDDED, UPKEEP } from '../../src/domain/upkeep-timing.ts'
import {
  createSandboxConnector,
  type SandboxOptions,
} from '../../src/providers/sandbox/connector.ts'
import { AHEAD_SECONDS } from '../../src/signing/signature-parts.ts'

const SECOND = 1000
const MINUTE = 60_000
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
      const lastsMs = requestsEndWithinMs + receiversEndWithinMs + settleWithinMs
      assert.ok(lastsMs < LIMITS.stopWithinMs)
      const endsMs = LIMITS.stopWithinMs - LIMITS.stopMarginMs
      assert.ok(lastsMs + UPKEEP.spansClosedWithinMs <= endsMs)
    })

    it(`what ends while a node stops is noticed while it waits, at scale ${scale}`, () => {
      assert.ok(LIMITS.closeIdleEveryMs < timing.requestsEndWithinMs)
      assert.ok(LIMITS.settledLookEveryMs < timing.settleWithinMs)
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

  it('a host is looked up within the time for a connection', () => {
    assert.ok(LIMITS.nameServerMs < LIMITS.lookupWithinMs)
    assert.ok(LIMITS.lookupWithinMs <= LIMITS.callbackConnectMs)
    assert.ok(LIMITS.lookupWithinMs <= LIMITS.operatorConnectMs)
    assert.ok(LIMITS.lookupWithinMs <= LIMITS.probeWithinMs)
  })

  it('an operator that takes no connection does not cost others their turn', () => {
    assert.ok(LIMITS.operatorTurnMs > LIMITS.operatorConnectMs)
  })

  it('the longest pause between two trials of an operator does not make them forgotten', () => {
    assert.ok(LIMITS.breakerForgottenMs > trialPauseMs('DEPOSIT', Number.MAX_SAFE_INTEGER))
    assert.ok(LIMITS.breakerForgottenMs > trialPauseMs('*', Number.MAX_SAFE_INTEGER))
  })

  it('the money with an operator differs in several readings before that is a finding', () => {
    assert.ok(LIMITS.balanceDiffersMs >= 3 * LIMITS.balancesEveryMs)
    assert.ok(LIMITS.balanceEndedWithinMs < LIMITS.balanceOpenForMs)
  })

  it('other nodes are looked at more often than they send heartbeats', () => {
    assert.ok(LIMITS.othersLookEveryMs < NODE_TIMING.heartbeatEveryMs)
    assert.ok(COMMAND_TIMING.nodesLookEveryMs < NODE_TIMING.heartbeatEveryMs)
    assert.ok(LIMITS.changeFollowedMs > NODE_TIMING.heartbeatEveryMs)
  })

  it('what is still under way in a transaction is waited for before something is counted', () => {
    const lastsMs = LIMITS.transactionIdleMs + NODE_TIMING.deadAfterMs
    assert.ok(LIMITS.movementsSettledMs > lastsMs)
    assert.ok(LIMITS.storedWithinMs > lastsMs)
  })

  it('a payment that is stored late is announced all the same', () => {
    assert.ok(LIMITS.newForMs >= LIMITS.storedWithinMs)
  })

  it('a pause that a receiver asks for leaves time for another attempt', () => {
    assert.ok(LIMITS.retryAfterAtMostMs < RETRY_WINDOW_MS)
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

describe('what happens beside payments', () => {
  it('what is deleted is kept for longer than the pause between two rounds', () => {
    assert.ok(UPKEEP.requestsSweptEveryMs < LIFETIMES.apiRequestMs)
    assert.ok(UPKEEP.peopleSweptEveryMs < UPKEEP.failuresForgottenMs)
    assert.ok(UPKEEP.peopleSweptEveryMs < LIFETIMES.sessionIdleMs)
    assert.ok(UPKEEP.exchangesSweptEveryMs < LIFETIMES.exchangeMs)
  })

  it('who comes back is noted long before they count as gone', () => {
    assert.ok(2 * UPKEEP.seenEveryMs <= LIFETIMES.sessionIdleMs)
    assert.ok(2 * UPKEEP.listenerNotedEveryMs <= LIFETIMES.listenerMs)
  })

  it('a used signature is kept for longer than clocks may differ', () => {
    assert.ok(UPKEEP.usedSignaturesKeptForMs > AHEAD_SECONDS * SECOND)
    assert.ok(UPKEEP.usedSignaturesKeptForMs > PAGES.clocksDifferMs)
    assert.ok(UPKEEP.usedSignaturesKeptForMs > COMMAND_TIMING.clocksApartMs)
  })

  it('failures to sign in are not forgotten while they make somebody wait', () => {
    assert.ok(UPKEEP.failuresForgottenMs > UPKEEP.signInWaitAtMostMs)
  })

  it('a mail server that hangs is given up before its mail is tried again', () => {
    // It may hang while it is connected to, greets and answers.
    assert.ok(3 * UPKEEP.mailWithinMs < UPKEEP.statusMailAgainMs)
    assert.ok(UPKEEP.statusMailAgainMs < UPKEEP.statusMailAgainMaxMs)
    assert.ok(UPKEEP.statusMailsApartMs <= UPKEEP.statusMailAgainMs)
  })

  it('a provider that hangs leaves time to sign in', () => {
    assert.ok(UPKEEP.companyProviderSeconds * SECOND < LIFETIMES.companySignInMs)
  })

  it('a phone that is late answers when its payment is in reconciliation', () => {
    const { profile } = createSandboxConnector({ now: () => 0 } as SandboxOptions)
    assert.ok(UPKEEP.phoneLateMs > profile.unknownWindowMs)
  })

  it('an owner brings a lost socket back before others take its server for left behind', () => {
    assert.ok(EMBEDDED.socketLostMs >= 3 * EMBEDDED.socketLooksEveryMs)
  })

  it('a server is stopped in both ways before nobody waits for its memory any more', () => {
    assert.ok(EMBEDDED.stopLooksEveryMs < EMBEDDED.stopWithinMs)
    assert.ok(EMBEDDED.memoryHeldMs > 2 * EMBEDDED.stopWithinMs)
    assert.ok(EMBEDDED.startAgainMs < EMBEDDED.startAgainMaxMs)
  })
})

describe('connections', () => {
  const { headersWithinMs, requestWithinMs, keepAliveMs, silentMs, heldSeconds } = CONNECTIONS

  it('headers come before the end of their request, and both are looked at in time', () => {
    // Node refuses to start with it the other way round.
    assert.ok(headersWithinMs <= requestWithinMs)
    assert.ok(CONNECTIONS.lookEveryMs < headersWithinMs)
  })

  it('proxies close their connections first, which they keep for a minute', () => {
    assert.ok(keepAliveMs > MINUTE)
  })

  it('a connection that is kept or waits for a change is not taken for silent', () => {
    assert.ok(silentMs > keepAliveMs)
    assert.ok(silentMs > heldSeconds * SECOND)
    assert.ok(silentMs > LIMITS.signOfLifeMs)
  })

  it('a full service waits less long for a request than one with room', () => {
    assert.ok(CONNECTIONS.firstRequestWithinMs < headersWithinMs)
    assert.ok(CONNECTIONS.bodyWithinMs < requestWithinMs)
    assert.ok(CONNECTIONS.sweepEveryMs < CONNECTIONS.firstRequestWithinMs)
    assert.ok(CONNECTIONS.sweepEveryMs < CONNECTIONS.bodyWithinMs)
  })
})

describe('pages and commands', () => {
  it('a browser keeps its attempt for as long as a checkout can be open', () => {
    assert.ok(PAGES.checkoutKeptSeconds >= EXPIRES_AFTER_MINUTES.most * 60)
  })

  it('a customer is warned while there is time to pay', () => {
    assert.ok(PAGES.shortMs < EXPIRES_AFTER_MINUTES.least * MINUTE)
    assert.ok(PAGES.shortMs < LIFETIMES.pageSessionMs)
  })

  it('a payment is slow before it is being confirmed, and after its prompt should be there', () => {
    assert.ok(PAGES.promptThereSeconds * SECOND < PAGES.slowMs)
    assert.ok(PAGES.slowMs < PAGES.confirmingMs)
  })

  it('a link for another device ends before the session that it opens', () => {
    assert.ok(LIFETIMES.deviceLinkMs < LIFETIMES.sandboxSessionMs)
  })

  it('a clock that was moved is further ahead than clocks of machines may be', () => {
    assert.ok(PAGES.clocksDifferMs > COMMAND_TIMING.clocksApartMs)
    assert.ok(LIFETIMES.signatureSeconds * SECOND > COMMAND_TIMING.clocksApartMs)
  })

  it('a command waits for longer than the service holds its request', () => {
    assert.ok(COMMAND_TIMING.feedSeconds <= CONNECTIONS.heldSeconds)
    assert.ok(COMMAND_TIMING.answerWithinMs > CONNECTIONS.heldSeconds * SECOND)
  })

  it('a callback that is handed on still has a valid signature when its receiver is done', () => {
    const { callbacksFreshMs, receiverHasMs } = COMMAND_TIMING
    assert.equal(receiverHasMs, LIMITS.callbackTotalMs)
    assert.ok(callbacksFreshMs + receiverHasMs < LIFETIMES.signatureSeconds * SECOND)
  })

  it('what a payment waits for is reported while it is waited for', () => {
    const { triggerLooksEveryMs, triggerSilentMs, triggerEndsWithinMs } = COMMAND_TIMING
    assert.ok(triggerLooksEveryMs < triggerSilentMs)
    assert.ok(triggerSilentMs < triggerEndsWithinMs)
  })
})
