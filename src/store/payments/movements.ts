import { type Amount, parseSum } from '../../domain/amount.ts'
import type { MerchantId } from '../../domain/ids.ts'
import { invariant } from '../../domain/invariant.ts'
import type { AccountName } from '../../domain/payments/ledger.ts'
import type { MetadataEntry } from '../../domain/payments/payment.ts'
import {
  PAYMENT_KINDS,
  type PaymentKind,
  type PaymentState,
} from '../../domain/payments/payment-state.ts'
import { ifGiven, present } from '../../domain/present.ts'
import type { MovedPayment, Movement } from '../../domain/statements/statement-file.ts'
import { requireRows } from '../archive/years.ts'
import type { Db } from '../engine/database.ts'
import { sqlList } from '../engine/sql-list.ts'

/** What happened to one wallet, read at one moment: `tx` is a transaction of its own. */
export type WalletPeriod = {
  readonly merchantId: MerchantId
  readonly wallet: AccountName
  readonly startAt: number
  readonly endAt: number
}

/**
 * Everything read afterwards is of this moment, whatever is written meanwhile. Throws
 * `ArchivedPeriod` where movements of the period are in files alone.
 */
export async function beginReading(
  tx: Db,
  { merchantId, startAt }: Pick<WalletPeriod, 'merchantId' | 'startAt'>,
): Promise<void> {
  await tx.query('set transaction isolation level repeatable read, read only')
  await requireRows(tx, merchantId, startAt)
  // Movements come in the order of the index, so that the first is there at once and none is kept.
  await tx.query('set local enable_bitmapscan = off; set local enable_material = off')
}

/** The balance right before a moment: days are summed up already, so only one day is looked at. */
export async function balanceAt(
  tx: Db,
  { merchantId, wallet }: WalletPeriod,
  at: number,
): Promise<Amount> {
  const [row] = await tx.query<{ balance: string }>(
    `with moment as (select to_timestamp($3::float8 / 1000) as at),
     day as (select at, (at at time zone 'UTC')::date as date from moment)
     select (coalesce((select sum(d.change) from account_days d, day
                       where d.merchant_id = $1 and d.account = $2 and d.day < day.date), 0)
           + coalesce((select sum(case when t.credit = $2 then t.amount else -t.amount end)
                       from transfers t, day
                       where t.merchant_id = $1 and (t.debit = $2 or t.credit = $2)
                         and t.at >= day.date::timestamp at time zone 'UTC' and t.at < day.at), 0)
            )::text as balance`,
    [merchantId, wallet, at],
  )
  return amountOf(row?.balance ?? '')
}

export type MovementRow = {
  readonly key: string
  readonly cause: string
  readonly at_ms: number
  readonly at_us: string
  readonly amount: string
  readonly is_credit: boolean
  readonly kind: PaymentKind | null
  readonly id_as_sent: string
  readonly state: PaymentState
  readonly completed_ms: number | null
  readonly checkout_id: string | null
  readonly split_id: string | null
  readonly refund_of: string | null
  readonly client_reference_id: string | null
  readonly phone_number: string
  readonly provider: string
  readonly country: string
  readonly provider_transaction_id: string | null
  readonly customer_message: string | null
  readonly failure_code: string | null
  readonly metadata: readonly MetadataEntry[] | null
}

/** In one moment money comes in before it is held, and is held before it comes back. */
export const RANK = `case t.cause when 'ACCEPTED' then 1 when 'FAILED' then 2 else 0 end`

const FACTS = `
t.key, t.cause, (extract(epoch from t.at) * 1000)::float8 as at_ms,
(extract(epoch from t.at) * 1000000)::bigint::text as at_us, t.amount::text as amount,
p.kind, coalesce(p.id_as_sent, p.id::text) as id_as_sent, p.state,
(extract(epoch from p.ended_at) * 1000)::float8 as completed_ms,
(select c.id_as_sent from checkouts c
 where c.merchant_id = p.merchant_id and c.id = p.checkout_id) as checkout_id,
coalesce(s.id_as_sent, p.split_id::text) as split_id,
coalesce(p.details ->> 'depositId', p.refund_of::text) as refund_of,
p.details ->> 'clientReferenceId' as client_reference_id, p.phone_number, p.provider,
p.country, p.provider_transaction_id, p.details ->> 'customerMessage' as customer_message,
p.failure_code, p.details -> 'metadata' as metadata`

/**
 * The kind of a payment is not kept with its transfers: it is found by looking under each of the
 * four, which costs the reader little and the writer nothing. "offset 0" keeps the planner from
 * joining in its own way: with no or old statistics it reads all payments for each transfer.
 */
const SOURCE = `
from transfers t
left join lateral (
  select * from payments
  where merchant_id = t.merchant_id and kind in (${sqlList(PAYMENT_KINDS)})
    and id = t.payment_id and key = t.key
  offset 0) p on true
left join split_payments s on s.merchant_id = p.merchant_id and s.id = p.split_id`

export const MOVEMENTS = `
select t.credit = $2 as is_credit, ${FACTS} ${SOURCE}
where t.merchant_id = $1 and (t.debit = $2 or t.credit = $2)
  and t.at >= to_timestamp($3::float8 / 1000) and t.at < to_timestamp($4::float8 / 1000)`

/** Of all accounts of a merchant. */
export const ALL_MOVEMENTS = `
select t.debit, t.credit, t.payment_id, false as is_credit, ${FACTS} ${SOURCE}
where t.merchant_id = $1
  and t.at >= to_timestamp($2::float8 / 1000) and t.at < to_timestamp($3::float8 / 1000)
order by t.at, ${RANK}, t.key, t.cause`

const FETCHED_AT_ONCE = 250

/** Every movement of the period in order, some at a time: a million need no more room than a few. */
export async function* readMovements(
  tx: Db,
  { merchantId, wallet, startAt, endAt }: WalletPeriod,
): AsyncGenerator<readonly Movement[]> {
  await tx.query(
    `declare movements no scroll cursor for ${MOVEMENTS} order by t.at, ${RANK}, t.key, t.cause`,
    [merchantId, wallet, startAt, endAt],
  )
  for (;;) {
    const rows = await tx.query<MovementRow>(`fetch ${FETCHED_AT_ONCE} from movements`)
    if (rows.length > 0) yield rows.map(toMovement)
    if (rows.length < FETCHED_AT_ONCE) return
  }
}

export function toMovement(row: MovementRow): Movement {
  return {
    key: row.key,
    cause: row.cause,
    at: Math.round(row.at_ms),
    amount: amountOf(row.amount),
    isCredit: row.is_credit,
    ...present({ payment: row.kind && toPayment(row, row.kind) }),
  }
}

function toPayment(row: MovementRow, kind: PaymentKind): MovedPayment {
  return {
    kind,
    idAsSent: row.id_as_sent,
    state: row.state,
    phoneNumber: row.phone_number,
    provider: row.provider,
    country: row.country,
    ...present({
      completedAt: ifGiven(row.completed_ms, Math.round),
      checkoutId: row.checkout_id,
      splitId: row.split_id,
      refundOf: row.refund_of,
      clientReferenceId: row.client_reference_id,
      providerTransactionId: row.provider_transaction_id,
      customerMessage: row.customer_message,
      failureCode: row.failure_code,
      metadata: row.metadata,
    }),
  }
}

export function amountOf(numeric: string): Amount {
  const amount = parseSum(numeric)
  invariant(amount !== undefined, `the ledger holds ${numeric}`)
  return amount
}
