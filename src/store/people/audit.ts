import type { Db } from '../engine/database.ts'
import { ACTIONS_OF_COUNTRIES, type AuditSeer, isSeenEntry } from './audit-scope.ts'

/** Who changed what, in an order that cannot be changed unnoticed. */
export type AuditEntry = {
  /** 0: the staff of who runs the service. */
  readonly merchantId: number
  readonly at: number
  /** An e-mail, or the command line. */
  readonly actor: string
  readonly action: string
  readonly object: string
  readonly address: string
  readonly before?: object | undefined
  readonly after?: object | undefined
}

/** Of an entry `e`, after the hash `previous`. */
const hashOf = (previous: string): string => `
  sha256(${previous} || convert_to(jsonb_build_array(e.merchant_id, e.number,
    extract(epoch from e.at), e.actor, e.action, e.object, e.address, e.before, e.after)::text,
    'UTF8'))`

/** Changes of one merchant take turns here, so that each knows the one before it. */
async function takeTurn(tx: Db, merchantId: number): Promise<void> {
  await tx.query(
    `insert into audit_heads (merchant_id, number, hash) values ($1, 0, '')
     on conflict (merchant_id) do nothing`,
    [merchantId],
  )
  await tx.query('select from audit_heads where merchant_id = $1 for update', [merchantId])
}

/** Belongs into the transaction of the change: neither is there without the other. */
export async function addAuditEntry(tx: Db, entry: AuditEntry): Promise<void> {
  const { merchantId, at, actor, action, object, address, before, after } = entry
  await takeTurn(tx, merchantId)
  await tx.query(
    `with e as (
       select h.merchant_id, h.number + 1 as number, to_timestamp($2::float8 / 1000) as at,
         $3::text as actor, $4::text as action, $5::text as object, $6::text as address,
         $7::jsonb as before, $8::jsonb as after, h.hash as previous
       from audit_heads h where h.merchant_id = $1
     ), added as (
       insert into audit_entries
         (merchant_id, number, at, actor, action, object, address, before, after, hash)
       select merchant_id, number, at, actor, action, object, address, before, after,
         ${hashOf('e.previous')} from e
       returning merchant_id, number, hash
     )
     update audit_heads h set number = a.number, hash = a.hash from added a
     where h.merchant_id = a.merchant_id`,
    [merchantId, at, actor, action, object, address, before ?? null, after ?? null],
  )
}

/** False where an entry of this action and object has these facts already. */
export async function addAuditEntryOnce(
  tx: Db,
  entry: AuditEntry,
  facts: object = {},
): Promise<boolean> {
  await takeTurn(tx, entry.merchantId)
  if ((await findEntries(tx, entry, facts)).length > 0) return false
  await addAuditEntry(tx, entry)
  return true
}

/** About one object, oldest first. The index has the beginning of its name. */
export async function findEntries(
  db: Db,
  { merchantId, action, object }: Pick<AuditEntry, 'merchantId' | 'action' | 'object'>,
  facts: object = {},
): Promise<readonly FoundEntry[]> {
  return db.query<FoundEntry>(
    `select actor, after from audit_entries where merchant_id = $1 and action = $2 and object = $3
       and left(object, 60) = left($3, 60) and coalesce(after, '{}') @> $4::jsonb
     order by number`,
    [merchantId, action, object, facts],
  )
}

type FoundEntry = {
  readonly actor: string
  readonly after: Readonly<Record<string, unknown>> | null
}

export type ListedEntry = Omit<AuditEntry, 'merchantId'> & {
  readonly number: number
  /** Over the entry and the hash before it, in hexadecimal. */
  readonly hash: string
}

export type AuditFilter = {
  readonly merchantId: number
  readonly actor?: string | undefined
  readonly action?: string | undefined
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  /** Entries older than this one. */
  readonly before?: number | undefined
  /** Somebody who is limited to countries; none: all. */
  readonly seer?: AuditSeer | undefined
}

const IS_SEEN = isSeenEntry({ countries: '$7', userId: '$8', email: '$9', actions: '$10' })

/** Newest first. */
export async function listAuditEntries(
  db: Db,
  filter: AuditFilter,
  limit: number,
): Promise<readonly ListedEntry[]> {
  const { merchantId, actor, action, fromMs, toMs, before, seer } = filter
  return db.query<ListedEntry>(
    `select number::float8, (extract(epoch from at) * 1000)::float8 as at, actor, action, object,
            address, before, after, encode(hash, 'hex') as hash
     from audit_entries e where merchant_id = $1
       and ($2::text is null or actor = $2) and ($3::text is null or action = $3)
       and ($4::float8 is null or at >= to_timestamp($4 / 1000))
       and ($5::float8 is null or at < to_timestamp($5 / 1000))
       and ($6::float8 is null or number < $6)
       and ${IS_SEEN}
     order by number desc limit $11`,
    [
      merchantId,
      actor ?? null,
      action ?? null,
      fromMs ?? null,
      toMs ?? null,
      before ?? null,
      seer?.countries ?? null,
      seer?.userId ?? null,
      seer?.email ?? null,
      ACTIONS_OF_COUNTRIES,
      limit,
    ],
  )
}

/** Every action that the log of a merchant has, found by leaps over the index. */
export async function listAuditActions(db: Db, merchantId: number): Promise<readonly string[]> {
  const rows = await db.query<{ action: string }>(
    `with recursive found as (
       (select action from audit_entries where merchant_id = $1 order by action limit 1)
       union all
       select (select e.action from audit_entries e
               where e.merchant_id = $1 and e.action > f.action order by e.action limit 1)
       from found f where f.action is not null
     )
     select action from found where action is not null`,
    [merchantId],
  )
  return rows.map(({ action }) => action)
}

/** Entries whose hash is not what it should be, and chains that end elsewhere than they say. */
export const BROKEN_CHAINS = `
  select e.merchant_id as merchant, 'entry ' || e.number as subject,
    'was changed, or one before it is missing' as finding
  from (
    select e.*, lag(e.hash, 1, ''::bytea) over w as previous, lag(e.number, 1, 0::bigint) over w as last
    from audit_entries e window w as (partition by e.merchant_id order by e.number)
  ) e
  where e.number <> e.last + 1 or e.hash <> ${hashOf('e.previous')}
  union all
  select h.merchant_id, 'entry ' || h.number, 'is the last one by its head, and is not there'
  from audit_heads h
  where h.number > 0 and not exists (
    select from audit_entries e
    where e.merchant_id = h.merchant_id and e.number = h.number and e.hash = h.hash)`
