/**
 * Rows of a merchant beside which its next payments are processed: payments in every form, and what is
 * written with them. They fit nobody's books; only how much is read is of interest.
 */
type Crowd = { readonly merchantId: number; readonly size: number }

/** A plain deposit comes first. */
const ENDED = [
  `'deposit', null, null, null`,
  `'deposit', gen_random_uuid(), null, null`,
  `'deposit', null, gen_random_uuid(), null`,
  `'payout', null, null, null`,
  `'payout', gen_random_uuid(), null, null`,
  `'refund', null, null, gen_random_uuid()`,
  `'remittance', null, null, null`,
]

/**
 * Nobody has to look at them yet: a part that waits for a deposit, one in line, one whose operator will
 * report. No node holds them: one that is late on a slow machine may read all that it holds.
 */
const OPEN = [
  `'payout', 'ZAMTEL_ZMB', gen_random_uuid(), 'WAITING'`,
  `'payout', 'ZAMTEL_ZMB', null, 'ENQUEUED'`,
  `'deposit', 'MTN_MOMO_ZMB', null, 'PROCESSING'`,
]

/** What payments write to beside their own table, and what a row of it is. */
const BESIDE = {
  split_payments: `(merchant_id, id, key, generation, created_at, parts, open_parts, state)
    select $, gen_random_uuid(), gen_random_uuid(), 'v2', now(), '[]', 0, 'FAILED'`,
  checkouts: `(merchant_id, id, id_as_sent, key, code_hash, created_at, terms, expires_after,
      expires_at, state, ended_at)
    select $, gen_random_uuid(), '', gen_random_uuid(), uuid_send(gen_random_uuid()), now(), '{}',
      '1 hour', now(), 'EXPIRED', now()`,
  callbacks: `(merchant_id, payment_key, state, kind, payment_id, created_at, status, holder,
      round_started_at, tries, attempts, resend)
    select $, gen_random_uuid(), 'COMPLETED', 'deposit', gen_random_uuid(), now(), 'DELIVERED', 0,
      now(), 1, 1, false`,
  callback_attempts: `(merchant_id, payment_key, state, attempt, at, duration_ms, url)
    select $, gen_random_uuid(), 'COMPLETED', 1, now(), 1, 'http://127.0.0.1/'`,
  sandbox_orders: `(merchant_id, reference, operation, phone_number, provider, amount, currency,
      received_at, asked)
    select $, gen_random_uuid(), 'DEPOSIT', '260763456789', 'MTN_MOMO_ZMB', 100, 'ZMW', now(), 1`,
  transfers: `(merchant_id, key, cause, debit, credit, amount, at)
    select $, gen_random_uuid(), 'COMPLETED', 'one', 'other', 100, now()`,
  payment_events: `(merchant_id, payment_key, state, at)
    select $, gen_random_uuid(), 'ENQUEUED', now()`,
}

export const CROWDED = ['payments', ...Object.keys(BESIDE)]

/** The statements that make it; `size` rows of each form and table. */
export function crowd({ merchantId, size }: Crowd): readonly string[] {
  const rows = `from generate_series(1, ${size})`
  const payments = (columns: string, values: string): string => `
    insert into payments (merchant_id, id, key, generation, created_at, amount, currency, country,
      phone_number, details, ${columns})
    select ${merchantId}, gen_random_uuid(), gen_random_uuid(), 'v2', now(), 100, 'ZMW', 'ZMB',
      '260763456789', '{}', ${values} ${rows}`
  return [
    ...ENDED.map((form) =>
      payments(
        'kind, split_id, checkout_id, refund_of, provider, state, failure_code, holder, ended_at',
        `${form}, 'MTN_MOMO_ZMB', 'FAILED', 'OTHER_ERROR', 0, now()`,
      ),
    ),
    ...OPEN.map((form) =>
      payments('kind, provider, split_id, state, holder, due_at', `${form}, 0, 'infinity'`),
    ),
    ...Object.entries(BESIDE).map(
      ([table, row]) => `insert into ${table} ${row.replace('$', String(merchantId))} ${rows}`,
    ),
  ]
}

/** Of plain deposits alone. */
export const crowdOfDeposits = (of: Crowd): readonly string[] => crowd(of).slice(0, 1)
