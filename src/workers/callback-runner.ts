import { CALLBACK_KIND_OF } from '../domain/merchant.ts'
import {
  type CallbackRelease,
  claimCallbacks,
  type OwedCallback,
  releaseCallbacks,
} from '../store/callbacks.ts'
import type { Context, Log } from '../usecases/context.ts'
import { deliverCallback } from '../usecases/deliver-callback.ts'
import { createAlarm } from './alarm.ts'
import { createDueQueue } from './due-queue.ts'
import type { Trouble } from './trouble.ts'

/**
 * Delivers callbacks in lanes, one for each endpoint, so that a receiver that hangs fills its own
 * lane and nobody else's. What a lane cannot hold goes back to the database for a while.
 */
export type CallbackRunner = {
  take(owed: OwedCallback): void
  room(): number
  claim(): Promise<number>
  wake(): void
  waiting(): number
  forget(): void
  stop(): Promise<void>
}

type Lane = { running: number; readonly queue: OwedCallback[] }

const HELD_MAX = 20_000
const CLAIM_MAX = 1000
const LANE_RUNNING_MAX = 64
const LANE_WAITING_MAX = 4000
const BACK_AFTER_MS = 10_000
const RETRY_AFTER_BUG_MS = 30_000

export function createCallbackRunner(ctx: Context, log: Log, trouble: Trouble): CallbackRunner {
  const { now } = ctx.clock
  const later = createDueQueue<OwedCallback>()
  const lanes = new Map<string, Lane>()
  let held = 0
  let epoch = 0
  let stopped = false
  const alarm = createAlarm(now, () => pump())

  function pump(): void {
    if (stopped) return
    for (let owed = later.takeDue(now()); owed !== undefined; owed = later.takeDue(now())) {
      enter(owed)
    }
    alarm.setFor(later.nextAt())
  }

  function enter(owed: OwedCallback): void {
    const name = `${owed.payment.merchantId}/${CALLBACK_KIND_OF[owed.payment.kind]}`
    const lane = lanes.get(name) ?? { running: 0, queue: [] }
    lanes.set(name, lane)
    if (lane.running < LANE_RUNNING_MAX) void drive(lane, name, owed)
    else if (lane.queue.length < LANE_WAITING_MAX) lane.queue.push(owed)
    else void giveBack([{ owed, dueAt: now() + BACK_AFTER_MS }])
  }

  /** Goes on with the lane's queue until it is empty. */
  async function drive(lane: Lane, name: string, first: OwedCallback): Promise<void> {
    lane.running += 1
    let owed: OwedCallback | undefined = first
    while (owed !== undefined) {
      await deliver(owed, epoch)
      owed = stopped ? undefined : lane.queue.shift()
    }
    lane.running -= 1
    if (lane.running === 0 && lane.queue.length === 0) lanes.delete(name)
  }

  async function deliver(owed: OwedCallback, startedIn: number): Promise<void> {
    try {
      const next = await deliverCallback(ctx, owed)
      if (startedIn !== epoch) return
      if (next === undefined) held -= 1
      else keep(next.owed, next.at)
    } catch (error) {
      if (trouble.isOutage(error)) trouble.report(error)
      else if (startedIn === epoch) {
        log.error({ err: error, paymentKey: owed.payment.key }, 'a callback step failed')
        keep(owed, now() + RETRY_AFTER_BUG_MS)
      }
    }
  }

  function keep(owed: OwedCallback, at: number): void {
    later.add(owed, at)
    alarm.setFor(at)
  }

  async function giveBack(items: readonly CallbackRelease[]): Promise<void> {
    held -= items.length
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
    wake: () => {
      // The clock may have been moved: the alarm was set by the old one.
      alarm.stop()
      pump()
    },
    waiting: () => held,
    forget: () => {
      epoch += 1
      later.drain()
      for (const lane of lanes.values()) lane.queue.length = 0
      held = 0
    },
    stop: async () => {
      stopped = true
      alarm.stop()
      const deadline = performance.now() + 3000
      const busy = (): boolean => [...lanes.values()].some((lane) => lane.running > 0)
      while (busy() && performance.now() < deadline) await sleep(10)
      const queued = [...lanes.values()].flatMap((lane) => lane.queue)
      const rest = [
        ...queued.map((owed) => ({ owed, dueAt: now() })),
        ...later.drain().map(({ item, at }) => ({ owed: item, dueAt: at })),
      ]
      if (rest.length > 0) await giveBack(rest)
    },
  }
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
