import type { Checkout } from '../../domain/hosted/checkout.ts'
import { parsePaymentId } from '../../domain/ids.ts'
import type { SplitPayment } from '../../domain/payments/split-payment.ts'
import {
  countWholes,
  type ListedCheckout,
  type ListedSplit,
  listCheckouts,
  listSplits,
  type WholeFilter,
} from '../../store/payments/wholes.ts'
import type { Context } from '../context.ts'
import { findCheckout } from '../hosted/find-checkout.ts'
import type { Person } from '../people/context.ts'
import { COUNTED_AT_MOST, type Counted, type PageWanted } from './browse-payments.ts'
import { findSplit } from './find-split-payment.ts'

export type { ListedCheckout, ListedSplit, WholeFilter }

export type WholePage<Row> = Counted & {
  readonly rows: readonly Row[]
  /** Where the next page begins; undefined on the last one. */
  readonly next: string | undefined
}

export const pageOfSplits = (
  ctx: Context,
  filter: WholeFilter,
  wanted: PageWanted,
): Promise<WholePage<ListedSplit>> =>
  pageOf(
    wanted,
    (place) => listSplits(ctx.db, filter, place),
    countWholes(ctx.db, 'splits', filter, COUNTED_AT_MOST + 1),
  )

export const pageOfCheckouts = (
  ctx: Context,
  filter: WholeFilter,
  wanted: PageWanted,
): Promise<WholePage<ListedCheckout>> =>
  pageOf(
    wanted,
    (place) => listCheckouts(ctx.db, filter, place),
    countWholes(ctx.db, 'checkouts', filter, COUNTED_AT_MOST + 1),
  )

async function pageOf<Row extends { readonly key: string }>(
  { after, per, order }: PageWanted,
  read: (place: Omit<PageWanted, 'per'> & { readonly limit: number }) => Promise<readonly Row[]>,
  counting: Promise<number>,
): Promise<WholePage<Row>> {
  const [found, count] = await Promise.all([read({ after, order, limit: per + 1 }), counting])
  const rows = found.slice(0, per)
  return {
    rows,
    next: found.length > per ? rows.at(-1)?.key : undefined,
    count: Math.min(count, COUNTED_AT_MOST),
    isCountedWhole: count <= COUNTED_AT_MOST,
  }
}

/** Undefined where it does not exist, is another merchant's, or of a country not theirs. */
export async function splitFor(
  ctx: Context,
  { merchant, countries }: Person,
  idText: string,
): Promise<SplitPayment | undefined> {
  const id = parsePaymentId(idText)
  const split = id && (await findSplit(ctx, merchant, id))
  if (split === undefined || countries.length === 0) return split
  return countries.includes(split.deposit.country) ? split : undefined
}

export async function checkoutFor(
  ctx: Context,
  { merchant, countries }: Person,
  idText: string,
): Promise<Checkout | undefined> {
  const id = parsePaymentId(idText)
  const checkout = id && (await findCheckout(ctx, merchant, id))
  if (checkout === undefined || countries.length === 0) return checkout
  const meant = checkout.terms.countries ?? []
  const isWithin = meant.length > 0 && meant.every((country) => countries.includes(country))
  return isWithin ? checkout : undefined
}
