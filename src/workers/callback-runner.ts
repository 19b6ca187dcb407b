import type { PaymentKey } from '../domain/ids.ts'
import { claimCallbacks, type OwedCallback, releaseCallbacks } from '../store/callbacks.ts'
import type { Context, Log } from '../usecases/context.ts'
import { deliverCallback } from '../usecases/deliver-callback.ts'
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
  /** Everything held is dropped: the node holds nothing under its former name. */
  forget(): void
  stop(): Promise<void>
}

type Lane = { running: number; queue: OwedCallback[] }

const HELD_MAX = 20_000
const CLAIM_MAX = 1000
const LANE_RUNNING_MAX = 64
const LANE_WAITING_MAX = 4000
const BACK_AFTER_MS = 10_000
const RETRY_AFTER_BUG_MS = 30_000

export function createCallbackRunner(ctx: Context, log: Log, trouble: Trouble): CallbackRunner {
  const { now } = ctx.clock
  const lanes = new Map<string, Lane>()
  const underWay = new Set<PaymentKey>()
  let held = 0
  let epoch = 0
  let stopped = false

  function enter(owed: OwedCallback): void {
    // Begun before this node joined again: that attempt goes on, and its end says what is next.
    if (underWay.has(owed.subject.key)) return void giveBack([owed], BACK_AFTER_MS)
    const name = `${owed.subject.merchantId}/${owed.subject.kind}`
    const lane = lanes.get(name) ?? { running: 0, queue: [] }
    lanes.set(name, lane)
    if (lane.running < LANE_RUNNING_MAX && !stopped) void drive(lane, name, owed)
    else if (lane.queue.length < LANE_WAITING_MAX) lane.queue.push(owed)
    else void giveBack([owed], BACK_AFTER_MS)
  }

  /** Goes on with the lane's queue until it is empty. */
  async function drive(lane: Lane, name: string, first: OwedCallback): Promise<void> {
    lane.running += 1
    let owed: OwedCallback | undefined = first
    while (owed !== undefined) {
      owed = (await deliver(owed, epoch)) ?? (stopped ? undefined : lane.queue.shift())
    }
    lane.running -= 1
    if (lane.running === 0 && lane.queue.length === 0) lanes.delete(name)
  }

  /** Answers the callback when it must go out again at once. */
  async function deliver(owed: OwedCallback, startedIn: number): Promise<OwedCallback | undefined> {
    const { key } = owed.subject
    underWay.add(key)
    try {
      const again = await deliverCallback(ctx, owed)
      if (startedIn !== epoch) return undefined
      if (again === undefined) held -= 1
      return again
    } catch (error) {
      if (trouble.isOutage(error)) trouble.report(error)
      else if (startedIn === epoch) {
        log.error({ err: error, paymentKey: owed.subject.key }, 'a callback step failed')
        await giveBack([owed], RETRY_AFTER_BUG_MS)
      }
      return undefined
    } finally {
      underWay.delete(key)
    }
  }

  async function giveBack(owed: readonly OwedCallback[], afterMs: number): Promise<void> {
    held -= owed.length
    const dueAt = now() + afterMs
    const items = owed.map((one) => ({ owed: one, dueAt }))
    await releaseCallbacks(ctx.db, ctx.node.id(), items).catch((error) => trouble.report(error))
  }

  const room = (): number => HELD_MAX - held

  return {
    take: (owed) => {
      held += 1
      enter(owed)
    },
    room,
    claim: async () => {
      const count = Math.min(room(), CLAIM_MAX)
      if (count <= 0 || stopped) return 0
      const startedIn = epoch
      const claimed = await claimCallbacks(ctx.db, ctx.node.id(), now(), count)
      if (startedIn !== epoch) return 0
      held += claimed.length
      for (const owed of claimed) enter(owed)
      return claimed.length
    },
    waiting: () => held,
    forget: () => {
      epoch += 1
      held = 0
      for (const lane of lanes.values()) lane.queue = []
    },
    stop: async () => {
      stopped = true
      await settled(() => [...lanes.values()].every((lane) => lane.running === 0))
      const rest = [...lanes.values()].flatMap((lane) => lane.queue)
      if (rest.length > 0) await giveBack(rest, 0)
    },
  }
}
