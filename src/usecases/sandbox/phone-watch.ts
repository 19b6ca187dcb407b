import { LIMITS } from '../../domain/timing.ts'
import type { Db } from '../../store/engine/database.ts'
import { findPhoneOrders, type PhoneKey, type PhoneOrder } from '../../store/sandbox/phones.ts'

/**
 * Lets many requests wait for changes on phones. While there are any, their phones are read
 * together by one query.
 */
export type PhoneWatch = {
  /** Answers with what `judge` accepts, or undefined after so many milliseconds. */
  until<T>(
    phone: PhoneKey,
    ms: number,
    judge: (orders: readonly PhoneOrder[]) => T | undefined,
  ): Promise<T | undefined>
}

type Waiter = {
  readonly phone: PhoneKey
  readonly name: string
  readonly see: (orders: readonly PhoneOrder[]) => void
  readonly fail: (error: unknown) => void
}

export function createPhoneWatch(db: Db): PhoneWatch {
  const waiters = new Set<Waiter>()
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    const asked = [...waiters]
    const phones = new Map(asked.map((one) => [one.name, one.phone]))
    try {
      const orders = await findPhoneOrders(db, [...phones.values()])
      const byPhone = new Map<string, PhoneOrder[]>([...phones.keys()].map((name) => [name, []]))
      for (const order of orders) byPhone.get(nameOf(order))?.push(order)
      for (const waiter of asked) waiter.see(byPhone.get(waiter.name) ?? [])
    } catch (error) {
      for (const waiter of asked) waiter.fail(error)
    }
    timer = undefined
    lookLater()
  }

  function lookLater(): void {
    if (timer !== undefined || waiters.size === 0) return
    timer = setTimeout(() => void look(), LIMITS.phoneLooksEveryMs)
  }

  return {
    until: (phone, ms, judge) =>
      new Promise((resolve, reject) => {
        const end = (finish: () => void): void => {
          clearTimeout(timeout)
          waiters.delete(waiter)
          finish()
        }
        const waiter: Waiter = {
          phone,
          name: nameOf(phone),
          see: (orders) => {
            const seen = judge(orders)
            if (seen !== undefined) end(() => resolve(seen))
          },
          fail: (error) => end(() => reject(error)),
        }
        const timeout = setTimeout(() => end(() => resolve(undefined)), ms)
        waiters.add(waiter)
        lookLater()
      }),
  }
}

const nameOf = ({ merchantId, phoneNumber }: PhoneKey): string => `${merchantId}/${phoneNumber}`
