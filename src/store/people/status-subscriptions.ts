import type { MerchantId } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'

/** People who want a mail when the status of a provider changes. */
export type StatusSubscription = {
  readonly userId: number
  readonly merchantId: MerchantId
  /** Null: every country that the person may see. */
  readonly country: string | null
  readonly language: 'en' | 'fr'
}

const COLUMNS = `s.user_id as "userId", s.merchant_id as "merchantId", s.country, s.language`

export async function findStatusSubscription(
  db: Db,
  userId: number,
  merchantId: MerchantId,
): Promise<StatusSubscription | undefined> {
  const [row] = await db.query<StatusSubscription>(
    `select ${COLUMNS} from status_subscriptions s where user_id = $1 and merchant_id = $2`,
    [userId, merchantId],
  )
  return row
}

/** A new subscriber is mailed what changes from now on; a change of the country loses nothing. */
export async function putStatusSubscription(
  tx: Db,
  { userId, merchantId, country, language }: StatusSubscription,
): Promise<void> {
  await tx.query(
    `insert into status_subscriptions (user_id, merchant_id, country, language, done_number, due_at)
     select $1, $2, $3, $4, coalesce(max(number), 0), 'epoch' from provider_health_history
     on conflict (user_id, merchant_id) do update
     set country = excluded.country, language = excluded.language`,
    [userId, merchantId, country, language],
  )
}

/** Answers what it was. */
export async function deleteStatusSubscription(
  tx: Db,
  userId: number,
  merchantId: MerchantId,
): Promise<StatusSubscription | undefined> {
  const [row] = await tx.query<StatusSubscription>(
    `delete from status_subscriptions s where user_id = $1 and merchant_id = $2
     returning ${COLUMNS}`,
    [userId, merchantId],
  )
  return row
}

export type ClaimedSubscription = StatusSubscription & {
  /** The changes after this one are new. */
  readonly doneNumber: number
  /** With this one. */
  readonly tries: number
  /** When the person was last mailed about it, before this time. */
  readonly mailedMs: number | null
}

type ClaimTimes = {
  readonly now: number
  /** Nobody is mailed twice within this. */
  readonly apartMs: number
  /** After so long without a word of the node that claimed it, it is due again; longer with each try. */
  readonly againAfterMs: number
  readonly againAtMostMs: number
}

/** Of all nodes one gets it. Undefined where none is due. */
export async function claimStatusSubscription(
  tx: Db,
  head: number,
  { now, apartMs, againAfterMs, againAtMostMs }: ClaimTimes,
): Promise<ClaimedSubscription | undefined> {
  const due = `done_number < $1 and due_at <= to_timestamp($2::float8 / 1000)`
  const mailed = `mailed_at > to_timestamp(($2::float8 - $3::float8) / 1000)`
  const [person] = await tx.query<{ userId: number }>(
    `select u.user_id as "userId" from users u
     where exists (select from status_subscriptions where user_id = u.user_id and ${due})
       and not exists (select from status_subscriptions where user_id = u.user_id and ${mailed})
     order by u.user_id limit 1 for no key update skip locked`,
    [head, now, apartMs],
  )
  if (person === undefined) return undefined
  // Looked at once more: another node may have been at this person until just now.
  const [row] = await tx.query<ClaimedSubscription>(
    `with next as (
       select merchant_id, mailed_at from status_subscriptions
       where user_id = $4 and ${due} and not exists (
         select from status_subscriptions where user_id = $4 and ${mailed})
       order by due_at, merchant_id limit 1
     )
     update status_subscriptions s
     set mailed_at = to_timestamp($2::float8 / 1000), tries = s.tries + 1,
       due_at = to_timestamp(($2::float8 + least($5::float8 * 2 ^ s.tries, $6::float8)) / 1000)
     from next where s.user_id = $4 and s.merchant_id = next.merchant_id
     returning ${COLUMNS}, s.done_number::float8 as "doneNumber", s.tries,
       (extract(epoch from next.mailed_at) * 1000)::float8 as "mailedMs"`,
    [head, now, apartMs, person.userId, againAfterMs, againAtMostMs],
  )
  return row
}

/** All up to `head` is dealt with. Without a mail, the person may be mailed at once the next time. */
export async function finishStatusSubscription(
  db: Db,
  { userId, merchantId, mailedMs }: ClaimedSubscription,
  head: number,
  wasMailed: boolean,
): Promise<void> {
  await db.query(
    `update status_subscriptions set done_number = greatest(done_number, $3), due_at = 'epoch', tries = 0,
       mailed_at = case when $4 then mailed_at else to_timestamp($5::float8 / 1000) end
     where user_id = $1 and merchant_id = $2`,
    [userId, merchantId, head, wasMailed, mailedMs],
  )
}

/** Whether nobody waits for a change up to this one. */
export async function isEveryoneMailed(db: Db, head: number): Promise<boolean> {
  const rows = await db.query('select from status_subscriptions where done_number < $1 limit 1', [
    head,
  ])
  return rows.length === 0
}
