import type { MerchantId, PaymentId, PaymentKey } from '../../domain/ids.ts'
import { UNHELD } from '../../domain/ids.ts'
import type { Generation, Payment } from '../../domain/payments/payment.ts'
import type { PaymentState } from '../../domain/payments/payment-state.ts'
import {
  partState,
  type SplitPart,
  type SplitPayment,
  splitState,
} from '../../domain/payments/split-payment.ts'
import { objects, plain, quoted } from '../engine/columns.ts'
import type { Database, Db } from '../engine/database.ts'
import { findPayment } from './payments.ts'

/** A split payment to be stored: its deposit, and its payouts that wait for it. */
type NewSplitPayment = {
  readonly key: PaymentKey
  readonly deposit: Payment
  readonly payouts: readonly Payment[]
  readonly holder: number
}

type AcceptedSplit =
  | { readonly result: 'NEW' }
  | { readonly result: 'REPEAT'; readonly createdAt: number }
  /** The identifier of the deposit or of a payout belongs to another payment already. */
  | { readonly result: 'TAKEN'; readonly kind: 'deposit' | 'payout'; readonly id: PaymentId }

class Taken extends Error {
  readonly kind: 'deposit' | 'payout'
  readonly id: PaymentId

  constructor(kind: 'deposit' | 'payout', id: PaymentId) {
    super(`the ${kind} ${id} exists`)
    this.kind = kind
    this.id = id
  }
}

/** All of it or nothing; an identifier that is taken undoes what was stored before it. */
export async function acceptSplitPayment(
  database: Database,
  split: NewSplitPayment,
): Promise<AcceptedSplit> {
  try {
    return await database.inTransaction((tx) => store(tx, split))
  } catch (error) {
    if (error instanceof Taken) return { result: 'TAKEN', kind: error.kind, id: error.id }
    throw error
  }
}

async function store(tx: Db, split: NewSplitPayment): Promise<AcceptedSplit> {
  const { deposit, payouts } = split
  const inserted = await tx.query(
    `insert into split_payments
       (merchant_id, id, id_as_sent, key, generation, created_at, parts, open_parts)
     values ($1, $2, $3, $4, $5, to_timestamp($6::float8 / 1000), $7, $8)
     on conflict do nothing returning 1`,
    [
      deposit.merchantId,
      deposit.id,
      deposit.idAsSent,
      split.key,
      deposit.generation,
      deposit.createdAt,
      JSON.stringify(payouts.map(partOf)),
      payouts.length,
    ],
  )
  if (inserted.length === 0) return repeatOf(tx, deposit)
  const [taken] = await insertPayments(tx, [deposit, ...payouts], split.holder)
  if (taken !== undefined) throw taken
  return { result: 'NEW' }
}

const partOf = (payout: Payment): SplitPart => ({
  payoutId: payout.idAsSent,
  amount: payout.amount,
  phoneNumber: payout.phoneNumber,
  provider: payout.provider,
})

async function repeatOf(tx: Db, deposit: Payment): Promise<AcceptedSplit> {
  const [row] = await tx.query<{ created_ms: number }>(
    `select (extract(epoch from created_at) * 1000)::float8 as created_ms from split_payments
     where merchant_id = $1 and id = $2`,
    [deposit.merchantId, deposit.id],
  )
  return { result: 'REPEAT', createdAt: Math.round(row?.created_ms ?? deposit.createdAt) }
}

/** Answers those whose identifier was taken. */
async function insertPayments(
  tx: Db,
  payments: readonly Payment[],
  holder: number,
): Promise<readonly Taken[]> {
  const isWaiting = ({ state }: Payment): boolean => state === 'WAITING'
  const rows = await tx.query<{ key: string }>(
    `with input as (
       select i.*, to_timestamp(created_ms / 1000) as created_at from rows from (
         unnest($1::int[], $2::text[], $3::uuid[], $4::text[], $5::uuid[], $6::text[], $7::float8[],
           $8::numeric[], $9::text[], $10::text[], $11::text[], $12::text[], $13::uuid[],
           $14::text[], $15::int[], $16::float8[], $17::text[]),
         jsonb_array_elements($18::jsonb))
       as i (merchant_id, kind, id, id_as_sent, key, generation, created_ms, amount, currency,
             country, provider, phone_number, split_id, state, holder, due_ms, code, details)
     ), inserted as (
       insert into payments
         (merchant_id, kind, id, id_as_sent, key, generation, created_at, amount, currency, country,
          provider, phone_number, split_id, state, holder, due_at, pre_authorisation_code, details)
       select merchant_id, kind, id, id_as_sent, key, generation, created_at, amount, currency,
              country, provider, phone_number, split_id, state, holder,
              to_timestamp(due_ms / 1000), code, details
       from input order by kind, id
       on conflict do nothing returning key
     )
     select key from inserted`,
    [
      plain(payments, (one) => one.merchantId),
      plain(payments, (one) => one.kind),
      plain(payments, (one) => one.id),
      quoted(payments, (one) => (one.idAsSent === one.id ? undefined : one.idAsSent)),
      plain(payments, (one) => one.key),
      plain(payments, (one) => one.generation),
      plain(payments, (one) => one.createdAt),
      plain(payments, (one) => one.amount),
      plain(payments, (one) => one.currency),
      plain(payments, (one) => one.country),
      plain(payments, (one) => one.provider),
      plain(payments, (one) => one.phoneNumber),
      plain(payments, (one) => one.splitId),
      plain(payments, (one) => one.state),
      plain(payments, (one) => (isWaiting(one) ? UNHELD : holder)),
      plain(payments, (one) => (isWaiting(one) ? Number.POSITIVE_INFINITY : one.createdAt)),
      quoted(payments, (one) => one.details.preAuthorisationCode),
      objects(payments, ({ details }) => {
        const { preAuthorisationCode: _, ...rest } = details
        return rest
      }),
    ],
    'insert-split',
  )
  const stored = new Set(rows.map((row) => row.key))
  return payments
    .filter((one) => !stored.has(one.key))
    .map((one) => new Taken(one.kind === 'deposit' ? 'deposit' : 'payout', one.id))
}

export async function findSplitPayment(
  db: Db,
  merchantId: MerchantId,
  id: PaymentId,
): Promise<SplitPayment | undefined> {
  type Row = {
    key: PaymentKey
    id_as_sent: string
    generation: Generation
    created_ms: number
    parts: readonly SplitPart[]
    states: Readonly<Record<string, PaymentState>>
  }
  const [row] = await db.query<Row>(
    `select s.key, s.id_as_sent, s.generation, s.parts,
            (extract(epoch from s.created_at) * 1000)::float8 as created_ms,
            coalesce((select jsonb_object_agg(p.id, p.state) from payments p
                      where p.merchant_id = s.merchant_id and p.split_id = s.id
                        and p.kind = 'payout'), '{}') as states
     from split_payments s where s.merchant_id = $1 and s.id = $2`,
    [merchantId, id],
    'find-split-payment',
  )
  const deposit = row && (await findPayment(db, merchantId, 'deposit', id))
  if (row === undefined || deposit === undefined) return undefined
  const parts = row.parts.map((part) => ({
    ...part,
    state: partState(deposit.state, row.states[part.payoutId.toLowerCase()]),
  }))
  return {
    kind: 'splitPayment',
    merchantId,
    id,
    idAsSent: row.id_as_sent,
    key: row.key,
    generation: row.generation,
    createdAt: Math.round(row.created_ms),
    state: splitState(
      deposit.state,
      parts.map((part) => part.state),
    ),
    deposit,
    parts,
  }
}
