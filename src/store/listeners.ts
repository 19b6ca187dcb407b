import type { CallbackSubject, SubjectKind, SubjectState } from '../domain/callback-subject.ts'
import type { MerchantId } from '../domain/ids.ts'
import { findSubject } from './callback-subjects.ts'
import type { Db } from './database.ts'

/** How far somebody has listened: a transaction, and the last callback of it. */
export type FeedPlace = {
  readonly transaction: string
  readonly key: string
  readonly state: string
}

export type HeardCallback = {
  readonly place: FeedPlace
  readonly state: SubjectState
  readonly subject: CallbackSubject
}

const NO_KEY = '00000000-0000-0000-0000-000000000000'

/** Answers true when the merchant had no listener before. Written once in a while, not each time. */
export async function noteListener(db: Db, merchantId: MerchantId, now: number): Promise<boolean> {
  const rows = await db.query<{ is_new: boolean }>(
    `insert into listeners as l (merchant_id, asked_at)
     values ($1, to_timestamp($2::float8 / 1000))
     on conflict (merchant_id) do update set asked_at = excluded.asked_at
     where l.asked_at < excluded.asked_at - interval '1 minute'
     returning xmax = 0 as is_new`,
    [merchantId, now],
    'note-listener',
  )
  return rows[0]?.is_new === true
}

/** Nobody has asked for so long that nobody will. */
export async function dropListeners(db: Db, askedBefore: number): Promise<number> {
  const rows = await db.query(
    'delete from listeners where asked_at < to_timestamp($1::float8 / 1000) returning 1',
    [askedBefore],
    'drop-listeners',
  )
  return rows.length
}

/** Everything that is owed from now on comes after this place. */
export async function presentPlace(db: Db): Promise<FeedPlace & { readonly database: string }> {
  const [row] = await db.query<{ transaction: string; database: string }>(
    `select pg_snapshot_xmin(pg_current_snapshot())::text as transaction, database_id as database
     from service_state`,
    [],
    'present-place',
  )
  if (row === undefined) throw new Error('The database holds no service state.')
  return { ...row, key: NO_KEY, state: '' }
}

/** What was owed after a place, in the order in which it was owed. */
export async function findHeard(
  db: Db,
  merchantId: MerchantId,
  after: FeedPlace,
  limit: number,
): Promise<readonly HeardCallback[]> {
  type Row = {
    transaction: string
    key: string
    state: SubjectState
    kind: SubjectKind
    payment_id: string
  }
  const rows = await db.query<Row>(
    `select heard_in::text as transaction, payment_key as key, state, kind, payment_id
     from callbacks
     where merchant_id = $1 and heard_in is not null
       and (heard_in, payment_key, state) > ($2::text::xid8, $3::uuid, $4::text)
       and heard_in < pg_snapshot_xmin(pg_current_snapshot())
     order by heard_in, payment_key, state limit $5`,
    [merchantId, after.transaction, after.key, after.state, limit],
    'find-heard',
  )
  const found = await Promise.all(
    rows.map(async ({ transaction, key, state, kind, payment_id }) => {
      const subject = await findSubject(db, merchantId, kind, payment_id)
      const place = { transaction, key, state }
      return subject === undefined ? undefined : { place, state, subject }
    }),
  )
  return found.filter((one) => one !== undefined)
}
