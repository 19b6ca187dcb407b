import type { MerchantId } from '../../domain/ids.ts'
import { LIMITS } from '../../domain/timing.ts'
import { settleNotesOf } from '../callbacks/sendings.ts'
import type { Db } from '../engine/database.ts'

/** Sandbox only: forgets everything that happened to a merchant; its settings stay. */
export async function wipeMerchant(tx: Db, merchantId: MerchantId): Promise<void> {
  // No payment of anybody moves meanwhile: a payment half wiped would leave the books out of order.
  // Nor does a callback: group writes lock their rows in an order of their own.
  await tx.query('lock table payments, accounts, callbacks in exclusive mode')
  // An order that asks a phone holds its row until the question is written; with the row free, one
  // that is being sent either finds its payment or reaches nobody.
  await tx.query('delete from sandbox_phones where merchant_id = $1', [merchantId])
  await tx.query('lock table sandbox_orders in exclusive mode')
  const tables = [
    'payments',
    'payment_hours',
    'counted_hours',
    'payment_terms',
    'payment_combinations',
    'split_payments',
    'checkouts',
    'page_sessions',
    'payment_links',
    'bulk_payout_rows',
    'bulk_payouts',
    'cases',
    'statements',
    'statement_pieces',
    'exports',
    'export_pieces',
    'account_days',
    'account_day_types',
    'payment_events',
    'callbacks',
    'callback_attempts',
    'callback_replays',
    'operator_exchanges',
    'sandbox_orders',
    'sandbox_approvals',
    'sandbox_codes',
    'provider_health_history',
    'legacy_usage',
    'signature_checks',
    'transfers',
    'archived_years',
    'archived_sums',
    'accounts',
  ] as const
  for (const table of tables) {
    await tx.query(`delete from ${table} where merchant_id = $1`, [merchantId])
  }
  await settleNotesOf(tx, merchantId)
}

/** What waits for a time: while a merchant has any of it, time must not go back for it. */
const WAITING = [
  'payments where due_at is not null',
  'callbacks where due_at is not null',
  'callbacks_in_hand where true',
  'checkouts where due_at is not null',
  'callback_replays where due_at is not null',
  'statements where due_at is not null',
  'bulk_payouts where due_at is not null',
  'exports where due_at is not null',
  'page_sessions where expires_at > to_timestamp($2::float8 / 1000)',
  'sandbox_orders where notify_at is not null',
  // What is new must not be dated into a year that is closed.
  `archived_years where make_timestamptz(year + 1, 1, 1, 0, 0, 0, 'UTC') > to_timestamp($2::float8 / 1000)`,
] as const

/** Whether a merchant other than this one has something that waits for a time after `now`. */
export async function othersAreWaiting(
  tx: Db,
  merchantId: MerchantId,
  now: number,
): Promise<boolean> {
  const found = WAITING.map((rows) => `exists (select from ${rows} and merchant_id <> $1)`)
  const [row] = await tx.query<{ waiting: boolean }>(`select ${found.join('\n or ')} as waiting`, [
    merchantId,
    now,
  ])
  return row?.waiting ?? false
}

/**
 * An endpoint that was paused by a clock ahead of `now` is taken as paused now, not later. Operator
 * accounts that rest are tried, and balances read, as soon as now; attempts that were waited for are over.
 */
export async function datePausesBack(tx: Db, now: number): Promise<void> {
  await tx.query(
    `update operator_breakers set trial_at = to_timestamp($1::float8 / 1000)
     where closed_at is null and trial_at < 'infinity' and since > to_timestamp($1::float8 / 1000)`,
    [now],
  )
  await tx.query(
    `update operator_readings set due_at = to_timestamp($1::float8 / 1000)
     where due_at > to_timestamp($1::float8 / 1000)`,
    [now],
  )
  await tx.query(
    `update callback_urls set paused_at = to_timestamp($1::float8 / 1000)
     where paused_at > to_timestamp($1::float8 / 1000)`,
    [now],
  )
  await tx.query(
    `update callbacks set under_way_until = null
     where under_way_until > to_timestamp($1::float8 / 1000)`,
    [now + LIMITS.attemptOverMs],
  )
}
