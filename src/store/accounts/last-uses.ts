import type { MerchantId } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'

/** What was used: how often since the last write, and when last. */
export type Use = {
  readonly merchantId: MerchantId
  /** A token or a key by its id, an address by its kind. */
  readonly name: string
  readonly url?: string
  readonly count: number
  readonly lastAt: number
}

/** Rows are locked in one order, so that two nodes that write at once never wait in a circle. */
const USES = `
  from unnest($1::int[], $2::text[], $3::float8[], $4::bigint[], $5::text[])
    as u (merchant_id, name, ms, count, url)`

export async function addTokenUses(db: Db, uses: readonly Use[]): Promise<void> {
  await db.query(
    `with locked as materialized (
       select t.merchant_id, t.token_id, u.ms ${USES}
       join api_tokens t on t.merchant_id = u.merchant_id and t.token_id = u.name
       order by t.merchant_id, t.token_id for update of t
     )
     update api_tokens t set last_used_at = greatest(last_used_at, to_timestamp(l.ms / 1000))
     from locked l where t.merchant_id = l.merchant_id and t.token_id = l.token_id`,
    columnsOf(uses),
    'add-token-uses',
  )
}

export async function addKeyUses(db: Db, uses: readonly Use[]): Promise<void> {
  await db.query(
    `with locked as materialized (
       select k.merchant_id, k.key_id, u.ms, u.count ${USES}
       join merchant_keys k on k.merchant_id = u.merchant_id and k.key_id = u.name
       order by k.merchant_id, k.key_id for update of k
     )
     update merchant_keys k set used_count = used_count + l.count,
       last_used_at = greatest(last_used_at, to_timestamp(l.ms / 1000))
     from locked l where k.merchant_id = l.merchant_id and k.key_id = l.key_id`,
    columnsOf(uses),
    'add-key-uses',
  )
}

/** An address that was changed meanwhile has not been reached yet. */
export async function addAddressUses(db: Db, uses: readonly Use[]): Promise<void> {
  await db.query(
    `with locked as materialized (
       select c.merchant_id, c.kind, u.ms ${USES}
       join callback_urls c on c.merchant_id = u.merchant_id and c.kind = u.name and c.url = u.url
       order by c.merchant_id, c.kind for update of c
     )
     update callback_urls c set last_success_at = greatest(last_success_at, to_timestamp(l.ms / 1000))
     from locked l where c.merchant_id = l.merchant_id and c.kind = l.kind`,
    columnsOf(uses),
    'add-address-uses',
  )
}

const columnsOf = (uses: readonly Use[]): readonly unknown[] => [
  uses.map(({ merchantId }) => merchantId),
  uses.map(({ name }) => name),
  uses.map(({ lastAt }) => lastAt),
  uses.map(({ count }) => count),
  uses.map(({ url }) => url ?? null),
]
