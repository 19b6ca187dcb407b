import type { Page } from '../../../http/pages.ts'
import { readRequest, readRequests } from '../../../usecases/accounts/read-requests.ts'
import { readTokens } from '../../../usecases/accounts/tokens-of-merchant.ts'
import { missingPage } from '../frame.tsx'
import type { DashboardRoute, Visit } from '../visit.ts'
import { requestPage } from './detail.tsx'
import { filterOf, placeOf, questionOf } from './filter.ts'
import { requestsPage } from './list.tsx'

const PER_PAGE = 50

export const REQUEST_ROUTES: readonly DashboardRoute[] = [
  { path: '/dashboard/requests', permission: 'requests:view', answer: list },
  { path: '/dashboard/requests/:place', permission: 'requests:view', answer: show },
]

async function list(visit: Visit): Promise<Page> {
  const { ctx, person } = visit
  const filter = filterOf(visit)
  const [page, tokens] = await Promise.all([
    readRequests(ctx, person, questionOf(filter), PER_PAGE),
    readTokens(ctx, person),
  ])
  return requestsPage(visit, { page, filter, tokens })
}

async function show(visit: Visit): Promise<Page> {
  const place = placeOf(visit.request.params.place ?? '')
  const request = place && (await readRequest(visit.ctx, visit.person, place))
  return request === undefined ? missingPage(visit) : requestPage(visit, request)
}
