import type { NodeId } from '../domain/ids.ts'
import type { Payment } from '../domain/payments/payment.ts'
import { LIMITS } from '../domain/timing.ts'
import { type Release, releasePayments } from '../store/payments/payments.ts'
import type { Context } from '../usecases/context.ts'
import { type HeldPayment, held } from '../usecases/payments/held-payment.ts'
import { routedBy } from '../usecases/payments/order.ts'
import { createDueQueue } from './due-queue.ts'
import type { Trouble } from './trouble.ts'

/** The payments that this node holds and is not working on, and those on their way back. */
type HeldPayments = {
  size(): number
  /** Changes when the node loses its name: work begun before leaves alone what is held now. */
  epoch(): number
  /** How late the earliest waiting payment is, in milliseconds. */
  lag(): number
  nextAt(): number | undefined
  takeDue(): HeldPayment | undefined
  /** One that this node has just accepted. */
  addUnsent(payment: Payment, acceptedBy: NodeId): void
  /** One that this node has just claimed. */
  add(payment: Payment, at: number): void
  /** One that is to be looked at again; where that is long hence, it waits in the database. */
  keep(item: HeldPayment, at: number): void
  /** One whose step failed: whether it was sent, nobody knows. */
  keepInDoubt(item: HeldPayment, at: number): void
  /** Writes to the database what waits there from now on. */
  flush(): Promise<void>
  /** Gives back everything when the node stops, and waits until that is written. */
  giveBackAll(): Promise<void>
  forget(): void
}

const RELEASE_BATCH = 1000

export function createHeldPayments(ctx: Context, trouble: Trouble): HeldPayments {
  const queue = createDueQueue<HeldPayment>()
  const { now } = ctx.clock
  let parked: Release[] = []
  let epoch = 0

  async function release(items: readonly Release[]): Promise<void> {
    for (let start = 0; start < items.length; start += RELEASE_BATCH) {
      const batch = items.slice(start, start + RELEASE_BATCH)
      await releasePayments(ctx.db, ctx.node.id(), batch).catch((error) => trouble.report(error))
    }
  }

  return {
    size: queue.size,
    epoch: () => epoch,
    lag: () => Math.max(0, now() - (queue.nextAt() ?? now())),
    nextAt: queue.nextAt,
    takeDue: () => queue.takeDue(now()),
    addUnsent: (payment, unsentBy) =>
      queue.add({ payment, timesAsked: 0, unsentBy }, payment.createdAt),
    add: (payment, at) => {
      queue.add(held(payment, now(), ctx.providers.routeFor(routedBy(payment))), at)
    },
    keep: (item, at) => {
      if (at - now() > LIMITS.parkAfterMs)
        parked.push({ payment: item.payment, dueAt: at, isUnsent: false })
      else queue.add(item, at)
    },
    keepInDoubt: ({ unsentBy: _, ...item }, at) => queue.add(item, at),
    flush: async () => {
      const batch = parked
      parked = []
      await release(batch)
    },
    giveBackAll: async () => {
      const name = ctx.node.id()
      const rest = queue.drain().map(({ item, at }) => ({
        payment: item.payment,
        dueAt: at,
        isUnsent: item.unsentBy === name,
      }))
      await release([...parked, ...rest])
    },
    forget: () => {
      epoch += 1
      queue.drain()
      parked = []
    },
  }
}
