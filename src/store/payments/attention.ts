import { UNSENT } from '../../domain/callbacks/replay.ts'
import type { MerchantId, PaymentId } from '../../domain/ids.ts'
import { type PaymentKind, STUCK_STATES } from '../../domain/payments/payment-state.ts'
import { inCountries } from '../callbacks/in-countries.ts'
import type { Db } from '../engine/database.ts'
import { sqlList } from '../engine/sql-list.ts'

/** What of a merchant waits, hangs or went wrong, so that somebody looks at it. */
export type Attention = {
  readonly merchantId: MerchantId
  /** Undefined: all. */
  readonly countries: readonly string[] | undefined
}

export type OpenCount = {
  readonly kind: PaymentKind
  readonly state: (typeof STUCK_STATES)[number]
  readonly payments: number
}

/** Open payments are few, and have an index of their own. */
export async function countStuck(
  db: Db,
  { merchantId, countries }: Attention,
): Promise<readonly OpenCount[]> {
  return db.query<OpenCount>(
    `select kind, state, count(*)::float8 as payments from payments
     where merchant_id = $1 and due_at is not null and state in (${sqlList(STUCK_STATES)})
       and ($2::text[] is null or country = any($2))
     group by 1, 2 order by 1, 2`,
    [merchantId, countries ?? null],
    'count-stuck',
  )
}

export type Contradiction = { readonly kind: PaymentKind; readonly id: PaymentId }

/** Payments about which the operator says something else by now, oldest first. */
export async function listContradictions(
  db: Db,
  { merchantId, countries }: Attention,
  limit: number,
): Promise<readonly Contradiction[]> {
  return db.query<Contradiction>(
    `select c.kind, c.payment_id as id from cases c
     join payments p on p.merchant_id = c.merchant_id and p.kind = c.kind and p.id = c.payment_id
     where c.closed_at is null and c.cause = 'CONTRADICTION' and c.merchant_id = $1
       and ($2::text[] is null or p.country = any($2))
     order by c.opened_at limit $3`,
    [merchantId, countries ?? null, limit],
    'list-contradictions',
  )
}

/** Callbacks that were not delivered and are not tried any more. */
export async function countFailedCallbacks(
  db: Db,
  { merchantId, countries }: Attention,
): Promise<number> {
  const [row] = await db.query<{ callbacks: number }>(
    `select count(*)::float8 as callbacks from callbacks c
     where c.merchant_id = $1 and c.status in (${sqlList(UNSENT)}) and ${inCountries('$2')}`,
    [merchantId, countries ?? null],
    'count-failed-callbacks',
  )
  return row?.callbacks ?? 0
}
