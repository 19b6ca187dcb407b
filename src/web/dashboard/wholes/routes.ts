import type { DashboardRoute } from '../visit.ts'
import { checkoutPage, expireAct, splitPage } from './detail.tsx'
import { checkoutList, splitList } from './list.tsx'

export const WHOLE_ROUTES: readonly DashboardRoute[] = [
  { path: '/dashboard/split-payments', permission: 'payments:view', answer: splitList },
  { path: '/dashboard/split-payments/:id', permission: 'payments:view', answer: splitPage },
  { path: '/dashboard/checkouts', permission: 'payments:view', answer: checkoutList },
  { path: '/dashboard/checkouts/:id', permission: 'payments:view', answer: checkoutPage },
  {
    path: '/dashboard/checkouts/:id/expire',
    method: 'POST',
    permission: 'payments:refund',
    answer: expireAct,
  },
]
