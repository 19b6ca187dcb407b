/** Payments of every kind that have the fields, and what else is called so. */
import { PAYMENT_KINDS } from '../../../domain/payments/payment-state.ts'
import {
  type Found,
  searchByFields,
  splitsOf,
  wholesBy,
} from '../../../usecases/payments/search-payments.ts'
import { paymentFilter, readList } from '../lists/filter.ts'
import { LISTS } from '../lists/shape.ts'
import type { Visit } from '../visit.ts'

/** Of each kind; its list has the rest. */
export const SHOWN_OF_KIND = 10

const REFERENCE = 'clientReferenceId'

type FoundByFields = Found & {
  /** The fields in the spelling in which something was found. */
  readonly query: URLSearchParams
}

/** `fault`: a field whose value cannot be used. */
export async function findByFields(
  visit: Visit,
  query: URLSearchParams,
): Promise<FoundByFields | { readonly fault: string }> {
  const found = await findAsTyped(visit, query)
  const reference = query.get(REFERENCE)?.toUpperCase()
  if ('fault' in found || reference === undefined || reference === query.get(REFERENCE)) {
    return found
  }
  const { payments, checkouts, links } = found
  if (payments.length + checkouts.length + links.length > 0) return found
  return findAsTyped(
    visit,
    new URLSearchParams({ ...Object.fromEntries(query), [REFERENCE]: reference }),
  )
}

async function findAsTyped(
  visit: Visit,
  query: URLSearchParams,
): Promise<FoundByFields | { readonly fault: string }> {
  const { ctx, person, request } = visit
  const asked = { ...request, query: Object.fromEntries(query) }
  const read = readList({ ...visit, request: asked }, LISTS.deposits)
  const [fault] = read.faults
  if (fault !== undefined) return { fault }
  const filter = paymentFilter(read)
  const filters = PAYMENT_KINDS.map((kind) => ({ ...filter, kinds: [kind] }))
  // What is more than a payment has other states, amounts and times than its payments.
  const { clientReferenceId, metadata } = filter
  const isNamed = [...query.keys()].every((name) => name === REFERENCE || name.startsWith('meta.'))
  const references = clientReferenceId === undefined ? undefined : [clientReferenceId]
  const [lists, wholes] = await Promise.all([
    searchByFields(ctx, filters, SHOWN_OF_KIND),
    isNamed ? wholesBy(ctx, person, { references, metadata }) : { checkouts: [], links: [] },
  ])
  const payments = lists.flat()
  return { payments, splits: isNamed ? splitsOf(payments) : [], ...wholes, query }
}
