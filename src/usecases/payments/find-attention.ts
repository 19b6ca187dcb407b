import {
  type Attention,
  type Contradiction,
  countFailedCallbacks,
  countStuck,
  listContradictions,
  type OpenCount,
} from '../../store/payments/attention.ts'
import type { Context } from '../context.ts'

export type NeedsAttention = {
  readonly stuck: readonly OpenCount[]
  readonly contradictions: readonly Contradiction[]
  /** There are more than these. */
  readonly hasMore: boolean
  readonly failedCallbacks: number
}

const LISTED_AT_MOST = 20

/** `of` the filter of the page; callbacks are `all` that the person may see. */
export async function findAttention(
  { db }: Pick<Context, 'db'>,
  of: Attention,
  all: Attention,
): Promise<NeedsAttention> {
  const [stuck, found, failedCallbacks] = await Promise.all([
    countStuck(db, of),
    listContradictions(db, of, LISTED_AT_MOST + 1),
    countFailedCallbacks(db, all),
  ])
  const hasMore = found.length > LISTED_AT_MOST
  return { stuck, contradictions: found.slice(0, LISTED_AT_MOST), hasMore, failedCallbacks }
}
