import { type Breaker, TRUSTED } from '../domain/callbacks/breaker.ts'
import type { MerchantId } from '../domain/ids.ts'
import { LIMITS } from '../domain/timing.ts'
import type { OwedCallback } from '../store/callbacks/callbacks.ts'

/**
 * A lane is an endpoint: a merchant and an address. Not the origin, for two merchants may use one
 * platform and must not feel each other, and of one server a single path may hang.
 */
export type Lane = {
  readonly name: string
  /** For the log: the address itself may carry a secret. */
  readonly facts: { readonly merchantId: MerchantId; readonly origin: string }
  running: number
  queue: OwedCallback[]
  breaker: Breaker
  triedAt: number
  /** How many found no place since there was room for all. */
  deferred: number
  /** Acknowledged per millisecond lately, and when it was last counted. */
  pace: Pace
}

type Pace = { readonly perMs: number; readonly at: number }

/** So much of the past counts. */
const PACE_OVER_MS = 1000

export const paceAfter = ({ perMs, at }: Pace, now: number): Pace => ({
  perMs: perMs * Math.exp((at - now) / PACE_OVER_MS) + 1 / PACE_OVER_MS,
  at: now,
})

type Lanes = {
  /** The lane of an endpoint, made if there is none. */
  of(endpoint: { merchantId: MerchantId; url: string }): Lane
  find(merchantId: MerchantId, url: string): Lane | undefined
  /** Nobody works in it any more for now. */
  leave(lane: Lane): void
  all(): readonly Lane[]
}

const TIDY_EVERY = 1000

export function createLanes(now: () => number): Lanes {
  const lanes = new Map<string, Lane>()
  let made = 0
  const nameOf = (merchantId: MerchantId, url: string): string => `${merchantId} ${url}`
  const isIdle = (lane: Lane): boolean => lane.running === 0 && lane.queue.length === 0

  const forgetOld = (): void => {
    for (const lane of lanes.values()) {
      if (isIdle(lane) && lane.triedAt < now() - LIMITS.laneKeptMs) lanes.delete(lane.name)
    }
  }

  return {
    of: ({ merchantId, url }) => {
      const name = nameOf(merchantId, url)
      const known = lanes.get(name)
      if (known !== undefined) return known
      made += 1
      if (made % TIDY_EVERY === 0) forgetOld()
      const lane = newLane(name, merchantId, url)
      lanes.set(name, lane)
      return lane
    },
    find: (merchantId, url) => lanes.get(nameOf(merchantId, url)),
    leave: (lane) => {
      // What is recorded late may leave a lane that was forgotten, and made anew, meanwhile.
      if (lanes.get(lane.name) !== lane) return
      if (isIdle(lane) && lane.breaker.failures === 0) lanes.delete(lane.name)
    },
    all: () => {
      forgetOld()
      return [...lanes.values()]
    },
  }
}

function newLane(name: string, merchantId: MerchantId, url: string): Lane {
  const facts = { merchantId, origin: URL.canParse(url) ? new URL(url).origin : '' }
  const pace = { perMs: 0, at: 0 }
  return { name, facts, running: 0, queue: [], breaker: TRUSTED, triedAt: 0, deferred: 0, pace }
}
