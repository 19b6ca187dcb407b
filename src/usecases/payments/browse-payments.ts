import { FIRST_KEY } from '../../domain/callbacks/replay.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import {
  browsePayments,
  countPayments,
  lookThrough,
  ORDERS,
  type Order,
} from '../../store/payments/browse.ts'
import type { BrowseFilter } from '../../store/payments/browse-filter.ts'
import { SOURCES, type Source } from '../../store/payments/sources.ts'
import type { Context } from '../context.ts'
import { NEWER_AT_MOST } from './arrivals.ts'

export { type BrowseFilter, FIRST_KEY, ORDERS, type Order, SOURCES }

/** More are counted as "more than". */
export const COUNTED_AT_MOST = 10_000

export type Counted = { readonly count: number; readonly isCountedWhole: boolean }

type PaymentPage = Counted & {
  readonly payments: readonly Payment[]
  /** Where the next page begins; undefined on the last one. */
  readonly next: string | undefined
}

export type PageWanted = {
  readonly after: string | undefined
  readonly per: number
  readonly order: Order
}

export async function pageOfPayments(
  ctx: Context,
  filter: BrowseFilter,
  { after, per, order }: PageWanted,
): Promise<PaymentPage> {
  const [found, count] = await Promise.all([
    browsePayments(ctx.db, filter, { after, limit: per + 1, order }),
    countPayments(ctx.db, filter, COUNTED_AT_MOST + 1),
  ])
  const payments = found.slice(0, per)
  return {
    payments,
    next: found.length > per ? payments.at(-1)?.key : undefined,
    count: Math.min(count, COUNTED_AT_MOST),
    isCountedWhole: count <= COUNTED_AT_MOST,
  }
}

/** Those that came after this one. */
export const countNewer = (ctx: Context, filter: BrowseFilter, since: string): Promise<number> =>
  countPayments(ctx.db, { ...filter, newerThan: since }, NEWER_AT_MOST)

const PIECE = 1000

/** All of them, read piece by piece: no more are in memory at once. */
export async function* everyPayment(
  ctx: Context,
  filter: BrowseFilter,
  order: Order = 'newest',
): AsyncGenerator<Payment> {
  let after: string | undefined
  for (;;) {
    const piece = await lookThrough(ctx.db, filter, { after, limit: PIECE, order })
    yield* piece
    after = piece.at(-1)?.key
    if (piece.length < PIECE) return
  }
}

/** Where a payment came from. */
export function sourceOf({ splitId, checkoutId, details }: Payment): Source {
  const named = SOURCES.find((source) => source === details.source)
  if (named !== undefined) return named
  if (splitId !== undefined) return 'SPLIT'
  if (checkoutId !== undefined) return 'CHECKOUT'
  return details.pageKey === undefined ? 'API' : 'PAYMENT_PAGE'
}
