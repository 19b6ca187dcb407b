import type { MerchantId } from '../../domain/ids.ts'
import { type Period, partsOf } from '../../domain/payments/hours.ts'
import { type Count, findCountedHours, readCounts } from '../../store/payments/hours.ts'
import type { Context } from '../context.ts'

export type { Count }

/** Whose payments are counted, and of which countries; undefined: all. */
type CountedFor = {
  readonly merchantId: MerchantId
  readonly countries: readonly string[] | undefined
}

/**
 * How many payments there are of each outcome in each period, and what they add up to. A payment
 * belongs to the period of the time in its key.
 */
export async function countOutcomes(
  ctx: Pick<Context, 'db'>,
  { merchantId, countries }: CountedFor,
  periods: readonly Period[],
  by: 'outcome' | 'wallet' = 'outcome',
): Promise<readonly Count[]> {
  const parts = partsOf(periods, await findCountedHours(ctx.db, merchantId))
  return readCounts(ctx.db, { merchantId, parts, countries }, by)
}
