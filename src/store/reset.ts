import type { MerchantId } from '../domain/ids.ts'
import type { Db } from './database.ts'

/** Sandbox only: forgets everything that happened to a merchant; its settings stay. */
export async function wipeMerchant(tx: Db, merchantId: MerchantId): Promise<void> {
  // No payment of anybody moves meanwhile: a payment half wiped would leave the books out of order.
  await tx.query('lock table payments, accounts in exclusive mode')
  const tables = [
    'payments',
    'payment_events',
    'callbacks',
    'callback_attempts',
    'sandbox_orders',
    'sandbox_phones',
    'transfers',
    'accounts',
  ] as const
  for (const table of tables) {
    await tx.query(`delete from ${table} where merchant_id = $1`, [merchantId])
  }
}
