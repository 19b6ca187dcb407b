import type { CheckoutState } from '../../domain/hosted/checkout.ts'
import type { MerchantId, PaymentId, PaymentKey } from '../../domain/ids.ts'
import type { MetadataEntry } from '../../domain/payments/payment.ts'
import type { PaymentState } from '../../domain/payments/payment-state.ts'
import type { Db } from '../engine/database.ts'
import { LISTED } from '../engine/listed.ts'

/** Payment pages and checkouts that people made by hand. */
type NewLink = {
  readonly merchantId: MerchantId
  readonly id: PaymentId
  readonly kind: 'PAGE' | 'CHECKOUT'
  readonly key: PaymentKey
  readonly createdAt: number
  readonly expiresAt: number
  readonly userId: number
  readonly amount?: string
  readonly currency?: string
  readonly country?: string
  readonly reason?: string
  readonly reference?: string
}

/** With what came of it. */
export type PaymentLink = {
  readonly id: PaymentId
  readonly kind: 'PAGE' | 'CHECKOUT'
  readonly key: PaymentKey
  readonly createdAt: number
  readonly expiresAt: number
  readonly creator: string
  readonly amount: string | null
  readonly currency: string | null
  readonly country: string | null
  readonly reason: string | null
  readonly reference: string | null
  /** As long as its session is kept, or where it was paid. */
  readonly metadata: readonly MetadataEntry[] | null
  readonly checkoutState: CheckoutState | null
  /** The deposit: of a checkout the latest attempt. */
  readonly depositId: PaymentId | null
  readonly depositState: PaymentState | null
}

/** False where there is one of that name: a form that was sent twice. */
export async function insertLink(tx: Db, link: NewLink): Promise<boolean> {
  const rows = await tx.query(
    `insert into payment_links (merchant_id, id, kind, key, created_at, expires_at, created_by,
       amount, currency, country, reason, reference)
     values ($1, $2, $3, $4, to_timestamp($5::float8 / 1000), to_timestamp($6::float8 / 1000), $7,
       $8, $9, $10, $11, $12)
     on conflict (merchant_id, id) do nothing returning 1`,
    [
      link.merchantId,
      link.id,
      link.kind,
      link.key,
      link.createdAt,
      link.expiresAt,
      link.userId,
      link.amount ?? null,
      link.currency ?? null,
      link.country ?? null,
      link.reason ?? null,
      link.reference ?? null,
    ],
  )
  return rows.length === 1
}

const SELECT = `
  select l.id, l.kind, l.key, l.amount, l.currency, l.country, l.reason, l.reference,
    (extract(epoch from l.created_at) * 1000)::float8 as "createdAt",
    (extract(epoch from coalesce(c.ended_at, l.expires_at)) * 1000)::float8 as "expiresAt",
    coalesce(nullif(u.name, ''), u.email) as creator, c.state as "checkoutState",
    p.id as "depositId", p.state as "depositState",
    coalesce(c.terms->'metadata', s.terms->'metadata', p.details->'metadata') as metadata
  from payment_links l
  join users u on u.user_id = l.created_by
  left join checkouts c on l.kind = 'CHECKOUT' and c.merchant_id = l.merchant_id and c.id = l.id
  left join page_sessions s on l.kind = 'PAGE' and s.merchant_id = l.merchant_id and s.key = l.key
  left join payments p on p.merchant_id = l.merchant_id and p.kind = 'deposit'
    and p.id = case when l.kind = 'PAGE' then l.id else coalesce(c.paid_attempt, c.latest_attempt) end`

/** A link for any country belongs to those who see all countries. */
const SEEN = `($2::text[] = '{}' or l.country = any($2::text[]))`

export async function findLink(
  db: Db,
  merchantId: MerchantId,
  countries: readonly string[],
  id: PaymentId,
): Promise<PaymentLink | undefined> {
  const [link] = await db.query<PaymentLink>(
    `${SELECT} where l.merchant_id = $1 and ${SEEN} and l.id = $3`,
    [merchantId, countries, id],
  )
  return link
}

/** Newest first. */
export async function listLinks(
  db: Db,
  merchantId: MerchantId,
  countries: readonly string[],
  after: PaymentKey | undefined,
  limit: number,
): Promise<readonly PaymentLink[]> {
  return db.query<PaymentLink>(
    `${SELECT} where l.merchant_id = $1 and ${SEEN} and ${LISTED('l')}
       and ($3::uuid is null or l.key < $3)
     order by l.key desc limit $4`,
    [merchantId, countries, after ?? null, limit],
  )
}
