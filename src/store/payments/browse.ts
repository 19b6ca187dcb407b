import { keySpan } from '../../domain/callbacks/replay.ts'
import type { MerchantId } from '../../domain/ids.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import {
  FINAL_STATES,
  type PaymentKind,
  type PaymentState,
} from '../../domain/payments/payment-state.ts'
import type { Db } from '../engine/database.ts'
import { findCountedHours } from './hours.ts'
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from './payment-rows.ts'
import { hashOf, spansToLookThrough, termsOf } from './terms.ts'

/** Where a payment came from; what is none of the others came by the API. */
export const SOURCES = ['API', 'PAYMENT_PAGE', 'CHECKOUT', 'SPLIT', 'BULK', 'LINK'] as const
export type Source = (typeof SOURCES)[number]

export type BrowseFilter = {
  readonly merchantId: MerchantId
  readonly kinds: readonly PaymentKind[]
  /** The countries to which a person is limited; none: all. */
  readonly within: readonly string[]
  readonly fromMs?: number | undefined
  /** Not included. */
  readonly toMs?: number | undefined
  readonly states?: readonly PaymentState[] | undefined
  readonly provider?: string | undefined
  readonly country?: string | undefined
  readonly currency?: string | undefined
  readonly min?: string | undefined
  readonly max?: string | undefined
  readonly failureCode?: string | undefined
  readonly source?: Source | undefined
  readonly clientReferenceId?: string | undefined
  readonly phoneNumbers?: readonly string[] | undefined
  readonly transactionId?: string | undefined
  readonly newerThan?: string | undefined
  readonly ids?: readonly string[] | undefined
  readonly refundOf?: string | undefined
  readonly splitId?: string | undefined
  readonly checkoutId?: string | undefined
  /** Whole values; a name narrows it down to one field. */
  readonly metadata?: readonly { readonly name?: string; readonly value: string }[] | undefined
}

export const ORDERS = ['newest', 'oldest'] as const
/** Which payments come first. */
export type Order = (typeof ORDERS)[number]

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
  { after, limit, order = 'newest' }: Place,
): Promise<readonly Payment[]> {
  const isOldest = order === 'oldest'
  const newerThan = isOldest ? (after ?? filter.newerThan) : filter.newerThan
  const before = isOldest ? undefined : after
  const { from, where, values } = await questionOf(db, { ...filter, newerThan }, before)
  const rows = await db.query<PaymentRow>(
    `select ${PAYMENT_COLUMNS} from ${from} where ${where}
     order by p.key ${isOldest ? 'asc' : 'desc'} limit ${Math.floor(limit)}`,
    values,
  )
  // Counted in between, a payment is found in both ways.
  return [...new Map(rows.map((row) => [row.key, toPayment(row)])).values()]
}

/** Counts no further than `most`. */
export async function countPayments(db: Db, filter: BrowseFilter, most: number): Promise<number> {
  const { from, where, values } = await questionOf(db, filter, undefined)
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int from (select from ${from} where ${where} limit ${most}) counted`,
    values,
  )
  return row?.count ?? 0
}

/** The latest of a sum, among so many of the newest payments: amounts have no index. */
export async function findByAmount(
  db: Db,
  filter: BrowseFilter,
  amount: string,
  { among, limit }: { readonly among: number; readonly limit: number },
): Promise<readonly Payment[]> {
  const { where, values } = conditionsOf(filter, undefined)
  const rows = await db.query<PaymentRow>(
    `select ${PAYMENT_COLUMNS} from (
       select * from payments p where ${where} order by p.key desc limit ${Math.floor(among)}) p
     where p.amount = $${values.length + 1}::numeric order by p.key desc limit ${Math.floor(limit)}`,
    [...values, amount],
  )
  return rows.map(toPayment)
}

/** What people know of a payment leads to it; without that, payments are looked through. */
async function questionOf(db: Db, filter: BrowseFilter, after: string | undefined) {
  const { where, values } = conditionsOf(filter, after)
  const terms = termsOf(filter)
  if (terms === undefined) return { from: 'payments p', where, values }
  const spans = spansToLookThrough(await findCountedHours(db, filter.merchantId))
  const at = values.length
  const from = `(
    select p.* from payment_terms t
    join payments p on p.merchant_id = t.merchant_id and p.kind = any($2) and p.key = t.key
    where t.merchant_id = $1 and t.term = any(array(
      select ${hashOf('one')} from unnest($${at + 1}::text[]) one))
    union all
    select p.* from unnest($${at + 2}::uuid[], $${at + 3}::uuid[]) as l (first, next)
    join payments p on p.merchant_id = $1 and p.kind = any($2) and p.key >= l.first and p.key < l.next
  ) p`
  return { from, where, values: [...values, terms, spans.firsts, spans.nexts] }
}

function conditionsOf(filter: BrowseFilter, after: string | undefined) {
  const conditions: string[] = []
  const values: unknown[] = []
  const add = (condition: (place: string) => string, value: unknown): void => {
    values.push(value)
    conditions.push(condition(`$${values.length}`))
  }
  const addIf = (condition: (place: string) => string, value: unknown): void => {
    if (value !== undefined) add(condition, value)
  }
  const span = keySpan(timesOf(filter))
  add((place) => `p.merchant_id = ${place}`, filter.merchantId)
  add((place) => `p.kind = any(${place})`, filter.kinds)
  // Of one kind, the index gives them in order.
  const [kind, another] = filter.kinds
  if (another === undefined) add((place) => `p.kind = ${place}`, kind)
  add((place) => `p.key >= ${place}::uuid`, span.from)
  add((place) => `p.key < ${place}::uuid`, after === undefined || span.to < after ? span.to : after)
  if (filter.within.length > 0) add((place) => `p.country = any(${place})`, filter.within)
  // A payment has a failure code exactly where it FAILED, and that has an index.
  if (filter.states?.every((state) => state === 'FAILED') === true) {
    conditions.push('p.failure_code is not null')
  } else addIf((place) => `p.state = any(${place})`, filter.states)
  // Open payments are few, and have an index of their own.
  if (filter.states?.every((state) => !FINAL_STATES.some((one) => one === state)) === true) {
    conditions.push('p.due_at is not null')
  }
  addIf((place) => `p.provider = ${place}`, filter.provider)
  addIf((place) => `p.country = ${place}`, filter.country)
  addIf((place) => `p.currency = ${place}`, filter.currency)
  addIf((place) => `p.amount >= ${place}::numeric`, filter.min)
  addIf((place) => `p.amount <= ${place}::numeric`, filter.max)
  addIf((place) => `p.failure_code = ${place}`, filter.failureCode)
  addIf((place) => `p.phone_number = any(${place})`, filter.phoneNumbers)
  addIf((place) => `p.provider_transaction_id = ${place}`, filter.transactionId)
  addIf((place) => `p.key > ${place}::uuid`, filter.newerThan)
  addIf((place) => `p.id = any(${place}::uuid[])`, filter.ids)
  addIf((place) => `p.refund_of = ${place}`, filter.refundOf)
  addIf((place) => `p.split_id = ${place}`, filter.splitId)
  addIf((place) => `p.checkout_id = ${place}`, filter.checkoutId)
  if (filter.source !== undefined) conditions.push(FROM_SOURCE[filter.source])
  const said = detailsOf(filter)
  if (said !== undefined) add((place) => `p.details @> ${place}::jsonb`, JSON.stringify(said))
  return { where: conditions.join(' and '), values }
}

const timesOf = ({ fromMs, toMs }: BrowseFilter) => ({
  ...(fromMs === undefined ? {} : { fromMs }),
  ...(toMs === undefined ? {} : { toMs }),
})

const NAMED_SOURCE = `p.details->>'source'`
const FROM_SOURCE: Readonly<Record<Source, string>> = {
  API: `p.checkout_id is null and p.split_id is null and p.details->'pageKey' is null
    and ${NAMED_SOURCE} is null`,
  PAYMENT_PAGE: `p.checkout_id is null and p.details->'pageKey' is not null
    and ${NAMED_SOURCE} is null`,
  CHECKOUT: `p.checkout_id is not null and ${NAMED_SOURCE} is null`,
  SPLIT: 'p.split_id is not null',
  BULK: `${NAMED_SOURCE} = 'BULK'`,
  LINK: `${NAMED_SOURCE} = 'LINK'`,
}

/** What the details have to contain. */
function detailsOf({ clientReferenceId, metadata = [] }: BrowseFilter): object | undefined {
  if (clientReferenceId === undefined && metadata.length === 0) return undefined
  return {
    ...(clientReferenceId === undefined ? {} : { clientReferenceId }),
    ...(metadata.length === 0 ? {} : { metadata }),
  }
}
