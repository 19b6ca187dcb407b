import { keySpan } from '../../domain/callbacks/replay.ts'
import type { PaymentKey } from '../../domain/ids.ts'
import { present } from '../../domain/present.ts'
import type { CheckoutRow } from '../../domain/statements/list-line.ts'
import type { Db } from '../engine/database.ts'
import { LISTED } from '../engine/listed.ts'
import type { Place } from './browse.ts'
import type { BrowseFilter } from './browse-filter.ts'

/** Split payments and checkouts as lists show them. */
export type WholeFilter = Pick<
  BrowseFilter,
  | 'merchantId'
  | 'within'
  | 'fromMs'
  | 'toMs'
  | 'provider'
  | 'country'
  | 'currency'
  | 'min'
  | 'max'
  | 'failureCode'
  | 'clientReferenceId'
  | 'phoneNumbers'
  | 'metadata'
> & { readonly states?: readonly string[] | undefined }

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

/** By what is known of their deposits. */
export async function listSplits(
  db: Db,
  filter: WholeFilter,
  place: Place,
): Promise<readonly ListedSplit[]> {
  const { where, values } = splitConditions(filter, place)
  return db.query<ListedSplit>(
    `select s.id, s.key, (extract(epoch from s.created_at) * 1000)::float8 as "createdMs", s.state,
            d.amount::text as amount, d.currency, jsonb_array_length(s.parts) as parts,
            s.failed_parts as failed
     ${SPLITS} where ${where} ${orderOf('s', place)}`,
    values,
  )
}

const SPLITS = `from split_payments s
  join payments d on d.merchant_id = s.merchant_id and d.kind = 'deposit' and d.id = s.id`

export type ListedCheckout = CheckoutRow & {
  readonly id: string
  readonly key: PaymentKey
  readonly expiresMs: number
  readonly attempts: number
}

/** An earlier attempt where it turned out to be paid after all, else the one that completed it. */
const PAID_BY = `coalesce(c.paid_attempt, case when c.state = 'COMPLETED' then c.latest_attempt end)`

/** A person who is limited to countries sees checkouts that are for these alone. */
export async function listCheckouts(
  db: Db,
  filter: WholeFilter,
  place: Place,
): Promise<readonly ListedCheckout[]> {
  const { where, values } = checkoutConditions(filter, place)
  return db.query<ListedCheckout>(
    `select c.id, c.id_as_sent as "idAsSent", c.key, c.state, c.attempts,
            (extract(epoch from c.created_at) * 1000)::float8 as "createdMs",
            (extract(epoch from c.expires_at) * 1000)::float8 as "expiresMs",
            (extract(epoch from c.ended_at) * 1000)::float8 as "endedMs",
            c.terms->'amounts' as amounts, c.terms->'countries' as countries,
            c.terms->>'clientReferenceId' as "clientReferenceId", c.terms->'metadata' as metadata,
            (select coalesce(p.id_as_sent, p.id::text) from payments p
             where p.merchant_id = c.merchant_id and p.kind = 'deposit' and p.id = ${PAID_BY}
            ) as "paidBy"
     from checkouts c where ${where} ${orderOf('c', place)}`,
    values,
  )
}

/** Counts no further than `most`. */
export async function countWholes(
  db: Db,
  of: 'splits' | 'checkouts',
  filter: WholeFilter,
  most: number,
): Promise<number> {
  const place = { limit: most }
  const { where, values } =
    of === 'splits' ? splitConditions(filter, place) : checkoutConditions(filter, place)
  const from = of === 'splits' ? SPLITS : 'from checkouts c'
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int from (select ${from} where ${where} limit ${Math.floor(most)}) counted`,
    values,
  )
  return row?.count ?? 0
}

function splitConditions(filter: WholeFilter, place: Place) {
  const { add, done } = conditionsAt('s', filter, place)
  if (filter.within.length > 0) add((at) => `d.country = any(${at})`, filter.within)
  add((at) => `d.provider = ${at}`, filter.provider)
  add((at) => `d.country = ${at}`, filter.country)
  add((at) => `d.currency = ${at}`, filter.currency)
  add((at) => `d.amount >= ${at}::numeric`, filter.min)
  add((at) => `d.amount <= ${at}::numeric`, filter.max)
  add((at) => `d.failure_code = ${at}`, filter.failureCode)
  add((at) => `d.phone_number = any(${at})`, filter.phoneNumbers)
  add((at) => `d.details->>'clientReferenceId' = ${at}`, filter.clientReferenceId)
  add((at) => `d.details->'metadata' @> ${at}::jsonb`, metadataOf(filter))
  return done()
}

/** Whether a checkout `c` is for these countries alone. */
export const isWithin = (at: string): string =>
  `(jsonb_array_length(coalesce(c.terms->'countries', '[]')) > 0
    and c.terms->'countries' <@ to_jsonb(${at}::text[]))`

function checkoutConditions(filter: WholeFilter, place: Place) {
  const { add, done } = conditionsAt('c', filter, place)
  if (filter.within.length > 0) {
    add(isWithin, filter.within)
  }
  const asksFor = (condition: string): string =>
    `exists (select from jsonb_array_elements(c.terms->'amounts') a where ${condition})`
  add((at) => `c.terms->'countries' ? ${at}`, filter.country)
  add((at) => asksFor(`a->>'currency' = ${at}`), filter.currency)
  add((at) => asksFor(`(a->>'amount')::numeric >= ${at}::numeric`), filter.min)
  add((at) => asksFor(`(a->>'amount')::numeric <= ${at}::numeric`), filter.max)
  add((at) => `c.terms->>'clientReferenceId' = ${at}`, filter.clientReferenceId)
  add((at) => `c.terms->'metadata' @> ${at}::jsonb`, metadataOf(filter))
  return done()
}

const metadataOf = ({ metadata }: WholeFilter): string | undefined =>
  metadata && JSON.stringify(metadata)

/** Whose, when, in which state and from where on; conditions without a value are left out. */
function conditionsAt(table: 's' | 'c', filter: WholeFilter, { after, order }: Place) {
  const conditions: string[] = []
  const values: unknown[] = []
  const add = (condition: (place: string) => string, value: unknown): void => {
    if (value === undefined) return
    values.push(value)
    conditions.push(condition(`$${values.length}`))
  }
  const { fromMs, toMs } = filter
  const span = keySpan(present({ fromMs, toMs }))
  add((at) => `${table}.merchant_id = ${at}`, filter.merchantId)
  add((at) => `${table}.key >= ${at}::uuid and ${LISTED(table)}`, span.from)
  add((at) => `${table}.key < ${at}::uuid`, span.to)
  add((at) => `${table}.key ${order === 'oldest' ? '>' : '<'} ${at}::uuid`, after)
  add((at) => `${table}.state = any(${at})`, filter.states)
  return { add, done: () => ({ where: conditions.join(' and '), values }) }
}

const orderOf = (table: 's' | 'c', { order, limit }: Place): string =>
  `order by ${table}.key ${order === 'oldest' ? 'asc' : 'desc'} limit ${Math.floor(limit)}`
