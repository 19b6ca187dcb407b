import {
  findRequest,
  type ListedRequest,
  listRequests,
  type RequestDetail,
  type RequestFilter,
  type RequestPage,
  type RequestPlace,
} from '../../store/accounts/api-requests.ts'
import type { PeopleContext, Person } from '../people/context.ts'
import type { AccountContext } from './context.ts'

export type { ListedRequest, RequestDetail, RequestPage, RequestPlace }

export type RequestQuestion = Omit<RequestFilter, 'merchantId' | 'countries'>

/** A filter that fits little looks through so many at a time; the page then offers to go on. */
const SCAN = 20_000

/** With the latest of this node; those of others follow within a second or so. */
export async function readRequests(
  ctx: PeopleContext & AccountContext,
  { merchant, countries }: Person,
  question: RequestQuestion,
  limit: number,
): Promise<RequestPage> {
  await ctx.requestLog.flush()
  const filter = { ...question, merchantId: merchant.id, countries }
  return listRequests(ctx.db, filter, { limit, scan: SCAN })
}

export async function readRequest(
  ctx: PeopleContext,
  { merchant, countries }: Person,
  place: RequestPlace,
): Promise<RequestDetail | undefined> {
  return findRequest(ctx.db, merchant.id, place, countries)
}
