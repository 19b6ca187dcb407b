import type { Breaker } from '../domain/callbacks/breaker.ts'
import type { MerchantId } from '../domain/ids.ts'
import { claimCallbacks, type OwedCallback } from '../store/callbacks/callbacks.ts'
import { targetOf } from '../usecases/callbacks/callback-target.ts'
import type { CallbackContext } from '../usecases/callbacks/context.ts'
import type { Log } from '../usecases/context.ts'
import { createCallbackDelivery } from './callback-delivery.ts'
import { createHeldCallbacks } from './held-callbacks.ts'
import { createLaneTraffic } from './lane-traffic.ts'
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
  deliversAtOnce(merchantId: MerchantId, url: string): boolean
  breakerOf(merchantId: MerchantId, url: string): Breaker
  openBreakers(): number
  /** Everything held is dropped: the node holds nothing under its former name. */
  forget(): void
  stop(): Promise<void>
}

const CLAIM_MAX = 1000

export function createCallbackRunner(
  ctx: CallbackContext,
  log: Log,
  trouble: Trouble,
): CallbackRunner {
  const { now } = ctx.clock
  const isStopped = (): boolean => stopped
  const held = createHeldCallbacks(ctx, log, trouble)
  const { deliver, waitsMs } = createCallbackDelivery(ctx, held, isStopped)
  const traffic = createLaneTraffic({
    now,
    backAtLeastMs: ctx.timing.claimEveryMs,
    backAtMostMs: ctx.timing.callbackBackMs,
    log,
    held,
    deliver,
    isStopped,
    goesAgain: (owed) => void place(owed),
  })
  let placing = 0
  let stopped = false

  /** Finds the lane by the settings of this moment. */
  async function place(owed: OwedCallback): Promise<void> {
    const startedIn = held.epoch()
    placing += 1
    try {
      const target = await targetOf(ctx, owed)
      if (startedIn !== held.epoch()) return
      // Callbacks of one payment take turns.
      const waits = waitsMs(owed)
      if (waits === undefined) traffic.enter(owed, target)
      else held.giveBack(owed, now() + waits)
    } catch (error) {
      held.failed(owed, error, startedIn)
    } finally {
      placing -= 1
    }
  }

  return {
    take: (owed) => {
      held.add(1)
      void place(owed)
    },
    room: held.room,
    claim: async () => {
      const count = Math.min(held.room(), CLAIM_MAX)
      if (count <= 0 || stopped) return 0
      const startedIn = held.epoch()
      const claimed = await claimCallbacks(ctx.db, ctx.node.id(), now(), count)
      if (startedIn !== held.epoch()) return 0
      held.add(claimed.length)
      for (const owed of claimed) void place(owed)
      return claimed.length
    },
    waiting: held.count,
    deliversAtOnce: traffic.deliversAtOnce,
    breakerOf: traffic.breakerOf,
    openBreakers: traffic.openBreakers,
    forget: () => {
      held.forget()
      traffic.drain()
    },
    stop: async () => {
      stopped = true
      await settled(() => placing === 0 && traffic.delivering() === 0, ctx.timing.settleWithinMs)
      await held.giveBackAll(traffic.drain())
    },
  }
}
