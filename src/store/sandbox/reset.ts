import type { MerchantId } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'

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
  // What is asked for from now on comes after the pause.
  await tx.query(
    `update callback_urls set paused_at = ${moment} where paused_at > ${late}`,
    moments,
  )
  await tx.query(`update statements set due_at = ${moment} where due_at > ${late}`, moments)
  await bringPhonesForward(tx, [moment, late], moments)
  // What customers have time for gets its whole time again, and no more.
  await tx.query(
    `update checkouts set expires_at = ${moment} + expires_after,
       due_at = case when due_at is not null then ${moment} + expires_after end
     where ended_at is null and expires_at - expires_after > ${late}`,
    moments,
  )
  await tx.query(
    `update page_sessions set expires_at = ${moment} + (expires_at - created_at),
       created_at = ${moment}
     where created_at > ${late}`,
    moments,
  )
  await tx.query(
    `update sandbox_orders o
     set received_at = ${moment},
         -- What a customer answered is told by the time of the answer.
         news_due_at = case when a.decided_at is null
           then o.news_due_at - (o.received_at - ${moment}) else o.news_due_at end
     from sandbox_orders s
     left join sandbox_approvals a on a.merchant_id = s.merchant_id and a.reference = s.reference
     where s.received_at > ${late} and o.merchant_id = s.merchant_id
       and o.reference = s.reference`,
    moments,
  )
}

/** What a phone waits for lasts as long as it would have, counted from now. */
async function bringPhonesForward(
  tx: Db,
  [moment, late]: readonly [string, string],
  moments: readonly number[],
): Promise<void> {
  await tx.query(
    `update sandbox_orders o set news_due_at = o.news_due_at - (a.decided_at - ${moment})
     from sandbox_approvals a
     where a.decided_at > ${late} and o.merchant_id = a.merchant_id and o.reference = a.reference`,
    moments,
  )
  await tx.query(
    `update sandbox_approvals set decided_at = ${moment} where decided_at > ${late}`,
    moments,
  )
  await tx.query(
    `update sandbox_approvals
     set opened_at = ${moment}, shown_at = shown_at - (opened_at - ${moment}),
         expires_at = expires_at - (opened_at - ${moment})
     where opened_at > ${late}`,
    moments,
  )
  await tx.query(
    `update sandbox_codes set made_at = ${moment}, expires_at = expires_at - (made_at - ${moment})
     where made_at > ${late}`,
    moments,
  )
}

/** Sandbox only: forgets everything that happened to a merchant; its settings stay. */
export async function wipeMerchant(tx: Db, merchantId: MerchantId): Promise<void> {
  // No payment of anybody moves meanwhile: a payment half wiped would leave the books out of order.
  // Nor does a callback: group writes lock their rows in an order of their own.
  await tx.query('lock table payments, accounts, callbacks in exclusive mode')
  const tables = [
    // First: whoever asks a phone holds its row until the question is written.
    'sandbox_phones',
    'payments',
    'split_payments',
    'checkouts',
    'page_sessions',
    'cases',
    'statements',
    'statement_pieces',
    'account_days',
    'payment_events',
    'callbacks',
    'callback_attempts',
    'callback_replays',
    'sandbox_orders',
    'sandbox_approvals',
    'sandbox_codes',
    'legacy_usage',
    'signature_checks',
    'transfers',
    'accounts',
  ] as const
  for (const table of tables) {
    await tx.query(`delete from ${table} where merchant_id = $1`, [merchantId])
  }
}
