import { COMPANIONS, type Companion } from '../../domain/archive/manifest.ts'
import { keyAt } from '../../domain/callbacks/replay.ts'
import type { MerchantId } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'
import { keyMs } from '../payments/hours.ts'

/** A piece of a merchant's time; the start belongs to it, the end does not. */
export type Slice = {
  readonly merchantId: MerchantId
  readonly startAt: number
  readonly endAt: number
}

/** The tables that go into the archive with the movements, by the time of the payment's key. */
export const TABLES: Readonly<Record<Companion, string>> = {
  events: 'payment_events',
  callbacks: 'callbacks',
  attempts: 'callback_attempts',
  exchanges: 'operator_exchanges',
}

export const keysOf = ({
  merchantId,
  startAt,
  endAt,
}: Slice): readonly [MerchantId, string, string] => [merchantId, keyAt(startAt), keyAt(endAt)]

const NTH_TRANSFER = `
  select (extract(epoch from at) * 1000)::float8 from transfers
  where merchant_id = $1 and at >= to_timestamp($2::float8 / 1000)
    and at < to_timestamp($3::float8 / 1000)
  order by at offset $6 limit 1`

const nthOf = (table: string): string => `
  select ${keyMs('payment_key')}::float8 from ${table}
  where merchant_id = $1 and payment_key >= $4 and payment_key < $5
  order by payment_key offset $6 limit 1`

/**
 * The first part of a slice in which no table has many more than so many rows: one is found in each
 * index by counting, so it costs little. It is never empty, and ends between two milliseconds.
 */
export async function firstPart(db: Db, slice: Slice, rows: number): Promise<Slice> {
  const nths = [NTH_TRANSFER, ...COMPANIONS.map((one) => nthOf(TABLES[one]))]
  const [, firstKey, endKey] = keysOf(slice)
  const [found] = await db.query<{ at: number | null }>(
    `select least(${nths.map((nth) => `(${nth})`).join(', ')}) as at`,
    [slice.merchantId, slice.startAt, slice.endAt, firstKey, endKey, rows],
  )
  if (found?.at == null) return slice
  return { ...slice, endAt: Math.min(slice.endAt, Math.floor(found.at) + 1) }
}

/** A whole slice in such parts, each looked for when the one before it is done. */
export async function* partsOf(db: Db, slice: Slice, rows: number): AsyncGenerator<Slice> {
  let { startAt } = slice
  while (startAt < slice.endAt) {
    const part = await firstPart(db, { ...slice, startAt }, rows)
    yield part
    startAt = part.endAt
  }
}
