import type { Checkout } from '../../domain/hosted/checkout.ts'
import { parsePaymentId } from '../../domain/ids.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import type { SplitPayment } from '../../domain/payments/split-payment.ts'
import { type DeliveryRecord, findDeliveries } from '../../store/callbacks/deliveries.ts'
import { browsePayments } from '../../store/payments/browse.ts'
import { findTimeline, type StateChange } from '../../store/payments/story.ts'
import {
  countWholes,
  type ListedCheckout,
  type ListedSplit,
  listCheckouts,
  listSplits,
  type WholeFilter,
} from '../../store/payments/wholes.ts'
import { archivedYearOf } from '../archive/archived.ts'
import type { Context } from '../context.ts'
import { findCheckout } from '../hosted/find-checkout.ts'
import type { Person } from '../people/context.ts'
import { COUNTED_AT_MOST, type Counted, type PageWanted } from './browse-payments.ts'
import { findSplit } from './find-split-payment.ts'

/** What happened to a split payment or a checkout. */
export type WholeStory = {
  /** Of each of its payments, oldest first. */
  readonly payments: readonly {
    readonly payment: Payment
    readonly states: readonly StateChange[]
  }[]
  /** Of the whole itself. */
  readonly callbacks: readonly DeliveryRecord[]
  /** The files of this year have its callbacks. */
  readonly archivedIn: number | undefined
}

/** More than a split payment has parts. */
const PARTS_MAX = 200

export async function storyOfSplit(ctx: Context, split: SplitPayment): Promise<WholeStory> {
  const { merchantId, id: splitId } = split
  const kinds = ['deposit', 'payout'] as const
  const filter = { merchantId, kinds, within: [], splitId }
  const order = 'oldest'
  return storyOfAll(ctx, split, await browsePayments(ctx.db, filter, { limit: PARTS_MAX, order }))
}

export const storyOfCheckout = (ctx: Context, checkout: Checkout): Promise<WholeStory> =>
  storyOfAll(ctx, checkout, checkout.attempts)

async function storyOfAll(
  { db }: Context,
  whole: Pick<Checkout, 'merchantId' | 'key'>,
  payments: readonly Payment[],
): Promise<WholeStory> {
  const { merchantId, key } = whole
  const [callbacks, archivedIn, ...parts] = await Promise.all([
    findDeliveries(db, merchantId, key),
    archivedYearOf(db, whole),
    ...payments.map(async (payment) => {
      return { payment, states: await findTimeline(db, merchantId, payment.key) }
    }),
  ])
  return { payments: parts, callbacks, archivedIn }
}

export type { ListedCheckout, ListedSplit }

type WholePage<Row> = Counted & {
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
