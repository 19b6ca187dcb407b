import type { MerchantId } from '../../domain/ids.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import {
  PAYMENT_KINDS,
  type PaymentKind,
  type PaymentState,
} from '../../domain/payments/payment-state.ts'
import type { Db } from '../engine/database.ts'
import { sqlList } from '../engine/sql-list.ts'
import { PAYMENT_COLUMNS, type PaymentRow, toPayment } from './payment-rows.ts'

/** Finding payments for people: by what they know of one, or the latest of some kind. */
type PaymentFilter = {
  readonly merchantId?: MerchantId
  readonly kind?: PaymentKind
  readonly state?: PaymentState
  readonly provider?: string
  readonly account?: string
  readonly phoneNumber?: string
  readonly from?: number
  readonly to?: number
}

/** The latest first. */
export async function listPayments(
  db: Db,
  filter: PaymentFilter,
  limit: number,
): Promise<readonly Payment[]> {
  const rows = await db.query<PaymentRow>(
    `select ${PAYMENT_COLUMNS} from payments p
     where ($1::int is null or p.merchant_id = $1) and ($2::text is null or p.kind = $2)
       and ($3::text is null or p.state = $3) and ($4::text is null or p.provider = $4)
       and ($5::text is null or p.operator_account = $5 or p.operator_ids->>'account' = $5)
       and ($6::text is null or p.phone_number = $6)
       and ($7::float8 is null or p.created_at >= to_timestamp($7::float8 / 1000))
       and ($8::float8 is null or p.created_at < to_timestamp($8::float8 / 1000))
     order by p.created_at desc limit $9`,
    [
      filter.merchantId ?? null,
      filter.kind ?? null,
      filter.state ?? null,
      filter.provider ?? null,
      filter.account ?? null,
      filter.phoneNumber ?? null,
      filter.from ?? null,
      filter.to ?? null,
      limit,
    ],
  )
  return rows.map(toPayment)
}

/** Of every kind and merchant: the identifiers of merchants may be the same. */
export async function findPaymentsById(db: Db, id: string): Promise<readonly Payment[]> {
  const rows = await db.query<PaymentRow>(
    `select ${PAYMENT_COLUMNS} from payments p
     where p.id = $1 and p.merchant_id = any(array(select merchant_id from merchants))
       and p.kind in (${sqlList(PAYMENT_KINDS)})`,
    [id],
  )
  return rows.map(toPayment)
}
