import type { Payment } from '../domain/payments/payment.ts'
import { claimPayments, type Release, releasePayments } from '../store/payments/payments.ts'
import type { Context, Log } from '../usecases/context.ts'
import { type HeldPayment, held, processPayment } from '../usecases/payments/process-payment.ts'
import { createAlarm } from './alarm.ts'
import { createDueQueue } from './due-queue.ts'
import { settled } from './settled.ts'
import type { Trouble } from './trouble.ts'

/**
 * Takes the payments this node holds from step to step, straight from memory. Steps of many
 * payments run side by side, which is what fills the group writes.
 */
export type PaymentRunner = {
  take(payment: Payment): void
  /** Room for more payments in memory. */
  room(): number
  /** Claims what is due in the database and held by nobody; answers how many came. */
  claim(): Promise<number>
  wake(): void
  /** How late the earliest waiting payment is, in milliseconds. */
  lag(): number
  waiting(): number
  /** Everything held is dropped: the node holds nothing under its former name. */
  forget(): void
  stop(): Promise<void>
}

const HELD_MAX = 20_000
const CLAIM_MAX = 1000
const RUNNING_MAX = 1024
/**
 * In a burst, accepting comes first: payments wait until no more requests come in for a moment, or
 * until the oldest has waited this long; from then on both share the machine.
 */
const PATIENCE_MS = 10_000
const LOOK_AGAIN_MS = 5
/** A payment that need not be looked at for longer than this waits in the database. */
const PARK_AFTER_MS = 60_000
const RETRY_AFTER_BUG_MS = 30_000
const RELEASE_BATCH = 1000

export function createPaymentRunner(ctx: Context, log: Log, trouble: Trouble): PaymentRunner {
  const queue = createDueQueue<HeldPayment>()
  const { now } = ctx.clock
  let running = 0
  let epoch = 0
  let stopped = false
  let scheduled = false
  let parked: Release[] = []
  const alarm = createAlarm(now, () => pump())

  const lag = (): number => Math.max(0, now() - (queue.nextAt() ?? now()))
  const mustWait = (): boolean =>
    (ctx.writes.accept.isBusy() || ctx.writes.hold.isBusy()) && lag() < PATIENCE_MS

  function pump(): void {
    scheduled = false
    if (stopped) return
    if (parked.length > 0) void flushParked()
    if (mustWait()) {
      alarm.setFor(now() + LOOK_AGAIN_MS)
      return
    }
    while (running < RUNNING_MAX) {
      const next = queue.takeDue(now())
      if (next === undefined) break
      running += 1
      void run(next, epoch)
    }
    if (running < RUNNING_MAX) alarm.setFor(queue.nextAt())
  }

  /** Work that arrives in one turn of the loop is started together, and written together. */
  function schedule(): void {
    if (scheduled || stopped) return
    scheduled = true
    setImmediate(pump)
  }

  async function run(item: HeldPayment, startedIn: number): Promise<void> {
    try {
      const next = await processPayment(ctx, item)
      if (startedIn === epoch && next !== undefined) keep(next.held, next.at)
    } catch (error) {
      if (trouble.isOutage(error)) trouble.report(error)
      else if (startedIn === epoch) {
        log.error({ err: error, paymentKey: item.payment.key }, 'a payment step failed')
        queue.add(item, now() + RETRY_AFTER_BUG_MS)
      }
    } finally {
      running -= 1
      schedule()
    }
  }

  function keep(item: HeldPayment, at: number): void {
    if (at - now() > PARK_AFTER_MS || stopped) parked.push({ payment: item.payment, dueAt: at })
    else queue.add(item, at)
  }

  async function flushParked(): Promise<void> {
    const batch = parked
    parked = []
    await release(batch)
  }

  async function release(items: readonly Release[]): Promise<void> {
    for (let start = 0; start < items.length; start += RELEASE_BATCH) {
      const batch = items.slice(start, start + RELEASE_BATCH)
      await releasePayments(ctx.db, ctx.node.id(), batch).catch((error) => trouble.report(error))
    }
  }

  const room = (): number => HELD_MAX - queue.size() - running

  return {
    take: (payment) => {
      queue.add(held(payment, now()), payment.createdAt)
      schedule()
    },
    room,
    claim: async () => {
      const count = Math.min(room(), CLAIM_MAX)
      // Saturated acceptance leaves what is due in the database; there is no use in fetching it.
      if (count <= 0 || stopped || queue.size() > CLAIM_MAX) return 0
      const startedIn = epoch
      const claimed = await claimPayments(ctx.db, ctx.node.id(), ctx.node.lineage(), now(), count)
      if (startedIn !== epoch) return 0
      // In the order in which they came; equal moments would come out of the queue in any order.
      const inOrder = claimed.toSorted((a, b) => a.createdAt - b.createdAt)
      inOrder.forEach((payment, index) => {
        queue.add(held(payment, now()), now() - (inOrder.length - index) / CLAIM_MAX)
      })
      if (claimed.length > 0) schedule()
      return claimed.length
    },
    wake: () => {
      // The clock may have been moved: the alarm was set by the old one.
      alarm.stop()
      schedule()
    },
    lag,
    waiting: () => queue.size() + running,
    forget: () => {
      epoch += 1
      queue.drain()
      parked = []
    },
    stop: async () => {
      stopped = true
      alarm.stop()
      await settled(() => running === 0)
      const rest = queue.drain().map(({ item, at }) => ({ payment: item.payment, dueAt: at }))
      await release([...parked, ...rest])
    },
  }
}
