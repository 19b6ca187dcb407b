import type { Payment } from '../../domain/payments/payment.ts'
import type { Db } from '../engine/database.ts'
import { LISTED } from '../engine/listed.ts'
import { areOpen, type BrowseFilter, conditionsOf } from './browse-filter.ts'
import { findCountedHours } from './hours.ts'
import { type Lead, leadOf } from './leads.ts'
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from './payment-rows.ts'
import { hashOf, spansToLookThrough } from './terms.ts'

export const ORDERS = ['newest', 'oldest'] as const
/** Which payments come first. */
export type Order = (typeof ORDERS)[number]

const DIRECTION: Readonly<Record<Order, string>> = { newest: 'desc', oldest: 'asc' }

export type Place = {
  /** The key of the last payment of the page before. */
  readonly after?: string | undefined
  readonly limit: number
  /** Newest unless said otherwise. */
  readonly order?: Order | undefined
}

/** A key is ordered by time and never changes, so pages stay as they are. */
export async function browsePayments(
  db: Db,
  filter: BrowseFilter,
  place: Place,
): Promise<readonly Payment[]> {
  const lead = areOpen(filter) ? undefined : await leadOf(db, filter)
  if (lead === undefined) return lookThrough(db, filter, place)
  const { keys, values, direction, most } = await ledKeys(db, filter, lead, place)
  const rows = await db.query<PaymentRow>(
    `select ${PAYMENT_COLUMNS} from (${keys}) k
     join payments p on p.merchant_id = $1 and p.kind = any($2) and p.key = k.key
       and ${LISTED('p')}
     order by p.key ${direction} limit ${most}`,
    values,
  )
  return rows.map(toPayment)
}

/** The same in one pass over all payments: the cheapest way to read many of them, page by page. */
export async function lookThrough(
  db: Db,
  filter: BrowseFilter,
  place: Place,
): Promise<readonly Payment[]> {
  const { where, values, direction, most } = placed(filter, place)
  const rows = await db.query<PaymentRow>(
    `select ${PAYMENT_COLUMNS} from payments p where ${where}
     order by p.key ${direction} limit ${most}`,
    values,
  )
  return rows.map(toPayment)
}

/**
 * Identifiers that begin so, by the index on them alone: for each kind, and in its order, so that no
 * other plan is cheaper.
 */
export async function findIdsFrom(
  db: Db,
  { merchantId, kinds }: Pick<BrowseFilter, 'merchantId' | 'kinds'>,
  first8: string,
  limit: number,
): Promise<readonly string[]> {
  const rows = await db.query<{ id: string }>(
    `select p.id from unnest($2::text[]) as k (kind) cross join lateral (
       select p.id from payments p where p.merchant_id = $1 and p.kind = k.kind
         and p.id between $3::uuid and $4::uuid
       order by p.id limit $5) p`,
    [
      merchantId,
      kinds,
      `${first8}-0000-0000-0000-000000000000`,
      `${first8}-ffff-ffff-ffff-ffffffffffff`,
      limit,
    ],
    'ids-from',
  )
  return rows.map(({ id }) => id)
}

/** Counts no further than `most`. */
export async function countPayments(db: Db, filter: BrowseFilter, most: number): Promise<number> {
  const lead = areOpen(filter) ? undefined : await leadOf(db, filter)
  const { where, values } = conditionsOf(filter)
  const found =
    lead === undefined
      ? { keys: `select from payments p where ${where} limit ${most}`, values }
      : await ledKeys(db, filter, lead, { limit: most })
  const [row] = await db.query<{ count: number }>(
    `select least(count(*), ${most})::int as count from (${found.keys}) counted`,
    found.values,
  )
  return row?.count ?? 0
}

/** The payments of the filter that come after the place, and how they are read. */
function placed(filter: BrowseFilter, { after, limit, order = 'newest' }: Place) {
  const span = order === 'newest' ? { before: after } : { newerThan: after ?? filter.newerThan }
  const conditions = conditionsOf({ ...filter, ...span })
  return { ...conditions, direction: DIRECTION[order], most: Math.floor(limit) }
}

/**
 * The first keys that the terms lead to, and those of payments whose hour is not counted, which are
 * looked through. Counted in between, a payment is found in both ways, and named once. "offset 0", and
 * a limit for each span, keep the planner from reading all payments and comparing each with them.
 */
async function ledKeys(db: Db, filter: BrowseFilter, lead: Lead, place: Place) {
  const { where, values, from, to, direction, most } = placed(filter, place)
  const spans = spansToLookThrough(await findCountedHours(db, filter.merchantId))
  const at = values.length
  const compared = lead.isExact
    ? ''
    : `cross join lateral (select from payments p where p.key = t.key and ${where} offset 0) p`
  const keys = `
    (select t.key from unnest($${at + 1}::text[]) one cross join lateral (
       select t.key from payment_terms t ${compared}
       where t.merchant_id = $1 and t.term = ${hashOf('one')}
         and t.key >= ${from}::uuid and t.key < ${to}::uuid
       order by t.key ${direction} limit ${most}) t
     order by t.key ${direction} limit ${most})
    union
    (select p.key from unnest($${at + 2}::uuid[], $${at + 3}::uuid[]) as l (first, next)
     cross join lateral (
       select p.key from payments p where p.key >= l.first and p.key < l.next and ${where}
       order by p.key ${direction} limit ${most}) p
     order by p.key ${direction} limit ${most})`
  return { keys, direction, most, values: [...values, lead.terms, spans.firsts, spans.nexts] }
}
