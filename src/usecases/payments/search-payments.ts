import { parsePaymentId } from '../../domain/ids.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import { PAYMENT_KINDS } from '../../domain/payments/payment-state.ts'
import { readShortReference } from '../../domain/payments/short-reference.ts'
import { findCheckoutByCode } from '../../store/hosted/checkouts.ts'
import { browsePayments } from '../../store/payments/browse.ts'
import type { BrowseFilter } from '../../store/payments/browse-filter.ts'
import type { LinkContext } from '../hosted/context.ts'
import type { Person } from '../people/context.ts'
import { checkoutFor, splitFor } from './browse-wholes.ts'

export type Found = {
  /** Newest first, without repeats. */
  readonly payments: readonly Payment[]
  readonly splitIds: readonly string[]
  readonly checkoutIds: readonly string[]
}

/** What is looked for, in the ways in which it may be meant. */
export type Question = {
  readonly text: string
  /** The same as phone numbers, in every spelling that fits the merchant's countries. */
  readonly phoneNumbers: readonly string[]
}

const SHOWN = 50

/** One text in every meaning that it may have. */
export async function searchPayments(
  ctx: LinkContext,
  person: Person,
  { text, phoneNumbers }: Question,
): Promise<Found> {
  const base: BrowseFilter = {
    merchantId: person.merchant.id,
    kinds: PAYMENT_KINDS,
    within: person.countries,
  }
  const by = (filter: Partial<BrowseFilter>): Promise<readonly Payment[]> =>
    browsePayments(ctx.db, { ...base, ...filter }, { limit: SHOWN })
  const id = parsePaymentId(text)
  const amount = amountIn(text)
  const [split, checkout, ...lists] = await Promise.all([
    id && splitFor(ctx, person, id),
    checkoutNamed(ctx, person, text),
    id && by({ ids: [id] }),
    by({
      anyOf: [
        { transactionId: text },
        { clientReferenceId: text },
        { metadata: [{ value: text }] },
        ...(phoneNumbers.length === 0 ? [] : [{ phoneNumbers }]),
      ],
    }),
    byReference(ctx, base, text),
    amount && by(amount),
  ])
  const unique = new Map(
    lists.flatMap((list) => list ?? []).map((payment) => [payment.key, payment]),
  )
  return {
    payments: [...unique.values()]
      .toSorted((one, other) => (one.key < other.key ? 1 : -1))
      .slice(0, SHOWN),
    splitIds: split === undefined ? [] : [split.id],
    checkoutIds: checkout === undefined ? [] : [checkout],
  }
}

/** By its identifier or by the code in its link. */
async function checkoutNamed(
  ctx: LinkContext,
  person: Person,
  text: string,
): Promise<string | undefined> {
  const direct = await checkoutFor(ctx, person, text)
  if (direct !== undefined) return direct.id
  const byCode = await findCheckoutByCode(ctx.db, ctx.hostedLinks.hashOf(text))
  if (byCode === undefined || byCode.merchantId !== person.merchant.id) return undefined
  return (await checkoutFor(ctx, person, byCode.id))?.id
}

/** The reference says the millisecond, and two digits of the key. */
async function byReference(
  ctx: LinkContext,
  base: BrowseFilter,
  text: string,
): Promise<readonly Payment[]> {
  const parts = readShortReference(text)
  if (parts === undefined) return []
  const filter = { ...base, fromMs: parts.ms, toMs: parts.ms + 1 }
  const found = await browsePayments(ctx.db, filter, { limit: 1000 })
  return found.filter(({ key }) => key.endsWith(parts.tail))
}

/** `15`, `15.00` or `15 ZMW`. */
function amountIn(text: string): Partial<BrowseFilter> | undefined {
  const [, given, currency] = /^(\d{1,12}(?:[.,]\d{1,2})?)(?:\s*([A-Za-z]{3}))?$/.exec(text) ?? []
  const amount = given?.replace(',', '.')
  if (amount === undefined) return undefined
  return { min: amount, max: amount, ...(currency && { currency: currency.toUpperCase() }) }
}
