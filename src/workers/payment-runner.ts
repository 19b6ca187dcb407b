import type { NodeId } from '../domain/ids.ts'
import type { Payment } from '../domain/payments/payment.ts'
import { traceFacts } from '../domain/trace.ts'
import { claimPayments } from '../store/payments/payments.ts'
import type { Log } from '../usecases/context.ts'
import type { PaymentContext } from '../usecases/payments/context.ts'
import type { HeldPayment } from '../usecases/payments/held-payment.ts'
import { processPayment } from '../usecases/payments/process-payment.ts'
import { createAlarm } from './alarm.ts'
import { createBurst } from './burst.ts'
import { createHeldPayments } from './held-payments.ts'
import { settled } from './settled.ts'
import type { Trouble } from './trouble.ts'

/**
 * Takes the payments this node holds from step to step, straight from memory. Steps of many
 * payments run side by side, which is what fills the group writes.
 */
export type PaymentRunner = {
  /** One that was just accepted under this name of the node. */
  take(payment: Payment, acceptedBy: NodeId): void
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

export function createPaymentRunner(
  ctx: PaymentContext,
  log: Log,
  trouble: Trouble,
): PaymentRunner {
  const held = createHeldPayments(ctx, trouble)
  const burst = createBurst(() => isAccepting(ctx), held.lag, ctx.timing)
  const { now } = ctx.clock
  const alarm = createAlarm(now, () => pump())
  let running = 0
  let [stopped, scheduled] = [false, false]

  const room = (): number => HELD_MAX - held.size() - running

  function pump(): void {
    scheduled = false
    if (stopped) return
    void held.flush()
    // In a burst, accepting comes first; load that lasts shares the machine with what follows from it.
    const isPostponed = burst.isOn()
    while (!isPostponed && running < RUNNING_MAX) {
      const next = held.takeDue()
      if (next === undefined) break
      running += 1
      void run(next, held.epoch())
    }
    if (isPostponed) alarm.setFor(now() + ctx.timing.burstLookMs)
    else if (running < RUNNING_MAX) alarm.setFor(held.nextAt())
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
      if (startedIn === held.epoch() && next !== undefined) held.keep(next.held, next.at)
    } catch (error) {
      if (trouble.isOutage(error)) trouble.report(error)
      else if (startedIn === held.epoch()) {
        log.error({ err: error, ...factsOf(item) }, 'a payment step failed')
        held.keepInDoubt(item, now() + ctx.timing.retryAfterBugMs)
      }
    } finally {
      running -= 1
      schedule()
    }
  }

  async function claim(): Promise<number> {
    const count = Math.min(room(), CLAIM_MAX)
    // Where many are late already, what is due stays in the database: there is no use in fetching it.
    // Those that only wait, for customers who look at their phones, keep nobody from more.
    const isBehind = held.size() > CLAIM_MAX && held.lag() > 0
    if (count <= 0 || stopped || isBehind) return 0
    const startedIn = held.epoch()
    const claimed = await claimPayments(ctx.db, ctx.node.id(), ctx.node.lineage(), now(), count)
    if (startedIn !== held.epoch()) return 0
    for (const { payment, at } of inOrder(claimed, now())) held.add(payment, at)
    if (claimed.length > 0) schedule()
    return claimed.length
  }

  return {
    take: (payment, acceptedBy) => {
      held.addUnsent(payment, acceptedBy)
      schedule()
    },
    room,
    claim,
    wake: () => {
      // The clock may have been moved: the alarm was set by the old one.
      alarm.stop()
      schedule()
    },
    lag: held.lag,
    waiting: () => held.size() + running,
    forget: held.forget,
    stop: async () => {
      stopped = true
      alarm.stop()
      await settled(() => running === 0, ctx.timing.settleWithinMs)
      await held.giveBackAll()
    },
  }
}

const factsOf = ({ payment: { key, details } }: HeldPayment) => ({
  paymentKey: key,
  ...traceFacts(details.traceparent),
})

const isAccepting = ({ writes }: PaymentContext): boolean =>
  writes.accept.isBusy() || writes.hold.isBusy()

/** In the order in which they came; equal moments would come out of the queue in any order. */
const inOrder = (claimed: readonly Payment[], now: number) =>
  claimed
    .toSorted((a, b) => a.createdAt - b.createdAt)
    .map((payment, index) => ({ payment, at: now - (claimed.length - index) / CLAIM_MAX }))
