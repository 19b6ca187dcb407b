import type { MerchantId } from '../../domain/ids.ts'
import { plain } from '../engine/columns.ts'
import type { Db } from '../engine/database.ts'
import { createGroup, type Group } from '../engine/group.ts'

type SignatureUse = {
  readonly merchantId: MerchantId
  /** In hexadecimal digits. */
  readonly fingerprint: string
  readonly forgetAt: number
}

/** Answers whether it is the first use, on whichever node. */
export function createUseGroup(db: Db): Group<SignatureUse, boolean> {
  return createGroup({
    write: (items) => insertUses(db, items),
    maxItems: 256,
    maxInFlight: 1,
    ownerOf: ({ merchantId }) => merchantId,
  })
}

async function insertUses(db: Db, items: readonly SignatureUse[]): Promise<readonly boolean[]> {
  const rows = await db.query<{ name: string }>(
    INSERT,
    [
      plain(items, ({ merchantId }) => merchantId),
      plain(items, ({ fingerprint }) => fingerprint),
      plain(items, ({ forgetAt }) => forgetAt),
    ],
    'use-signatures',
  )
  const first = new Set(rows.map(({ name }) => name))
  return items.map(({ merchantId, fingerprint }) => first.delete(`${merchantId} ${fingerprint}`))
}

// In one order, so that two nodes never wait for each other in a circle.
const INSERT = `
insert into used_signatures (merchant_id, fingerprint, forget_at)
select merchant_id, decode(fingerprint, 'hex'), to_timestamp(ms / 1000)
from unnest($1::int[], $2::text[], $3::float8[]) as i (merchant_id, fingerprint, ms)
order by merchant_id, fingerprint
on conflict do nothing
returning merchant_id || ' ' || encode(fingerprint, 'hex') as name`

export async function deleteUsesBefore(db: Db, ms: number): Promise<void> {
  await db.query('delete from used_signatures where forget_at < to_timestamp($1::float8 / 1000)', [
    ms,
  ])
}
