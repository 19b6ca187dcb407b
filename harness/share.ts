import assert from 'node:assert/strict'
import type { MerchantId } from '../src/domain/ids.ts'
import { addMerchant } from './merchant.ts'
import { OPEN_CALLBACKS } from './open-callbacks.ts'
import { clientOf, eventually, type Service, startService } from './service.ts'

/**
 * A separate merchant on a service that all test files of a process share: it has every provider and
 * as much money as the demo merchant, and sees nothing of the others. Files that restart nodes, set
 * the clock back or break the database start their own service.
 */
export type SharedService = Service & { readonly merchantId: MerchantId }

/** Files that move the clock share another one, so that for all others it shows the real time. */
type Clock = 'real time' | 'moving clock'

/** The services in use; `scripts/test-process.mjs` stops them after the last file. */
export const sharedServices = new Map<Clock, Promise<Service>>()

export async function shareService(clock: Clock = 'real time'): Promise<SharedService> {
  const starting = sharedServices.get(clock) ?? startService()
  sharedServices.set(clock, starting)
  const service = await starting
  const { id, token } = await addMerchant(service, { name: 'Demo Merchant' })
  const since = service.logLines.length
  const client = clientOf(service.url, token)
  return {
    ...service,
    ...client,
    merchantId: id,
    advance: (seconds) => {
      assert.equal(clock, 'moving clock', 'use shareService("moving clock") to move the clock')
      return client.advance(seconds)
    },
    get logLines() {
      return service.logLines.slice(since)
    },
    addNode: async (settings) => {
      const node = await service.addNode(settings)
      return { ...node, ...clientOf(node.url, token) }
    },
    // Its callbacks must not reach a later file, whose receiver may get the same port.
    stop: async () => {
      await client.put('/sandbox/receiver', { fails: true })
    },
  }
}

/** Everything that a payment can leave behind, counted; callbacks also before they have a row. */
export async function counted({ database, merchantId }: SharedService): Promise<unknown> {
  const [counts] = await database.query(
    `select (select count(*) from payments where merchant_id = $1) as payments,
       (select count(*) from payment_events where merchant_id = $1) as events,
       (select count(*) from (
          select payment_key, state from callbacks where merchant_id = $1
          union select payment_key, state from callbacks_in_hand where merchant_id = $1
        ) callbacks) as callbacks,
       (select count(*) from transfers where merchant_id = $1) as transfers,
       (select sum(balance) from accounts where merchant_id = $1 and type = 'reserve') as reserved`,
    [merchantId],
  )
  return counts
}

/** Waits until no payment and no callback of this merchant has work left. */
export async function assertNoWorkLeft({ database, merchantId }: SharedService): Promise<void> {
  await eventually(async () => {
    const [left] = await database.query(
      `select
         (select count(*)::int from payments where merchant_id = $1 and due_at is not null) as payments,
         (select count(*)::int from ${OPEN_CALLBACKS} where merchant_id = $1) as callbacks`,
      [merchantId],
    )
    assert.deepEqual(left, { payments: 0, callbacks: 0 })
  })
}
