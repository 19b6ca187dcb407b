import { isSeen } from '../../domain/hosted/page-session.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import { LIMITS } from '../../domain/timing.ts'
import { findVersions, type Watched } from '../../store/cluster/changes.ts'
import type { Db } from '../../store/engine/database.ts'

/**
 * Customers wait on a page until something happens to their payment. All waiting requests of this node
 * share one query, run in short intervals while there are any; what this node itself changes wakes
 * them at once.
 */
export type ChangeWatch = {
  /** Resolves when the version is another than the known one, and at the latest after `ms`. */
  wait(watched: Watched, known: string, ms: number): Promise<void>
  /** A payment was changed by this node, or started; pages that already show it so keep waiting. */
  notify(payment: Payment): void
  /** A checkout was changed by this node without a payment. */
  notifyOf(watched: Watched): void
  /** Ends all waits: the node stops. */
  stop(): void
}

type Waiter = { readonly known: string; readonly wake: () => void }
type Place = { readonly watched: Watched; readonly waiters: Set<Waiter> }

export function createChangeWatch(db: Db): ChangeWatch {
  const places = new Map<string, Place>()
  let timer: NodeJS.Timeout | undefined
  let isAsking = false
  let isStopped = false

  async function ask(): Promise<void> {
    if (isAsking) return
    isAsking = true
    try {
      const asked = [...places.values()]
      const versions = await findVersions(
        db,
        asked.map(({ watched }) => watched),
      )
      asked.forEach(({ waiters }, at) => {
        for (const waiter of waiters) if (waiter.known !== versions[at]) waiter.wake()
      })
    } catch {
      // The database is away: the next round asks again, and every wait has a time limit.
    } finally {
      isAsking = false
    }
  }

  function wakeAll(name: string, knowsIt = (_known: string): boolean => false): void {
    for (const { known, wake } of places.get(name)?.waiters ?? []) if (!knowsIt(known)) wake()
  }

  function enter(watched: Watched, waiter: Waiter): void {
    const name = nameOf(watched)
    const place = places.get(name) ?? { watched, waiters: new Set() }
    place.waiters.add(waiter)
    places.set(name, place)
    timer ??= setInterval(() => void ask(), LIMITS.pageLooksEveryMs)
  }

  function leave(watched: Watched, waiter: Waiter): void {
    const name = nameOf(watched)
    const place = places.get(name)
    place?.waiters.delete(waiter)
    if (place?.waiters.size === 0) places.delete(name)
    if (places.size > 0) return
    clearInterval(timer)
    timer = undefined
  }

  return {
    wait: (watched, known, ms) =>
      new Promise((resolve) => {
        if (isStopped) return resolve()
        const wake = (): void => {
          clearTimeout(late)
          leave(watched, waiter)
          resolve()
        }
        const waiter = { known, wake }
        const late = setTimeout(wake, ms)
        enter(watched, waiter)
      }),
    notify: (payment) => {
      const { kind, merchantId, id, checkoutId } = payment
      if (places.size === 0 || kind !== 'deposit') return
      const knowsIt = (known: string): boolean => isSeen(known, payment)
      wakeAll(nameOf({ kind, merchantId, id }), knowsIt)
      if (checkoutId !== undefined) {
        wakeAll(nameOf({ kind: 'checkout', merchantId, id: checkoutId }), knowsIt)
      }
    },
    notifyOf: (watched) => wakeAll(nameOf(watched)),
    stop: () => {
      isStopped = true
      for (const name of [...places.keys()]) wakeAll(name)
    },
  }
}

const nameOf = ({ kind, merchantId, id }: Watched): string => `${kind}/${merchantId}/${id}`
