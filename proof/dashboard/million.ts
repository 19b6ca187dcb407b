import type { Database } from '../../src/store/engine/database.ts'

/** Payments over this many days, up to a few hours ago. */
const DAYS = 90
const AT_ONCE = 50_000

/**
 * Payments of the first merchant that have ended, as three months of trade leave them behind: two big
 * providers, one small, one in another country; a tenth fails; rare amounts, codes and sources.
 */
export async function writePayments(
  database: Database,
  count: number,
  onProgress: (written: number) => void,
): Promise<void> {
  const firstMs = Date.now() - (DAYS * 24 + 3) * 3_600_000
  const stepMs = (DAYS * 86_400_000) / count
  for (let from = 1; from <= count; from += AT_ONCE) {
    const to = Math.min(count, from + AT_ONCE - 1)
    await database.inLongTransaction((tx) => tx.query(PAYMENTS, [from, to, firstMs, stepMs]))
    onProgress(to)
  }
}

const PAYMENTS = `
insert into payments (merchant_id, kind, id, key, generation, created_at, amount, currency, country,
  provider, phone_number, details, state, holder, due_at, submitted_at, provider_reference,
  provider_transaction_id, failure_code, failure_message, ended_at)
select 1, case when i % 5 = 4 then 'payout' else 'deposit' end, gen_random_uuid(),
  (lpad(to_hex(ms), 12, '0') || '7' || substr(md5(i::text), 1, 3) || '8'
    || substr(md5(i::text), 4, 15))::uuid,
  'v2', to_timestamp(ms / 1000.0),
  case when i % 5000 = 7 then 100000 + i % 900000 else 10 + h % 990 end,
  case when h % 1000 = 0 then 'KES' else 'ZMW' end,
  case when h % 1000 = 0 then 'KEN' else 'ZMB' end,
  case when h % 1000 = 0 then 'MPESA_KEN' when h % 100 < 5 then 'ZAMTEL_ZMB'
    when h % 100 < 40 then 'AIRTEL_OAPI_ZMB' else 'MTN_MOMO_ZMB' end,
  '26076' || lpad((h % 200000)::text, 7, '0'),
  jsonb_build_object('clientReferenceId', 'INV-' || i, 'metadata',
    jsonb_build_array(jsonb_build_object('name', 'orderId', 'value', 'ORD-' || i, 'pii', false)))
    || case when i % 5 = 4 and h % 200 = 1 then '{"source":"BULK"}' else '{}' end::jsonb,
  case when h % 10 = 3 then 'FAILED' else 'COMPLETED' end, 0, null, to_timestamp(ms / 1000.0),
  'r' || i, 'TX' || i,
  case when h % 10 <> 3 then null when h % 5000 = 13 then 'PAYER_LIMIT_REACHED'
    when h % 20 = 3 then 'INSUFFICIENT_BALANCE' else 'PAYMENT_NOT_APPROVED' end,
  case when h % 10 = 3 then 'The payment failed.' end, to_timestamp(ms / 1000.0)
from (select i, ($3::float8 + i * $4::float8)::bigint as ms,
             ('x' || substr(md5('h' || i), 1, 7))::bit(28)::int as h
      from generate_series($1::int, $2::int) i) one`
