import { type PaymentId, parsePaymentId } from '../../domain/ids.ts'
import type { Payment } from '../../domain/payments/payment.ts'
import { PAYMENT_KINDS } from '../../domain/payments/payment-state.ts'
import { readShortReference } from '../../domain/payments/short-reference.ts'
import { likelyAmount } from '../../domain/payments/typed-amount.ts'
import { may } from '../../domain/people/roles.ts'
import { present } from '../../domain/present.ts'
import { findCheckoutByCode } from '../../store/hosted/checkouts.ts'
import { browsePayments, findIdsFrom } from '../../store/payments/browse.ts'
import type { BrowseFilter } from '../../store/payments/browse-filter.ts'
import {
  type FoundWhole,
  findCheckoutsBy,
  findLinksBy,
  type WholeQuestion,
} from '../../store/payments/found-wholes.ts'
import type { LinkContext } from '../hosted/context.ts'
import type { Person } from '../people/context.ts'
import { checkoutFor, splitFor } from './browse-wholes.ts'

export type { FoundWhole }

export type Found = {
  /** Newest first, without repeats. */
  readonly payments: readonly Payment[]
  readonly splits: readonly FoundWhole[]
  readonly checkouts: readonly FoundWhole[]
  readonly links: readonly FoundWhole[]
}

/** What is looked for, in the ways in which it may be meant. */
type Question = {
  readonly text: string
  /** The same as phone numbers, in every spelling that fits the merchant's countries. */
  readonly phoneNumbers: readonly string[]
}

const SHOWN = 50

/** References and transactions are mostly in capitals, and people type them as they like. */
const spellingsOf = (text: string): readonly string[] => [...new Set([text, text.toUpperCase()])]

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
  const id = idIn(text)
  const amount = amountIn(text)
  const references = spellingsOf(text)
  const [split, checkout, referred, tagged, ...lists] = await Promise.all([
    id && splitFor(ctx, person, id),
    checkoutNamed(ctx, person, text),
    wholesBy(ctx, person, { references }),
    wholesBy(ctx, person, { metadata: [{ value: text }] }),
    id && by({ ids: [id] }),
    by({
      anyOf: [
        ...references.flatMap((one) => [{ transactionId: one }, { clientReferenceId: one }]),
        { metadata: [{ value: text }] },
        ...(phoneNumbers.length === 0 ? [] : [{ phoneNumbers }]),
      ],
    }),
    byReference(ctx, base, text),
    byFirstOfId(ctx, base, text),
    amount && by(amount),
  ])
  const payments = uniqueBy(
    lists.flatMap((list) => list ?? []),
    ({ key }) => key,
  )
    .toSorted((one, other) => (one.key < other.key ? 1 : -1))
    .slice(0, SHOWN)
  const named = payments.filter(({ details: { clientReferenceId: one } }) =>
    references.some((reference) => reference === one),
  )
  return {
    payments,
    splits: uniqueWholes([...splitsOf(named), ...(split ? [wholeOf(split, split.deposit)] : [])]),
    checkouts: uniqueWholes([
      ...(checkout ? [wholeOf(checkout, checkout)] : []),
      ...referred.checkouts,
      ...tagged.checkouts,
    ]),
    links: referred.links,
  }
}

/** The latest payments that fit each filter, and one more where there are more than `shown`. */
export const searchByFields = (
  ctx: LinkContext,
  filters: readonly BrowseFilter[],
  shown: number,
): Promise<readonly (readonly Payment[])[]> =>
  Promise.all(filters.map((filter) => browsePayments(ctx.db, filter, { limit: shown + 1 })))

/** What is more than a payment, by what merchants call it. */
export async function wholesBy(
  ctx: LinkContext,
  person: Person,
  by: Pick<WholeQuestion, 'references' | 'metadata'>,
): Promise<Pick<Found, 'checkouts' | 'links'>> {
  const question = { merchantId: person.merchant.id, within: person.countries, ...by }
  const [checkouts, links] = await Promise.all([
    findCheckoutsBy(ctx.db, question, SHOWN),
    may(person.role, 'links:create') ? findLinksBy(ctx.db, question, SHOWN) : [],
  ])
  return { checkouts, links }
}

/** The split payments to which these deposits belong. */
export const splitsOf = (payments: readonly Payment[]): readonly FoundWhole[] =>
  payments.flatMap(({ kind, splitId, createdAt }) =>
    kind === 'deposit' && splitId !== undefined ? [{ id: splitId, createdMs: createdAt }] : [],
  )

const wholeOf = (
  { id, state }: { readonly id: string; readonly state: string },
  { createdAt }: { readonly createdAt: number },
): FoundWhole => ({ id, state, createdMs: createdAt })

const uniqueWholes = (wholes: readonly FoundWhole[]): readonly FoundWhole[] =>
  uniqueBy(wholes, ({ id }) => id)

const uniqueBy = <T>(all: readonly T[], nameOf: (one: T) => string): readonly T[] => [
  ...new Map(all.map((one) => [nameOf(one), one])).values(),
]

/** With or without its dashes. */
const idIn = (text: string): PaymentId | undefined =>
  parsePaymentId(
    text.replace(/^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})/i, '$1-$2-$3-$4-'),
  )

/** By its identifier or by the code in its link. */
async function checkoutNamed(ctx: LinkContext, person: Person, text: string) {
  const direct = await checkoutFor(ctx, person, idIn(text) ?? '')
  if (direct !== undefined) return direct
  const byCode = await findCheckoutByCode(ctx.db, ctx.hostedLinks.hashOf(text))
  if (byCode === undefined || byCode.merchantId !== person.merchant.id) return undefined
  return checkoutFor(ctx, person, byCode.id)
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

/** The first group of an identifier, as people read it out of a mail or a log. */
async function byFirstOfId(
  ctx: LinkContext,
  base: BrowseFilter,
  text: string,
): Promise<readonly Payment[]> {
  if (!/^[0-9a-f]{8}$/i.test(text)) return []
  const ids = await findIdsFrom(ctx.db, base, text, SHOWN)
  return ids.length === 0 ? [] : browsePayments(ctx.db, { ...base, ids }, { limit: SHOWN })
}

/** `15`, `15.00`, `1,100.00`, `1 100 ZMW` or `ZMW 1100`. */
function amountIn(text: string): Partial<BrowseFilter> | undefined {
  const [, before, given = '', after] =
    /^(?:([A-Za-z]{3})\s*)?(\d.*?)(?:\s*([A-Za-z]{3}))?$/.exec(text) ?? []
  const currency = before ?? after
  const amount = likelyAmount(given)
  if (amount === undefined) return undefined
  return { min: amount, max: amount, ...present({ currency: currency?.toUpperCase() }) }
}
