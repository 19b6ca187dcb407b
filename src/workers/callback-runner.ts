import {
  afterAttempt,
  type Breaker,
  deferMs,
  isOpen,
  TRUSTED,
} from '../domain/callbacks/breaker.ts'
import type { SubjectState } from '../domain/callbacks/callback-subject.ts'
import type { MerchantId, PaymentKey } from '../domain/ids.ts'
import { claimCallbacks, type OwedCallback } from '../store/callbacks/callbacks.ts'
import {
  type CallbackTarget,
  targetOf,
  waitsForPause,
} from '../usecases/callbacks/callback-target.ts'
import { deliverCallback } from '../usecases/callbacks/deliver-callback.ts'
import type { Context, Log } from '../usecases/context.ts'
import { createLanes, type Lane } from './lanes.ts'
import { settled } from './settled.ts'
import type { Trouble } from './trouble.ts'

/**
 * Delivers callbacks in lanes, one for each endpoint, so that a receiver that hangs fills its own
 * lane and nobody else's. What a lane cannot hold goes back to the database for a while.
 */
export type CallbackRunner = {
  take(owed: OwedCallback): void
  room(): number
  /** Claims what is due in the database and held by nobody; answers how many came. */
  claim(): Promise<number>
  /** Callbacks this node holds. */
  waiting(): number
  breakerOf(merchantId: MerchantId, url: string): Breaker
  openBreakers(): number
  /** Everything held is dropped: the node holds nothing under its former name. */
  forget(): void
  stop(): Promise<void>
}

const HELD_MAX = 20_000
const CLAIM_MAX = 1000
const LANE_WAITING_MAX = 4000
/** One lane may wait in memory with this part of the room that is left, so there is always some. */
const LANE_SHARE = 1 / 4
const OPEN_LANE_WAITING_MAX = 64
/** With so many under way, what is acknowledged keeps its place in the lane until it is recorded. */
const DELIVERING_MAX = 2000
const BACK_AFTER_MS = 10_000
const TURN_AFTER_MS = 100
const RETRY_AFTER_BUG_MS = 30_000

export function createCallbackRunner(ctx: Context, log: Log, trouble: Trouble): CallbackRunner {
  const { now } = ctx.clock
  const lanes = createLanes(now)
  const underWay = new Map<PaymentKey, SubjectState>()
  let held = 0
  let placing = 0
  let delivering = 0
  let epoch = 0
  let stopped = false

  const room = (): number => HELD_MAX - held
  const isStopped = (): boolean => stopped

  /** Finds the lane by the settings of this moment. */
  async function place(owed: OwedCallback): Promise<void> {
    const startedIn = epoch
    placing += 1
    try {
      const target = await targetOf(ctx, owed)
      if (startedIn === epoch) enter(owed, target)
    } catch (error) {
      await onStepError(owed, error, startedIn)
    } finally {
      placing -= 1
    }
  }

  function enter(owed: OwedCallback, target: CallbackTarget): void {
    const told = underWay.get(owed.subject.key)
    if (told !== undefined) {
      // Callbacks of one payment take turns. An attempt at this very one was begun before this node
      // joined again: it goes on, and its end says what is next.
      return void giveBack(owed, now() + (told === owed.state ? BACK_AFTER_MS : TURN_AFTER_MS))
    }
    const lane = lanes.of(target)
    if (lane.running < lane.breaker.limit && !stopped) void drive(lane, owed)
    else if (lane.queue.length < waitingMax(lane)) lane.queue.push(owed)
    else defer(lane, owed)
  }

  function waitingMax(lane: Lane): number {
    if (isOpen(lane.breaker)) return OPEN_LANE_WAITING_MAX
    return Math.min(LANE_WAITING_MAX, room() * LANE_SHARE)
  }

  function defer(lane: Lane, owed: OwedCallback): void {
    const afterMs = isOpen(lane.breaker) ? deferMs(lane.deferred) : BACK_AFTER_MS
    lane.deferred += 1
    giveBack(owed, now() + afterMs)
  }

  /** One delivery; it leaves its place in the lane to the next as soon as the receiver is done. */
  async function drive(lane: Lane, owed: OwedCallback): Promise<void> {
    let isInLane = true
    const leaveLane = (): void => {
      if (!isInLane) return
      isInLane = false
      lane.running -= 1
      goOn(lane)
    }
    const acknowledged = (): void => {
      if (delivering < DELIVERING_MAX) leaveLane()
    }
    lane.running += 1
    delivering += 1
    const again = await deliver(owed, epoch, acknowledged)
    delivering -= 1
    leaveLane()
    if (again !== undefined) void place(again)
    lanes.leave(lane)
  }

  function goOn(lane: Lane): void {
    while (!stopped && lane.running < lane.breaker.limit) {
      const next = lane.queue.shift()
      if (next === undefined) break
      void drive(lane, next)
    }
  }

  /** Answers the callback when it must go out again at once. */
  async function deliver(
    owed: OwedCallback,
    startedIn: number,
    acknowledged: () => void,
  ): Promise<OwedCallback | undefined> {
    const { key } = owed.subject
    // Two callbacks of one payment may have waited in the lane, one behind the other.
    if (underWay.has(key)) return giveBack(owed, now() + TURN_AFTER_MS)
    underWay.set(key, owed.state)
    try {
      const target = await targetOf(ctx, owed)
      if (startedIn !== epoch) return undefined
      if (waitsForPause(owed, target)) return giveBack(owed, undefined)
      const { isSent, isDelivered, again } = await deliverCallback(ctx, owed, target, {
        isStopped,
        acknowledged,
      })
      if (!isSent) return startedIn === epoch ? giveBack(owed, now() + TURN_AFTER_MS) : undefined
      // The address may have changed while the callback waited in the lane of the former one.
      learn(lanes.of(target), isDelivered)
      if (startedIn !== epoch) return undefined
      if (again === undefined) held -= 1
      return again
    } catch (error) {
      await onStepError(owed, error, startedIn)
      return undefined
    } finally {
      underWay.delete(key)
    }
  }

  /** Adapts the lane to how the endpoint behaves. */
  function learn(lane: Lane, isDelivered: boolean): void {
    const before = lane.breaker
    lane.breaker = afterAttempt(before, isDelivered, now())
    lane.triedAt = now()
    if (isOpen(lane.breaker) && !isOpen(before)) {
      log.warn(lane.facts, 'an endpoint keeps failing; it is tried by one attempt at a time')
      for (const owed of lane.queue.splice(OPEN_LANE_WAITING_MAX)) defer(lane, owed)
    }
    if (!isOpen(lane.breaker) && isOpen(before)) {
      log.info(lane.facts, 'an endpoint that kept failing answers again')
      lane.deferred = 0
    }
    goOn(lane)
    lanes.leave(lane)
  }

  async function onStepError(owed: OwedCallback, error: unknown, startedIn: number): Promise<void> {
    if (trouble.isOutage(error)) return trouble.report(error)
    if (startedIn !== epoch) return
    log.error({ err: error, paymentKey: owed.subject.key }, 'a callback step failed')
    giveBack(owed, now() + RETRY_AFTER_BUG_MS)
  }

  /** Undefined as date: the endpoint is paused, and the callback with it. */
  function giveBack(owed: OwedCallback, dueAt: number | undefined): undefined {
    held -= 1
    const released = ctx.writes.release.add({ owed, holder: ctx.node.id(), dueAt })
    released.catch((error) => trouble.report(error))
    return undefined
  }

  return {
    take: (owed) => {
      held += 1
      void place(owed)
    },
    room,
    claim: async () => {
      const count = Math.min(room(), CLAIM_MAX)
      if (count <= 0 || stopped) return 0
      const startedIn = epoch
      const claimed = await claimCallbacks(ctx.db, ctx.node.id(), now(), count)
      if (startedIn !== epoch) return 0
      held += claimed.length
      for (const owed of claimed) void place(owed)
      return claimed.length
    },
    waiting: () => held,
    breakerOf: (merchantId, url) => lanes.find(merchantId, url)?.breaker ?? TRUSTED,
    openBreakers: () => lanes.all().filter((lane) => isOpen(lane.breaker)).length,
    forget: () => {
      epoch += 1
      held = 0
      for (const lane of lanes.all()) lane.queue = []
    },
    stop: async () => {
      stopped = true
      await settled(() => placing === 0 && delivering === 0)
      const rest = lanes.all().flatMap((lane) => lane.queue.splice(0))
      const holder = ctx.node.id()
      held -= rest.length
      await Promise.all(
        rest.map((owed) => ctx.writes.release.add({ owed, holder, dueAt: now() })),
      ).catch((error) => trouble.report(error))
    },
  }
}
