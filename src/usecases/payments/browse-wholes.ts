import type { Checkout } from '../../domain/hosted/checkout.ts'
import { parsePaymentId } from '../../domain/ids.ts'
import type { SplitPayment } from '../../domain/payments/split-payment.ts'
import {
  type ListedCheckout,
  type ListedSplit,
  listCheckouts,
  listSplits,
  type WholeFilter,
} from '../../store/payments/wholes.ts'
import type { Context } from '../context.ts'
import { findCheckout } from '../hosted/find-checkout.ts'
import type { Person } from '../people/context.ts'
import { findSplit } from './find-split-payment.ts'

export type { ListedCheckout, ListedSplit, WholeFilter }

export const splitsOf = (ctx: Context, filter: WholeFilter): Promise<readonly ListedSplit[]> =>
  listSplits(ctx.db, filter)

export const checkoutsOf = (
  ctx: Context,
  filter: WholeFilter,
): Promise<readonly ListedCheckout[]> => listCheckouts(ctx.db, filter)

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
