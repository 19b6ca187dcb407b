import { keyAt, LAST_KEY } from '../../domain/callbacks/replay.ts'
import { type CountedHours, HOUR_MS } from '../../domain/payments/hours.ts'
import { LISTED } from '../engine/listed.ts'
import { SOURCE_OF } from './sources.ts'

/** What lists are narrowed down by: the columns of `payment_combinations`. */
const FACETS = [
  'kind',
  'country',
  'provider',
  'currency',
  'state',
  'failure_code',
  'source',
] as const

/** The facets of a payment `p`, in that order. */
export const FACETS_OF = `p.kind, p.country, p.provider, p.currency, p.state,
  coalesce(p.failure_code, ''), ${SOURCE_OF}`

/** What payments `p` are found by, each with a letter that says what it is. */
export const TERMS = `
  select 'n' || p.phone_number
  union all select 't' || p.provider_transaction_id where p.provider_transaction_id is not null
  union all select 'c' || (p.details->>'clientReferenceId') where p.details ? 'clientReferenceId'
  union all select 'm' || (m->>'value') from jsonb_array_elements(p.details->'metadata') m
    where p.details ? 'metadata'
  union all select 'f' || concat_ws('|', ${FACETS_OF})
  union all select 'a' || length(trunc(p.amount)::text) || ':' || left(trunc(p.amount)::text, 2)`

/** What checkouts `c` and payment links `l` are found by, with letters of their own. */
const CHECKOUT_TERMS = `
  select 'C' || (c.terms->>'clientReferenceId') where c.terms ? 'clientReferenceId'
  union all select 'M' || (m->>'value') from jsonb_array_elements(c.terms->'metadata') m
    where c.terms ? 'metadata'`
const LINK_TERMS = `select 'L' || l.reference where l.reference is not null`

/** All that is found by terms, beside payments: whose, its key, and each term. */
export const WHOLE_TERMS = `
  select c.merchant_id, c.key, t.term from checkouts c cross join lateral (${CHECKOUT_TERMS}) t (term)
  where ${LISTED('c')}
  union all
  select l.merchant_id, l.key, t.term from payment_links l
  cross join lateral (${LINK_TERMS}) t (term)
  where ${LISTED('l')}`

/** A row of `payment_combinations`, as in its term. */
export const COMBINATION = `concat_ws('|', ${FACETS.join(', ')})`

/** The same on every version of PostgreSQL; what was found by it is compared as a whole. */
export const hashOf = (text: string): string => `('x' || left(md5(${text}), 16))::bit(64)::bigint`

/** What people know of a payment. */
export type Known = {
  readonly phoneNumbers?: readonly string[] | undefined
  readonly transactionId?: string | undefined
  readonly clientReferenceId?: string | undefined
  /** Whole values; a name narrows it down to one field. */
  readonly metadata?: readonly { readonly name?: string; readonly value: string }[] | undefined
}

/** The terms of what is the rarest, any of which a payment has to have; undefined: nothing is known. */
export function termsOf(known: Known): readonly string[] | undefined {
  const { phoneNumbers, transactionId, clientReferenceId, metadata = [] } = known
  const [value] = metadata
  if (transactionId !== undefined) return [`t${transactionId}`]
  if (clientReferenceId !== undefined) return [`c${clientReferenceId}`]
  if (value !== undefined) return [`m${value.value}`]
  return phoneNumbers?.map((number) => `n${number}`)
}

/** Longer amounts than this are in no currency. */
const DIGITS_MAX = 18

/**
 * Amounts are found by their number of digits and the first two of them: few enough to name all that
 * lie between two amounts, and payments of a rare amount are among few.
 */
export function amountTerms(min: string | undefined, max: string | undefined): readonly string[] {
  const from = leadingOf(min ?? '0')
  const to = max === undefined ? { digits: DIGITS_MAX, lead: 99 } : leadingOf(max)
  const terms: string[] = []
  for (let { digits } = from; digits <= to.digits; digits += 1) {
    const first = digits === from.digits ? from.lead : digits === 1 ? 0 : 10
    const last = digits === to.digits ? to.lead : digits === 1 ? 9 : 99
    for (let lead = first; lead <= last; lead += 1) terms.push(`a${digits}:${lead}`)
  }
  return terms
}

function leadingOf(amount: string): { readonly digits: number; readonly lead: number } {
  const [whole = '0'] = amount.split('.')
  const plain = whole.replace(/^0+(?=\d)/, '')
  return { digits: plain.length, lead: Number(plain.slice(0, 2)) }
}

/** Where payments are looked through: what is not counted, as first keys and the keys after it. */
export function spansToLookThrough(hours: CountedHours | undefined): {
  readonly firsts: readonly string[]
  readonly nexts: readonly string[]
} {
  const open = hours?.openHours ?? []
  return {
    firsts: [keyAt(hours?.untilMs ?? 0), ...open.map(keyAt)],
    nexts: [LAST_KEY, ...open.map((hour) => keyAt(hour + HOUR_MS))],
  }
}
