import { keySpan } from '../../domain/callbacks/replay.ts'
import type { MerchantId } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'

/** Split payments and checkouts as lists show them, newest first. */
export type WholeFilter = {
  readonly merchantId: MerchantId
  /** The countries to which a person is limited; none: all. */
  readonly within: readonly string[]
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  readonly states?: readonly string[] | undefined
  readonly after?: string | undefined
  readonly limit: number
}

export type ListedSplit = {
  readonly id: string
  readonly key: string
  readonly createdMs: number
  readonly state: string
  readonly amount: string
  readonly currency: string
  readonly parts: number
  readonly failed: number
}

export async function listSplits(db: Db, filter: WholeFilter): Promise<readonly ListedSplit[]> {
  return db.query<ListedSplit>(
    `select s.id, s.key, (extract(epoch from s.created_at) * 1000)::float8 as "createdMs", s.state,
            d.amount::text as amount, d.currency, jsonb_array_length(s.parts) as parts,
            s.failed_parts as failed
     from split_payments s
     join payments d on d.merchant_id = s.merchant_id and d.kind = 'deposit' and d.id = s.id
     where s.merchant_id = $1 and s.key >= $2::uuid and s.key < $3::uuid
       and ($4::text[] is null or s.state = any($4))
       and ($5::text[] is null or d.country = any($5))
     order by s.key desc limit $6`,
    valuesOf(filter),
  )
}

export type ListedCheckout = {
  readonly id: string
  readonly key: string
  readonly createdMs: number
  readonly expiresMs: number
  readonly state: string
  readonly attempts: number
  readonly amounts: readonly { readonly amount: string; readonly currency: string }[] | null
  readonly clientReferenceId: string | null
}

/** A person who is limited to countries sees checkouts that are for these alone. */
export async function listCheckouts(
  db: Db,
  filter: WholeFilter,
): Promise<readonly ListedCheckout[]> {
  return db.query<ListedCheckout>(
    `select c.id, c.key, (extract(epoch from c.created_at) * 1000)::float8 as "createdMs",
            (extract(epoch from c.expires_at) * 1000)::float8 as "expiresMs", c.state, c.attempts,
            c.wish->'amounts' as amounts, c.wish->>'clientReferenceId' as "clientReferenceId"
     from checkouts c
     where c.merchant_id = $1 and c.key >= $2::uuid and c.key < $3::uuid
       and ($4::text[] is null or c.state = any($4))
       and ($5::text[] is null or (jsonb_array_length(coalesce(c.wish->'countries', '[]')) > 0
            and c.wish->'countries' <@ to_jsonb($5::text[])))
     order by c.key desc limit $6`,
    valuesOf(filter),
  )
}

function valuesOf({ merchantId, within, fromMs, toMs, states, after, limit }: WholeFilter) {
  const times = { ...(fromMs !== undefined && { fromMs }), ...(toMs !== undefined && { toMs }) }
  const span = keySpan(times)
  const to = after === undefined || span.to < after ? span.to : after
  return [merchantId, span.from, to, states ?? null, within.length === 0 ? null : within, limit]
}
