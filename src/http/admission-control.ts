import { CONNECTIONS } from '../domain/client-timing.ts'
import type { MerchantId } from '../domain/ids.ts'
import type { PaymentContext } from '../usecases/payments/context.ts'

/** Payments that may wait to be written. */
const WAITING_MAX = 4096

/**
 * True when a new payment must be refused for now. One merchant may have as many waiting as there is
 * room left: one who floods gets a half, two get a third each, and there is always room for others.
 */
export function isOverloaded(
  { writes }: Pick<PaymentContext, 'writes'>,
  merchantId?: MerchantId,
): boolean {
  const { accept, hold, refund } = writes
  const waiting = accept.waiting() + hold.waiting() + refund.waiting()
  // No merchant can have more waiting than there are in all.
  if (waiting <= WAITING_MAX / 2) return false
  const own = [accept, hold, refund].reduce((sum, group) => sum + group.waitingOf(merchantId), 0)
  return waiting > WAITING_MAX || own > WAITING_MAX - waiting
}

/** Requests that may be under way at once. */
export const UNDER_WAY_MAX = 2048

/** Bounds what is under way, by the same rule. Callers without a known token count as one. */
export type Limiter = {
  /** False when there is no room for so much now; otherwise `leave` follows with the same amount. */
  enter(merchantId: MerchantId | undefined, amount?: number): boolean
  leave(merchantId: MerchantId | undefined, amount?: number): void
}

export function createLimiter(max: number): Limiter {
  const inside = new Map<MerchantId | undefined, number>()
  let total = 0
  return {
    enter: (merchantId, amount = 1) => {
      const own = (inside.get(merchantId) ?? 0) + amount
      if (own > max - total) return false
      inside.set(merchantId, own)
      total += amount
      return true
    },
    leave: (merchantId, amount = 1) => {
      const own = (inside.get(merchantId) ?? 0) - amount
      if (own > 0) inside.set(merchantId, own)
      else inside.delete(merchantId)
      total -= amount
    },
  }
}

/** Payments that may be initiated at once. Enough for large writes, and few enough to be quick. */
export const INITIATING_MAX = 512

/**
 * Requests run a few at a time, those that read as there are connections for, and the others wait
 * here: merchants come in turn, and each has at most as many running as there is room left.
 */
export type TurnLimiter = {
  /** Undefined where it may begin at once. `leave` follows. */
  enter(merchantId: MerchantId | undefined): Promise<void> | undefined
  leave(merchantId: MerchantId | undefined): void
}

export function createTurnLimiter(room: number): TurnLimiter {
  const inside = new Map<MerchantId | undefined, number>()
  const lines = new Map<MerchantId | undefined, (() => void)[]>()
  let total = 0

  const hasRoom = (merchantId: MerchantId | undefined): boolean =>
    (inside.get(merchantId) ?? 0) < room - total
  const add = (merchantId: MerchantId | undefined, change: 1 | -1): void => {
    total += change
    const own = (inside.get(merchantId) ?? 0) + change
    if (own === 0) inside.delete(merchantId)
    else inside.set(merchantId, own)
  }
  /** A merchant that had a turn goes to the back of the queue. */
  const letIn = (): void => {
    for (const [merchantId, line] of lines) {
      if (!hasRoom(merchantId)) continue
      lines.delete(merchantId)
      const begin = line.shift()
      if (line.length > 0) lines.set(merchantId, line)
      add(merchantId, 1)
      begin?.()
      return
    }
  }

  return {
    enter: (merchantId) => {
      const line = lines.get(merchantId)
      if (line === undefined && hasRoom(merchantId)) {
        add(merchantId, 1)
        return undefined
      }
      return new Promise((resolve) => {
        if (line === undefined) lines.set(merchantId, [resolve])
        else line.push(resolve)
      })
    },
    leave: (merchantId) => {
      add(merchantId, -1)
      letIn()
    },
  }
}

/** The node has as much to do as it can take. */
export class Overloaded extends Error {
  readonly statusCode = 503

  constructor() {
    super('The service is at its limit right now. Try again shortly.')
  }
}

/** Runs work of strangers that reads the database: customers on pages have no token. */
export type Reading = <T>(work: () => Promise<T>) => Promise<T>

/** Throws `Overloaded` where too much is waiting. */
export const readingOf =
  (requestLimiter: Limiter, readLimiter: TurnLimiter): Reading =>
  async (work) => {
    if (!requestLimiter.enter(undefined)) throw new Overloaded()
    try {
      await readLimiter.enter(undefined)
      return await work().finally(() => readLimiter.leave(undefined))
    } finally {
      requestLimiter.leave(undefined)
    }
  }

/** Pages that wait to be made. */
const MADE_LATER_MAX = 200

/**
 * Makes pages that keep the thread busy one after the other, and lets other requests come in between.
 * Throws `Overloaded` where too many wait.
 */
export function createPageQueue(): <T>(make: () => T) => Promise<T> {
  let waiting = 0
  let last: Promise<unknown> = Promise.resolve()
  return async (make) => {
    if (waiting >= MADE_LATER_MAX) throw new Overloaded()
    waiting += 1
    const turn = last.then(() => new Promise<void>((resolve) => void setImmediate(resolve)))
    const made = turn.then(make).finally(() => {
      waiting -= 1
    })
    last = made.catch(() => {})
    return made
  }
}

/**
 * A client that is refused and retries at once would keep the node busy with refusals, so refusals
 * are sent at a limited rate: a client that waits for one does not retry meanwhile. Where more wait
 * than there is room for, they are sent at once, because waiting costs memory.
 */
export type Refusals = {
  /** Undefined where it may leave at once. */
  turn(): Promise<void> | undefined
}

const REFUSED_AT_ONCE = 20
const REFUSED_WAITING_MAX = 4096

export function createRefusals(): Refusals {
  const waiting: (() => void)[] = []
  let left = REFUSED_AT_ONCE
  let timer: NodeJS.Timeout | undefined

  const letOut = (): void => {
    left = REFUSED_AT_ONCE
    if (waiting.length === 0) {
      clearInterval(timer)
      timer = undefined
      return
    }
    const out = waiting.splice(0, left)
    left -= out.length
    for (const leave of out) leave()
  }
  return {
    turn: () => {
      timer ??= setInterval(letOut, CONNECTIONS.refusalsEveryMs)
      if (waiting.length === 0 && left > 0) {
        left -= 1
        return undefined
      }
      if (waiting.length >= REFUSED_WAITING_MAX) return undefined
      return new Promise((resolve) => waiting.push(resolve))
    },
  }
}
