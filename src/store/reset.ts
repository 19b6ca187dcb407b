import type { MerchantId } from '../domain/ids.ts'
import type { Db } from './database.ts'

/**
 * Sandbox only: the test clock went back. What waits for a time after `since` would wait for real
 * time to catch up, so it is due at once; the operator counts its delay from now.
 */
export async function bringForward(tx: Db, now: number, since = now): Promise<void> {
  const [moment, late] = ['to_timestamp($1::float8 / 1000)', 'to_timestamp($2::float8 / 1000)']
  const moments = [now, since]
  await tx.query(
    `update payments set due_at = ${moment} where due_at > ${late} and due_at < 'infinity'`,
    moments,
  )
  await tx.query(
    `update callbacks set due_at = ${moment}, round_started_at = least(round_started_at, ${moment})
     where due_at > ${late}`,
    moments,
  )
  await tx.query(`update statements set due_at = ${moment} where due_at > ${late}`, moments)
  await tx.query(
    `update sandbox_orders set received_at = ${moment} where received_at > ${late}`,
    moments,
  )
}

/** Sandbox only: forgets everything that happened to a merchant; its settings stay. */
export async function wipeMerchant(tx: Db, merchantId: MerchantId): Promise<void> {
  // No payment of anybody moves meanwhile: a payment half wiped would leave the books out of order.
  // Nor does a callback: group writes lock their rows in an order of their own.
  await tx.query('lock table payments, accounts, callbacks in exclusive mode')
  const tables = [
    'payments',
    'split_payments',
    'cases',
    'statements',
    'statement_pieces',
    'account_days',
    'payment_events',
    'callbacks',
    'callback_attempts',
    'callback_replays',
    'sandbox_orders',
    'sandbox_phones',
    'legacy_usage',
    'signature_checks',
    'transfers',
    'accounts',
  ] as const
  for (const table of tables) {
    await tx.query(`delete from ${table} where merchant_id = $1`, [merchantId])
  }
}
