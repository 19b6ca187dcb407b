import type { SubjectState } from '../domain/callbacks/callback-subject.ts'
import type { PaymentKey } from '../domain/ids.ts'
import type { OwedCallback } from '../store/callbacks/callbacks.ts'
import {
  type CallbackTarget,
  targetOf,
  waitsForPause,
} from '../usecases/callbacks/callback-target.ts'
import type { CallbackContext } from '../usecases/callbacks/context.ts'
import { deliverCallback } from '../usecases/callbacks/deliver-callback.ts'
import type { HeldCallbacks } from './held-callbacks.ts'

/** One delivery after the other for each payment; those of different payments run side by side. */
export type CallbackDelivery = {
  /** Answers the callback when it must go out again at once. It throws nothing. */
  deliver(owed: OwedCallback, progress: DeliveryProgress): Promise<OwedCallback | undefined>
  /** How long one has to wait for another of its payment; undefined where none is under way. */
  waitsMs(owed: OwedCallback): number | undefined
}

/** What the lane gets to know on the way. */
type DeliveryProgress = {
  /** The receiver is done with it; what came of it is still to be written. */
  acknowledged(): void
  attempted(target: CallbackTarget, isDelivered: boolean): void
}

export function createCallbackDelivery(
  ctx: CallbackContext,
  held: HeldCallbacks,
  isStopped: () => boolean,
): CallbackDelivery {
  const { now } = ctx.clock
  const { callbackBackMs, callbackTurnMs } = ctx.timing
  const underWay = new Map<PaymentKey, SubjectState>()

  async function attempt(
    owed: OwedCallback,
    startedIn: number,
    { acknowledged, attempted }: DeliveryProgress,
  ): Promise<OwedCallback | undefined> {
    const isOutdated = (): boolean => startedIn !== held.epoch()
    const target = await targetOf(ctx, owed)
    if (isOutdated()) return undefined
    if (waitsForPause(owed, target)) {
      held.giveBack(owed, undefined)
      return undefined
    }
    const hooks = { isStopped, acknowledged }
    const delivered = await deliverCallback(ctx, owed, target, hooks)
    const { isSent, isDelivered, isOurFault, again } = delivered
    if (!isSent) {
      if (!isOutdated()) held.giveBack(owed, now() + callbackTurnMs)
      return undefined
    }
    if (!isOurFault) attempted(target, isDelivered)
    if (isOutdated()) return undefined
    if (again === undefined) held.remove()
    return again
  }

  return {
    deliver: async (owed, progress) => {
      const { key } = owed.subject
      // Two callbacks of one payment may have waited in the lane, one behind the other.
      if (underWay.has(key)) {
        held.giveBack(owed, now() + callbackTurnMs)
        return undefined
      }
      const startedIn = held.epoch()
      underWay.set(key, owed.state)
      try {
        return await attempt(owed, startedIn, progress)
      } catch (error) {
        held.failed(owed, error, startedIn)
        return undefined
      } finally {
        underWay.delete(key)
      }
    },
    waitsMs: (owed) => {
      const state = underWay.get(owed.subject.key)
      if (state === undefined) return undefined
      // An attempt at this very one was begun before this node joined again: it goes on, and its
      // end says what is next.
      return state === owed.state ? callbackBackMs : callbackTurnMs
    },
  }
}
