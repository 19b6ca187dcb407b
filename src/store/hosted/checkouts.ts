import {
  ATTEMPTS_MAX,
  CHECKOUT_MACHINE,
  CHECKOUT_STATES,
  type Checkout,
  type CheckoutState,
  type CheckoutTerms,
  isFinalCheckout,
} from '../../domain/hosted/checkout.ts'
import {
  type MerchantId,
  type NodeId,
  type PaymentId,
  type PaymentKey,
  UNHELD,
} from '../../domain/ids.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import { ifGiven, present } from '../../domain/present.ts'
import type { Db } from '../engine/database.ts'
import { sqlList } from '../engine/sql-list.ts'
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from '../payments/payment-rows.ts'

/**
 * Checkouts as rows. The row decides: an attempt starts, a customer cancels and time runs out by one
 * statement each that leaves WAITING_PAYMENT, so of two at once one finds it gone. How an attempt
 * ends is part of `advance.ts`.
 */
type NewCheckout = Pick<
  Checkout,
  'merchantId' | 'id' | 'idAsSent' | 'key' | 'createdAt' | 'expiresAt' | 'terms'
> & { readonly codeHash: Buffer }

const { WAITING_PAYMENT: WAITING } = CHECKOUT_MACHINE
const OPEN_STATES = CHECKOUT_STATES.filter((state) => !isFinalCheckout(state))

/** False, and nothing is stored, when the merchant has a checkout of that name. */
export async function insertCheckout(db: Db, checkout: NewCheckout): Promise<boolean> {
  const rows = await db.query(
    `insert into checkouts
       (merchant_id, id, id_as_sent, key, code_hash, created_at, expires_at, due_at, expires_after,
        terms)
     select $1, $2, $3, $4, $5, created_at, expires_at, expires_at, expires_at - created_at, $8
     from (select to_timestamp($6::float8 / 1000) as created_at,
                  to_timestamp($7::float8 / 1000) as expires_at) as times
     on conflict (merchant_id, id) do nothing returning 1`,
    [
      checkout.merchantId,
      checkout.id,
      checkout.idAsSent,
      checkout.key,
      checkout.codeHash,
      checkout.createdAt,
      checkout.expiresAt,
      JSON.stringify(checkout.terms),
    ],
    'insert-checkout',
  )
  return rows.length === 1
}

type Row = Omit<PaymentRow, 'key'> & {
  readonly key: string | null
  readonly c_merchant_id: MerchantId
  readonly c_id: PaymentId
  readonly c_id_as_sent: string
  readonly c_key: PaymentKey
  readonly c_state: CheckoutState
  readonly c_terms: CheckoutTerms
  readonly c_created_ms: number
  readonly c_expires_ms: number
  readonly c_life_minutes: number
  readonly c_ended_ms: number | null
  readonly c_expiry_asked: boolean
  readonly c_on_hold: boolean
  readonly c_paid_attempt: PaymentId | null
}

/** The checkout beside each of its attempts: one look, so that they fit together. */
const SELECT = `
select ${PAYMENT_COLUMNS}, c.merchant_id as c_merchant_id, c.id as c_id,
       c.id_as_sent as c_id_as_sent, c.key as c_key, c.state as c_state, c.terms as c_terms,
       (extract(epoch from c.created_at) * 1000)::float8 as c_created_ms,
       (extract(epoch from c.expires_at) * 1000)::float8 as c_expires_ms,
       (extract(epoch from c.expires_after) / 60)::float8 as c_life_minutes,
       (extract(epoch from c.ended_at) * 1000)::float8 as c_ended_ms,
       c.expiry_asked_at is not null as c_expiry_asked, c.on_hold as c_on_hold,
       c.paid_attempt as c_paid_attempt
from checkouts c
left join payments p on p.merchant_id = c.merchant_id and p.checkout_id = c.id`

/** Keys are made in the order of time, also where two moments are equal. */
const IN_ORDER = 'order by p.created_at, p.key'

export async function findCheckout(
  db: Db,
  merchantId: MerchantId,
  id: PaymentId,
): Promise<Checkout | undefined> {
  const rows = await db.query<Row>(
    `${SELECT} where c.merchant_id = $1 and c.id = $2 ${IN_ORDER}`,
    [merchantId, id],
    'find-checkout',
  )
  return toCheckout(rows)
}

export async function findCheckoutByCode(db: Db, codeHash: Buffer): Promise<Checkout | undefined> {
  const rows = await db.query<Row>(
    `${SELECT} where c.code_hash = $1 ${IN_ORDER}`,
    [codeHash],
    'find-checkout-by-code',
  )
  return toCheckout(rows)
}

function toCheckout(rows: readonly Row[]): Checkout | undefined {
  const [row] = rows
  if (row === undefined) return undefined
  return {
    kind: 'checkout',
    merchantId: row.c_merchant_id,
    id: row.c_id,
    idAsSent: row.c_id_as_sent,
    key: row.c_key,
    generation: 'v2',
    state: row.c_state,
    createdAt: Math.round(row.c_created_ms),
    expiresAt: Math.round(row.c_expires_ms),
    expiresAfterMinutes: Math.round(row.c_life_minutes),
    isExpiryAsked: row.c_expiry_asked,
    isOnHold: row.c_on_hold,
    ...present({
      endedAt: ifGiven(row.c_ended_ms, Math.round),
      paidAttempt: row.c_paid_attempt,
    }),
    terms: row.c_terms,
    attempts: rows.filter((one) => one.key !== null).map((one) => toPayment(one as PaymentRow)),
  }
}

/**
 * Stores an attempt and takes the checkout for it, or does neither: false where the checkout does
 * not wait for a payment any more, or is on hold. One statement, so two tabs or two nodes start one attempt.
 */
export async function startAttempt(db: Db, payment: Payment, holder: NodeId): Promise<boolean> {
  const { preAuthorisationCode, ...details } = payment.details
  const rows = await db.query(
    `with started as (
       update checkouts set state = '${WAITING.start}', due_at = null, attempts = attempts + 1,
         latest_attempt = $3
       where merchant_id = $1 and id = $2 and state = 'WAITING_PAYMENT' and not on_hold
         and expiry_asked_at is null and attempts < ${ATTEMPTS_MAX}
         and expires_at > to_timestamp($6::float8 / 1000)
       returning merchant_id, id
     ), inserted as (
       insert into payments
         (merchant_id, kind, id, checkout_id, key, generation, created_at, amount, currency,
          country, provider, phone_number, pre_authorisation_code, details, state, holder, due_at)
       select merchant_id, 'deposit', $3, id, $4, $5, to_timestamp($6::float8 / 1000), $7::numeric,
              $8, $9, $10, $11, $12, $13::jsonb, 'ACCEPTED', $14, to_timestamp($6::float8 / 1000)
       from started
       returning 1
     )
     select 1 from inserted`,
    [
      payment.merchantId,
      payment.checkoutId,
      payment.id,
      payment.key,
      payment.generation,
      payment.createdAt,
      payment.amount,
      payment.currency,
      payment.country,
      payment.provider,
      payment.phoneNumber,
      preAuthorisationCode ?? null,
      JSON.stringify(details),
      holder,
    ],
    'start-attempt',
  )
  return rows.length === 1
}

/** The tail of a statement whose CTE `ended` holds checkouts that have just ended. */
const OWE = `
owed as (
  insert into callbacks
    (merchant_id, payment_key, state, kind, payment_id, created_at, status, holder, due_at,
     round_started_at, tries, attempts, resend)
  select e.merchant_id, e.key, e.state, 'checkout', e.id, e.at, 'PENDING', ${UNHELD}, e.at, e.at,
         0, 0, false
  from ended e
  left join callback_urls u on u.merchant_id = e.merchant_id and u.kind = 'checkout'
  left join listeners l on l.merchant_id = e.merchant_id
  where e.state not in (${sqlList(OPEN_STATES)}) and (u.kind is not null or l.merchant_id is not null)
  on conflict do nothing
)`

/**
 * The customer does not want to pay. False where it did not wait for a payment any more,
 * or is on hold.
 */
export async function cancelCheckout(
  db: Db,
  merchantId: MerchantId,
  id: PaymentId,
  now: number,
): Promise<boolean> {
  const rows = await db.query(
    `with ended as (
       update checkouts set due_at = null, ended_at = to_timestamp($3::float8 / 1000),
         state = case when expires_at <= to_timestamp($3::float8 / 1000) then '${WAITING.expire}'
                      else '${WAITING.cancel}' end
       where merchant_id = $1 and id = $2 and state = 'WAITING_PAYMENT' and not on_hold
       returning merchant_id, id, key, state, ended_at as at
     ), ${OWE}
     select 1 from ended`,
    [merchantId, id, now],
    'cancel-checkout',
  )
  return rows.length === 1
}

/**
 * The merchant wants no more attempts. One under way goes on, and so does doubt about one; what comes
 * of it decides. False where it is over.
 */
export async function askExpiry(
  db: Db,
  merchantId: MerchantId,
  id: PaymentId,
  now: number,
): Promise<boolean> {
  const rows = await db.query(
    `with ended as (
       update checkouts c set due_at = case when c.on_hold then c.due_at end,
         expiry_asked_at = coalesce(c.expiry_asked_at, to_timestamp($3::float8 / 1000)),
         ended_at = case when ${MAY_END} then to_timestamp($3::float8 / 1000) end,
         state = case when ${MAY_END} then '${WAITING.expire}' else c.state end
       where merchant_id = $1 and id = $2 and c.state in (${sqlList(OPEN_STATES)})
       returning c.merchant_id, c.id, c.key, c.state, to_timestamp($3::float8 / 1000) as at
     ), ${OWE}
     select 1 from ended`,
    [merchantId, id, now],
    'ask-expiry',
  )
  return rows.length === 1
}

const MAY_END = `c.state = 'WAITING_PAYMENT' and not c.on_hold`

/** While a case about an attempt is open, nothing ends; `holdCheckout` says when to go on. */
const IS_DECIDED = '(not c.on_hold or c.paid_attempt is not null)'

/**
 * Ends the checkouts whose time is up, or whose doubt is over; any node may ask, at any time. Answers
 * how many. Nodes that ask at the same moment look at the same ones, and one of them ends them.
 */
export async function expireCheckouts(db: Db, now: number, limit: number): Promise<number> {
  const rows = await db.query(
    `with late as materialized (
       select c.merchant_id, c.id, c.due_at from checkouts c
       where c.due_at <= to_timestamp($1::float8 / 1000) and ${IS_DECIDED}
       order by due_at limit $2
     ), due as (
       select c.merchant_id, c.id from late
       join checkouts c on c.merchant_id = late.merchant_id and c.id = late.id
         and c.due_at = late.due_at and ${IS_DECIDED}
       for update of c skip locked
     ), ended as (
       update checkouts c set due_at = null, ended_at = c.due_at,
         state = case when c.paid_attempt is not null then '${WAITING.complete}'
                      when c.attempts >= ${ATTEMPTS_MAX} and c.expiry_asked_at is null
                        and c.expires_at > to_timestamp($1::float8 / 1000)
                      then '${WAITING.exhaust}'
                      else '${WAITING.expire}' end
       from due where c.merchant_id = due.merchant_id and c.id = due.id
       returning c.merchant_id, c.id, c.key, c.state, to_timestamp($1::float8 / 1000) as at
     ), ${OWE}
     select 1 from ended`,
    [now, limit],
    'expire-checkouts',
  )
  return rows.length
}
