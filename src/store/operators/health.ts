import type { MerchantId } from '../../domain/ids.ts'
import { KIND_OF } from '../../domain/payments/payment-state.ts'
import type { Availability, OperationType } from '../../domain/provider.ts'
import type { Db } from '../engine/database.ts'
import { enterLine } from '../payments/enqueued.ts'

/** An account that is not used for now: for all operations ('*') or for one. */
export type OpenBreaker = {
  readonly account: string
  readonly operation: OperationType | '*'
  readonly reason: string
  readonly sinceMs: number
  readonly trials: number
  readonly trialMs: number
}

/**
 * Comes before a change of what accounts are good for: of two at once, the second sees what the first
 * decided. The line comes first, as everywhere.
 */
export async function enterHealth(tx: Db): Promise<void> {
  await enterLine(tx)
  await tx.query('lock table operator_breakers in share row exclusive mode')
}

const BREAKER = `account, operation, reason, trials,
  (extract(epoch from since) * 1000)::float8 as "sinceMs",
  (extract(epoch from trial_at) * 1000)::float8 as "trialMs"`

export async function listBreakers(db: Db): Promise<readonly OpenBreaker[]> {
  return db.query<OpenBreaker>(
    `select ${BREAKER} from operator_breakers where closed_at is null order by account, operation`,
    [],
    'list-breakers',
  )
}

/**
 * How often it was tried in vain; undefined where it is open already. One that closed a while ago
 * begins anew.
 */
export async function openBreaker(
  tx: Db,
  breaker: Pick<OpenBreaker, 'account' | 'operation' | 'reason'>,
  now: number,
  forgottenAfterMs: number,
): Promise<number | undefined> {
  const [row] = await tx.query<{ trials: number }>(
    `insert into operator_breakers as b (account, operation, reason, since, trial_at)
     select name, $2, $3, to_timestamp($4::float8 / 1000), 'infinity'
     from operator_accounts where name = $1
     on conflict (account, operation) do update
       set reason = excluded.reason, since = excluded.since, trial_at = 'infinity', closed_at = null,
           trials = case when b.closed_at < to_timestamp(($4 - $5::float8) / 1000) then 0
                         else b.trials end
       where b.closed_at is not null
     returning trials`,
    [breaker.account, breaker.operation, breaker.reason, now, forgottenAfterMs],
  )
  return row?.trials
}

export async function planTrial(
  tx: Db,
  { account, operation }: Pick<OpenBreaker, 'account' | 'operation'>,
  trialAt: number,
): Promise<void> {
  await tx.query(
    `update operator_breakers set trial_at = to_timestamp($3::float8 / 1000)
     where account = $1 and operation = $2 and closed_at is null`,
    [account, operation, trialAt],
  )
}

/** Of all nodes one tries; the others wait for what comes of it. */
export async function claimTrial(
  db: Db,
  { account, operation }: Pick<OpenBreaker, 'account' | 'operation'>,
  now: number,
  nextAt: number,
): Promise<boolean> {
  const rows = await db.query(
    `update operator_breakers set trial_at = to_timestamp($4::float8 / 1000), trials = trials + 1
     where account = $1 and operation = $2 and closed_at is null
       and trial_at <= to_timestamp($3::float8 / 1000)
     returning account`,
    [account, operation, now, nextAt],
  )
  return rows.length === 1
}

export async function closeBreaker(
  tx: Db,
  { account, operation }: Pick<OpenBreaker, 'account' | 'operation'>,
  now: number,
): Promise<void> {
  await tx.query(
    `update operator_breakers set closed_at = to_timestamp($3::float8 / 1000)
     where account = $1 and operation = $2 and closed_at is null`,
    [account, operation, now],
  )
}

/** A person has changed the account: it is used again at once, whatever it rested for. */
export async function closeBreakersOf(tx: Db, account: string, now: number): Promise<void> {
  await tx.query(
    `update operator_breakers set closed_at = to_timestamp($2::float8 / 1000), trials = 0
     where account = $1 and closed_at is null`,
    [account, now],
  )
}

type DecidedBy = 'PERSON' | 'SERVICE'

type ProviderHealth = {
  readonly provider: string
  readonly operation: OperationType
  readonly decidedBy: DecidedBy
  readonly status: Availability
  readonly reason: string
  readonly sinceMs: number
}

const HEALTH = `provider, operation, decided_by as "decidedBy", status, reason,
  (extract(epoch from since) * 1000)::float8 as "sinceMs"`

export async function listHealth(db: Db): Promise<readonly ProviderHealth[]> {
  return db.query<ProviderHealth>(
    `select ${HEALTH} from provider_health order by provider, operation, decided_by`,
  )
}

export async function listHealthHistory(db: Db, limit: number): Promise<readonly ProviderHealth[]> {
  return db.query<ProviderHealth>(
    `select provider, operation, decided_by as "decidedBy", status, reason,
            (extract(epoch from at) * 1000)::float8 as "sinceMs"
     from provider_health_history where merchant_id is null order by number desc limit $1`,
    [limit],
  )
}

/** Stored with its history, where it changes; answers whether it did. */
export async function setHealth(
  tx: Db,
  health: Omit<ProviderHealth, 'sinceMs'>,
  now: number,
): Promise<boolean> {
  const { provider, operation, decidedBy, status, reason } = health
  const values = [provider, operation, decidedBy, status, reason, now]
  const changed = await tx.query(
    `insert into provider_health as h (provider, operation, decided_by, status, reason, since)
     values ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000))
     on conflict (provider, operation, decided_by) do update
       set status = excluded.status, reason = excluded.reason, since = excluded.since
       where h.status <> excluded.status
     returning provider`,
    values,
  )
  if (changed.length === 0) return false
  await addHistory(tx, values)
  return true
}

/** From then on the accounts decide again. */
export async function removePersonsHealth(
  tx: Db,
  { provider, operation, reason }: Pick<ProviderHealth, 'provider' | 'operation' | 'reason'>,
  now: number,
): Promise<boolean> {
  const removed = await tx.query(
    `delete from provider_health where provider = $1 and operation = $2 and decided_by = 'PERSON'
     returning provider`,
    [provider, operation],
  )
  if (removed.length === 0) return false
  await addHistory(tx, [provider, operation, 'PERSON', 'AUTOMATIC', reason, now])
  return true
}

async function addHistory(tx: Db, values: readonly unknown[]): Promise<void> {
  await tx.query(
    `insert into provider_health_history (provider, operation, decided_by, status, reason, at)
     values ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000))`,
    values,
  )
}

/**
 * What holds for a merchant of each provider and operation: its own switch in the sandbox, else what
 * a person decided for all, else what the accounts are good for.
 */
export const AVAILABILITY_OF_MERCHANT = `
  select distinct on (provider, operation) provider, operation, status from (
    select a.provider, a.operation, a.status, 1 as rank from provider_availability a
    where a.merchant_id = m.merchant_id and a.status <> 'OPERATIONAL'
    union all
    select h.provider, h.operation, h.status, case h.decided_by when 'PERSON' then 2 else 3 end
    from provider_health h
  ) s order by provider, operation, rank`

export type ShownChange = {
  readonly provider: string
  readonly operation: OperationType
  /** AUTOMATIC: a person's decision ended. */
  readonly status: Availability | 'AUTOMATIC'
  readonly sinceMs: number
}

const CHANGE = `provider, operation, status`

/** Since when each of the merchant's operations is as it is; none where it always was. */
export async function listSince(db: Db, merchantId: MerchantId): Promise<readonly ShownChange[]> {
  return db.query<ShownChange>(
    `select distinct on (provider, operation) ${CHANGE},
            (extract(epoch from since) * 1000)::float8 as "sinceMs"
     from (
       select ${CHANGE}, since, case when status = 'OPERATIONAL' then 4 else 1 end as rank
       from provider_availability where merchant_id = $1 and since is not null
       union all
       select ${CHANGE}, since, case decided_by when 'PERSON' then 2 else 3 end
       from provider_health
     ) one order by provider, operation, rank`,
    [merchantId],
  )
}

/** What changed for a merchant, the latest first: for all merchants, or by its own switch. */
export async function listChangesFor(
  db: Db,
  merchantId: MerchantId,
  providers: readonly string[],
  limit: number,
): Promise<readonly ShownChange[]> {
  return db.query<ShownChange>(
    `select ${CHANGE}, (extract(epoch from at) * 1000)::float8 as "sinceMs"
     from provider_health_history
     where (merchant_id is null or merchant_id = $1) and provider = any($2)
     order by number desc limit $3`,
    [merchantId, providers, limit],
  )
}

/** Of all merchants: what waits in line is due, in the order in which it came. */
export async function releaseLine(
  tx: Db,
  line: { readonly provider: string; readonly operation: OperationType },
): Promise<number> {
  const rows = await tx.query(
    `with waiting as (
       select merchant_id, id from payments
       where provider = $1 and kind = $2 and due_at = 'infinity' and state = 'ENQUEUED'
       order by id for update
     )
     update payments p set due_at = p.created_at
     from waiting w where p.merchant_id = w.merchant_id and p.kind = $2 and p.id = w.id
     returning p.key`,
    [line.provider, KIND_OF[line.operation]],
  )
  return rows.length
}
