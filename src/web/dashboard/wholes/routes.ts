import { listRoutes } from '../lists/routes.ts'
import { LISTS } from '../lists/shape.ts'
import type { DashboardRoute } from '../visit.ts'
import { checkoutPage, expireAct } from './detail.tsx'
import { checkoutList, splitList } from './list.tsx'
import { splitPage } from './split-page.tsx'

export const WHOLE_ROUTES: readonly DashboardRoute[] = [
  ...listRoutes(LISTS['split-payments'], splitList),
  { path: '/dashboard/split-payments/:id', permission: 'payments:view', answer: splitPage },
  ...listRoutes(LISTS.checkouts, checkoutList),
  { path: '/dashboard/checkouts/:id', permission: 'payments:view', answer: checkoutPage },
  {
    path: '/dashboard/checkouts/:id/expire',
    method: 'POST',
    permission: 'payments:refund',
    answer: expireAct,
  },
]
