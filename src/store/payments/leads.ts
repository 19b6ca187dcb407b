import type { Db } from '../engine/database.ts'
import type { BrowseFilter } from './browse-filter.ts'
import { amountTerms, COMBINATION, hashOf, type Known, termsOf } from './terms.ts'

/** Terms that lead to payments: any of them. */
export type Lead = {
  readonly terms: readonly string[]
  /** All that have one of the terms are wanted, and nothing else of them need be compared. */
  readonly isExact: boolean
}

/** Enough to see which of two is rarer. */
const COMPARED_AT_MOST = 10_001

/** What leads to the fewest payments; undefined: an index of payments does, or they are looked through. */
export async function leadOf(db: Db, filter: BrowseFilter): Promise<Lead | undefined> {
  const known = knownTerms(filter)
  if (known !== undefined) return { terms: known, isExact: false }
  const { ids, refundOf, splitId, checkoutId, min, max } = filter
  if ((ids ?? refundOf ?? splitId ?? checkoutId) !== undefined) return undefined
  const amounts =
    min === undefined && max === undefined
      ? undefined
      : { terms: amountTerms(min, max), isExact: false }
  const combinations = isNarrowed(filter)
    ? { terms: await combinationTerms(db, filter), isExact: amounts === undefined }
    : undefined
  if (amounts === undefined || combinations === undefined) return amounts ?? combinations
  const [ofAmounts, ofCombinations] = await Promise.all(
    [amounts, combinations].map(({ terms }) => countUpTo(db, filter, terms)),
  )
  return (ofAmounts ?? 0) < (ofCombinations ?? 0) ? amounts : combinations
}

/** Of the filter itself, or else of each thing that it may be. */
function knownTerms({ anyOf, ...filter }: BrowseFilter): readonly string[] | undefined {
  const own = termsOf(filter)
  if (own !== undefined || anyOf === undefined) return own
  return anyOf.flatMap((known: Known) => termsOf(known) ?? [])
}

const isNarrowed = ({ within, ...filter }: BrowseFilter): boolean =>
  within.length > 0 ||
  [
    filter.country,
    filter.provider,
    filter.currency,
    filter.states,
    filter.failureCode,
    filter.source,
  ].some((value) => value !== undefined)

/** Of all combinations that fit; a merchant has a few hundred. */
async function combinationTerms(db: Db, filter: BrowseFilter): Promise<readonly string[]> {
  const rows = await db.query<{ term: string }>(
    `select 'f' || ${COMBINATION} as term from payment_combinations
     where merchant_id = $1 and kind = any($2)
       and (cardinality($3::text[]) = 0 or country = any($3))
       and ($4::text is null or country = $4) and ($5::text is null or provider = $5)
       and ($6::text is null or currency = $6) and ($7::text[] is null or state = any($7))
       and ($8::text is null or failure_code = $8) and ($9::text is null or source = $9)`,
    [
      filter.merchantId,
      filter.kinds,
      filter.within,
      filter.country ?? null,
      filter.provider ?? null,
      filter.currency ?? null,
      filter.states ?? null,
      filter.failureCode ?? null,
      filter.source ?? null,
    ],
    'combination-terms',
  )
  return rows.map(({ term }) => term)
}

async function countUpTo(
  db: Db,
  { merchantId }: BrowseFilter,
  terms: readonly string[],
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*)::int from (
       select from unnest($2::text[]) one cross join lateral (
         select from payment_terms t where t.merchant_id = $1 and t.term = ${hashOf('one')}
         limit ${COMPARED_AT_MOST}) t
       limit ${COMPARED_AT_MOST}) counted`,
    [merchantId, terms],
    'count-by-terms',
  )
  return row?.count ?? 0
}
