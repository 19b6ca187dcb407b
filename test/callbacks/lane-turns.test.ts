import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { MerchantId } from '../../src/domain/ids.ts'
import type { OwedCallback } from '../../src/store/callbacks/callbacks.ts'
import { turnComesMs } from '../../src/workers/lane-traffic.ts'
import { createLanes, paceAfter } from '../../src/workers/lanes.ts'

const BOUNDS = { backAtLeastMs: 250, backAtMostMs: 10_000 }

/** A lane that has acknowledged so many a second for two seconds, with some waiting and deferred. */
function laneOf(perSecond: number, waiting: number, deferred: number) {
  const lane = createLanes(() => 0).of({ merchantId: 1 as MerchantId, url: 'http://localhost' })
  for (let at = 1; at <= 2 * perSecond; at += 1) {
    lane.pace = paceAfter(lane.pace, 10_000 + (at * 1000) / perSecond)
  }
  const queue = Array.from({ length: waiting }, () => ({}) as OwedCallback)
  return { ...lane, queue, deferred }
}

const CASES = [
  { what: 'after those that wait', lane: laneOf(2000, 4000, 0), aboutMs: 2300 },
  { what: 'after those that were deferred before', lane: laneOf(2000, 4000, 4000), aboutMs: 4600 },
  { what: 'not before the next look at the database', lane: laneOf(2000, 100, 0), aboutMs: 250 },
  { what: 'at the latest after ten seconds', lane: laneOf(20, 4000, 0), aboutMs: 10_000 },
  { what: 'then, too, if nothing is known', lane: laneOf(0, 4000, 0), aboutMs: 10_000 },
]

for (const { what, lane, aboutMs } of CASES) {
  it(`a callback that finds no place at a healthy endpoint comes back ${what}`, () => {
    const ms = turnComesMs(lane, BOUNDS)
    assert.ok(Math.abs(ms - aboutMs) <= 0.02 * aboutMs, `${ms} ms`)
  })
}

it('leaving a lane that was forgotten changes nothing about its successor', () => {
  const lanes = createLanes(() => 0)
  const endpoint = { merchantId: 1 as MerchantId, url: 'http://localhost' }
  const first = lanes.of(endpoint)
  lanes.leave(first)
  const second = lanes.of(endpoint)
  assert.notEqual(second, first)
  lanes.leave(first)
  assert.equal(lanes.of(endpoint), second)
})
