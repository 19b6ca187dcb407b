import {
  afterAttempt,
  type Breaker,
  deferMs,
  isOpen,
  placesOf,
  TRUSTED,
  UNDER_WAY_MANY,
} from '../domain/callbacks/breaker.ts'
import type { MerchantId } from '../domain/ids.ts'
import type { OwedCallback } from '../store/callbacks/callbacks.ts'
import type { CallbackTarget } from '../usecases/callbacks/callback-target.ts'
import type { Log } from '../usecases/context.ts'
import type { CallbackDelivery } from './callback-delivery.ts'
import type { HeldCallbacks } from './held-callbacks.ts'
import { createLanes, type Lane, paceAfter } from './lanes.ts'

/** Which callback of a lane goes out now, which waits in memory, and which in the database. */
type LaneTraffic = {
  enter(owed: OwedCallback, target: CallbackTarget): void
  /** Deliveries under way. */
  delivering(): number
  /** The endpoint is healthy, and few callbacks wait for it. */
  deliversAtOnce(merchantId: MerchantId, url: string): boolean
  breakerOf(merchantId: MerchantId, url: string): Breaker
  openBreakers(): number
  /** Empties the lanes; what is under way goes on. */
  drain(): readonly OwedCallback[]
}

type LaneTrafficOptions = {
  readonly now: () => number
  /** What finds no place comes back from the database between these two. */
  readonly backAtLeastMs: number
  readonly backAtMostMs: number
  readonly log: Log
  readonly held: HeldCallbacks
  readonly deliver: CallbackDelivery['deliver']
  readonly isStopped: () => boolean
  /** It must go out again at once, perhaps to another address. */
  readonly goesAgain: (owed: OwedCallback) => void
}

const LANE_WAITING_MAX = 4000
/** One lane may wait in memory with this part of the room that is left, so there is always some. */
const LANE_SHARE = 1 / 4
const OPEN_LANE_WAITING_MAX = 64
/** With more waiting, a callback is stored before it is sent: it may take a while. */
const AT_ONCE_WAITING_MAX = 1000

export function createLaneTraffic(options: LaneTrafficOptions): LaneTraffic {
  const { now, log, held, isStopped } = options
  const lanes = createLanes(now)
  let delivering = 0

  /** One delivery; it leaves its place in the lane to the next as soon as the receiver is done. */
  async function drive(lane: Lane, owed: OwedCallback): Promise<void> {
    let isInLane = true
    const leaveLane = (): void => {
      if (!isInLane) return
      isInLane = false
      lane.running -= 1
      fill(lane)
    }
    lane.running += 1
    delivering += 1
    const again = await options.deliver(owed, {
      acknowledged: () => {
        // With so many, it keeps its place until it is recorded.
        if (delivering < UNDER_WAY_MANY) leaveLane()
      },
      // The address may have changed while the callback waited in the lane of the former one.
      attempted: (target, isDelivered) => learn(lanes.of(target), isDelivered),
    })
    delivering -= 1
    leaveLane()
    if (again !== undefined) options.goesAgain(again)
    lanes.leave(lane)
  }

  function fill(lane: Lane): void {
    while (!isStopped() && lane.running < placesOf(lane.breaker, delivering)) {
      const next = lane.queue.shift()
      if (next === undefined) break
      void drive(lane, next)
    }
    if (lane.queue.length === 0 && !isOpen(lane.breaker)) lane.deferred = 0
  }

  /** Adapts the lane to how the endpoint behaves. */
  function learn(lane: Lane, isDelivered: boolean): void {
    const before = lane.breaker
    lane.breaker = afterAttempt(before, isDelivered, now())
    lane.triedAt = now()
    if (isDelivered) lane.pace = paceAfter(lane.pace, lane.triedAt)
    if (isOpen(lane.breaker) && !isOpen(before)) {
      log.warn(lane.facts, 'an endpoint keeps failing; it is tried by one attempt at a time')
      for (const owed of lane.queue.splice(OPEN_LANE_WAITING_MAX)) defer(lane, owed)
    }
    if (!isOpen(lane.breaker) && isOpen(before)) {
      log.info(lane.facts, 'an endpoint that kept failing answers again')
      lane.deferred = 0
    }
    fill(lane)
    lanes.leave(lane)
  }

  function defer(lane: Lane, owed: OwedCallback): void {
    const afterMs = isOpen(lane.breaker) ? deferMs(lane.deferred) : turnComesMs(lane, options)
    lane.deferred += 1
    held.giveBack(owed, now() + afterMs)
  }

  return {
    enter: (owed, target) => {
      const lane = lanes.of(target)
      if (lane.running < placesOf(lane.breaker, delivering) && !isStopped()) void drive(lane, owed)
      else if (lane.queue.length < waitingMax(lane, held.room())) lane.queue.push(owed)
      else defer(lane, owed)
    },
    delivering: () => delivering,
    deliversAtOnce: (merchantId, url) => {
      const lane = lanes.find(merchantId, url)
      if (lane === undefined) return true
      return lane.breaker.failures === 0 && lane.queue.length < AT_ONCE_WAITING_MAX
    },
    breakerOf: (merchantId, url) => lanes.find(merchantId, url)?.breaker ?? TRUSTED,
    openBreakers: () => lanes.all().filter((lane) => isOpen(lane.breaker)).length,
    drain: () => lanes.all().flatMap((lane) => lane.queue.splice(0)),
  }
}

/** A healthy endpoint gets it when those before it have been delivered, at the present pace. */
export function turnComesMs(
  { queue, deferred, pace }: Lane,
  { backAtLeastMs, backAtMostMs }: Pick<LaneTrafficOptions, 'backAtLeastMs' | 'backAtMostMs'>,
): number {
  const ahead = queue.length + deferred
  return Math.min(backAtMostMs, Math.max(backAtLeastMs, ahead / pace.perMs))
}

function waitingMax(lane: Lane, room: number): number {
  if (isOpen(lane.breaker)) return OPEN_LANE_WAITING_MAX
  return Math.min(LANE_WAITING_MAX, room * LANE_SHARE)
}
