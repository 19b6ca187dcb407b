import type { MerchantId, PaymentKey } from '../../domain/ids.ts'
import { present } from '../../domain/present.ts'
import { plain, quoted } from '../engine/columns.ts'
import type { Db } from '../engine/database.ts'
import { createGroup, type Group } from '../engine/group.ts'

/** One request to an operator about a payment, or one callback received; nothing in it is secret. */
export type KeptExchange = {
  readonly merchantId: MerchantId
  readonly paymentKey: PaymentKey
  readonly at: number
  readonly account: string
  readonly what: 'submit' | 'query' | 'callback'
  readonly request: string
  readonly httpStatus?: number
  readonly answer?: string
  readonly reason?: string
  readonly outcome?: string
  readonly durationMs: number
}

export function createExchangeGroup(db: Db): Group<KeptExchange, void> {
  return createGroup({
    write: async (items) => {
      await keepExchanges(db, items)
      return items.map(() => undefined)
    },
    maxItems: 256,
    maxInFlight: 1,
  })
}

async function keepExchanges(db: Db, items: readonly KeptExchange[]): Promise<void> {
  await db.query(
    `insert into operator_exchanges
       (merchant_id, payment_key, at, account, what, request, http_status, answer, reason, outcome,
        duration_ms)
     select merchant_id, payment_key, to_timestamp(at_ms / 1000), account, what, request,
            http_status, answer, reason, outcome, duration_ms
     from unnest($1::int[], $2::uuid[], $3::float8[], $4::text[], $5::text[], $6::text[], $7::int[],
                 $8::text[], $9::text[], $10::text[], $11::int[])
       as i (merchant_id, payment_key, at_ms, account, what, request, http_status, answer, reason,
             outcome, duration_ms)`,
    [
      plain(items, ({ merchantId }) => merchantId),
      plain(items, ({ paymentKey }) => paymentKey),
      plain(items, ({ at }) => at),
      quoted(items, ({ account }) => account),
      plain(items, ({ what }) => what),
      quoted(items, ({ request }) => request),
      plain(items, ({ httpStatus }) => httpStatus),
      quoted(items, ({ answer }) => answer),
      quoted(items, ({ reason }) => reason),
      quoted(items, ({ outcome }) => outcome),
      plain(items, ({ durationMs }) => durationMs),
    ],
    'keep-exchanges',
  )
}

export async function findExchanges(
  db: Db,
  merchantId: MerchantId,
  paymentKey: PaymentKey,
): Promise<readonly KeptExchange[]> {
  type Row = {
    at_ms: number
    account: string
    what: KeptExchange['what']
    request: string
    http_status: number | null
    answer: string | null
    reason: string | null
    outcome: string | null
    duration_ms: number
  }
  const rows = await db.query<Row>(
    `select (extract(epoch from at) * 1000)::float8 as at_ms, account, what, request, http_status,
            answer, reason, outcome, duration_ms
     from operator_exchanges where merchant_id = $1 and payment_key = $2 order by number`,
    [merchantId, paymentKey],
  )
  return rows.map((row) => ({
    merchantId,
    paymentKey,
    at: Math.round(row.at_ms),
    account: row.account,
    what: row.what,
    request: row.request,
    durationMs: row.duration_ms,
    ...present({
      httpStatus: row.http_status,
      answer: row.answer,
      reason: row.reason,
      outcome: row.outcome,
    }),
  }))
}

/** Some at a time, so that no statement takes long; mostly there are none. */
export async function removeOldExchanges(db: Db, before: number): Promise<void> {
  await db.query(
    `delete from operator_exchanges where ctid = any(array(
       select ctid from operator_exchanges where at < to_timestamp($1::float8 / 1000) limit 1000))`,
    [before],
  )
}
