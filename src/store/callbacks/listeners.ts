import type {
  CallbackSubject,
  SubjectKind,
  SubjectState,
} from '../../domain/callbacks/callback-subject.ts'
import type { MerchantId } from '../../domain/ids.ts'
import { UPKEEP } from '../../domain/upkeep-timing.ts'
import type { Db } from '../engine/database.ts'
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from '../payments/payment-rows.ts'
import { findSubject } from './callback-subjects.ts'

/** How far somebody has listened: a transaction, and the last callback of it. */
export type FeedPlace = {
  readonly transaction: string
  readonly key: string
  readonly state: string
}

type FeedEntry = {
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
     where l.asked_at < excluded.asked_at - $3::float8 * interval '1 millisecond'
     returning xmax = 0 as is_new`,
    [merchantId, now, UPKEEP.listenerNotedEveryMs],
    'note-listener',
  )
  return rows[0]?.is_new === true
}

/** Nobody has asked for its callbacks since the moment. */
export const LISTENER_LEFT = (since: string): string =>
  `asked_at < to_timestamp(${since}::float8 / 1000)`

/** Nobody has asked for so long that nobody will. */
export async function dropListeners(db: Db, askedBefore: number): Promise<number> {
  const rows = await db.query(
    `delete from listeners where ${LISTENER_LEFT('$1')} returning 1`,
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
export async function findFeed(
  db: Db,
  merchantId: MerchantId,
  after: FeedPlace,
  limit: number,
): Promise<readonly FeedEntry[]> {
  type Row = PaymentRow & {
    feed_transaction: string
    feed_key: string
    feed_state: SubjectState
    feed_kind: SubjectKind
    payment_id: string
  }
  const rows = await db.query<Row>(
    `with entries as (
       select merchant_id, feed_transaction, payment_key, state, kind, payment_id from callbacks
       where merchant_id = $1 and feed_transaction is not null
         and (feed_transaction, payment_key, state) > ($2::text::xid8, $3::uuid, $4::text)
         and feed_transaction < pg_snapshot_xmin(pg_current_snapshot())
       order by feed_transaction, payment_key, state limit $5
     )
     select ${PAYMENT_COLUMNS}, e.feed_transaction::text as feed_transaction,
       e.payment_key as feed_key, e.state as feed_state, e.kind as feed_kind, e.payment_id
     from entries e left join payments p
       on p.merchant_id = e.merchant_id and p.kind = e.kind and p.id = e.payment_id
     order by e.feed_transaction, e.payment_key, e.state`,
    [merchantId, after.transaction, after.key, after.state, limit],
    'find-feed',
  )
  const found = await Promise.all(
    rows.map(async (row) => {
      const isPayment = (row.key as string | null) !== null
      const subject = isPayment
        ? toPayment(row)
        : await findSubject(db, merchantId, row.feed_kind, row.payment_id)
      const { feed_transaction: transaction, feed_key: key, feed_state: state } = row
      return subject === undefined
        ? undefined
        : { place: { transaction, key, state }, state, subject }
    }),
  )
  return found.filter((one) => one !== undefined)
}
