import type { MerchantId } from '../../domain/ids.ts'
import type { Db } from '../engine/database.ts'
import { LISTED } from '../engine/listed.ts'
import { findCountedHours } from './hours.ts'
import { hashOf, type Known, spansToLookThrough } from './terms.ts'
import { isWithin } from './wholes.ts'

/** A checkout or a payment link, as a search shows it. */
export type FoundWhole = {
  readonly id: string
  readonly createdMs: number
  readonly state?: string | undefined
}

export type WholeQuestion = {
  readonly merchantId: MerchantId
  /** The countries to which a person is limited; none: all. */
  readonly within: readonly string[]
  /** Any of these spellings. */
  readonly references?: readonly string[] | undefined
  /** All of these; links have none. */
  readonly metadata?: Known['metadata']
}

/** Newest first. */
export const findCheckoutsBy = (
  db: Db,
  question: WholeQuestion,
  limit: number,
): Promise<readonly FoundWhole[]> => {
  const { references, metadata = [] } = question
  const terms =
    references?.map((text) => `C${text}`) ?? metadata.slice(0, 1).map(({ value }) => `M${value}`)
  return findBy(db, question, terms, limit, {
    from: 'checkouts c',
    columns: 'c.id, c.key, c.created_at, c.state',
    isMeant: `($3::text[] is null or c.terms->>'clientReferenceId' = any($3))
      and ($4::jsonb is null or c.terms->'metadata' @> $4)`,
    isSeen: isWithin('$2'),
  })
}

/** Newest first; a link for any country belongs to those who see all countries. */
export const findLinksBy = (
  db: Db,
  question: WholeQuestion,
  limit: number,
): Promise<readonly FoundWhole[]> => {
  const { references = [], metadata } = question
  const terms = metadata === undefined ? references.map((text) => `L${text}`) : []
  return findBy(db, question, terms, limit, {
    from: 'payment_links c',
    columns: 'c.id, c.key, c.created_at, null as state',
    isMeant: 'c.reference = any($3) and $4::jsonb is null',
    isSeen: 'c.country = any($2)',
  })
}

type Table = {
  readonly from: string
  readonly columns: string
  readonly isMeant: string
  readonly isSeen: string
}

/** By its terms where the hour is counted; what is not counted yet is looked through. */
async function findBy(
  db: Db,
  { merchantId, within, references, metadata }: WholeQuestion,
  terms: readonly string[],
  limit: number,
  { from, columns, isMeant, isSeen }: Table,
): Promise<readonly FoundWhole[]> {
  if (terms.length === 0) return []
  const spans = spansToLookThrough(await findCountedHours(db, merchantId))
  const most = Math.floor(limit)
  const where = `c.merchant_id = $1 and ${LISTED('c')} and (cardinality($2::text[]) = 0 or ${isSeen}) and ${isMeant}`
  return db.query<FoundWhole>(
    `select id, (extract(epoch from created_at) * 1000)::float8 as "createdMs", state from (
       (select c.* from unnest($5::text[]) one cross join lateral (
          select c.* from payment_terms t cross join lateral (
            select ${columns} from ${from} where c.key = t.key and ${where} offset 0) c
          where t.merchant_id = $1 and t.term = ${hashOf('one')}
          order by t.key desc limit ${most}) c)
       union
       (select c.* from unnest($6::uuid[], $7::uuid[]) as l (first, next) cross join lateral (
          select ${columns} from ${from} where c.key >= l.first and c.key < l.next and ${where}
          order by c.key desc limit ${most}) c)
     ) found order by key desc limit ${most}`,
    [
      merchantId,
      within,
      references ?? null,
      metadata === undefined ? null : JSON.stringify(metadata),
      terms,
      spans.firsts,
      spans.nexts,
    ],
  )
}
