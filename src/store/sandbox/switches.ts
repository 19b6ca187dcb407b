import type { MerchantId } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'

/** While it is set, callbacks are taken as answered with 500, and nobody is called. */
export async function setReceiverFails(db: Db, id: MerchantId, fails: boolean): Promise<void> {
  await db.query('update merchants set receiver_fails = $2 where merchant_id = $1', [id, fails])
}

/** Every provider that was switched off is on again. */
export async function openProviders(db: Db, id: MerchantId): Promise<void> {
  await db.query(
    `update provider_availability set status = 'OPERATIONAL', since = null
     where merchant_id = $1 and status <> 'OPERATIONAL'`,
    [id],
  )
}

/** The token of the demo merchant, so that it stays the same over restarts. */
export async function keepSandboxToken(db: Db, sealed: string): Promise<void> {
  await db.query('update service_state set sealed_sandbox_token = $1', [sealed])
}
