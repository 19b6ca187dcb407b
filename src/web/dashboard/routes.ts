import type { PageRoute } from '../../http/pages.ts'
import { switchMerchant } from '../../usecases/people/sessions.ts'
import { goTo, guarded } from './guard.tsx'
import { HOME_ROUTES } from './home/routes.ts'
import { PAYMENT_ROUTES } from './payments/routes.ts'
import { PROVIDER_ROUTES } from './providers/routes.ts'
import { SEARCH_ROUTES } from './search/routes.tsx'
import { signInRoutes } from './sign-in/routes.ts'
import type { DashboardParts, DashboardRoute } from './visit.ts'
import { WHOLE_ROUTES } from './wholes/routes.ts'

/** Every page and form of the dashboard, each with who may use it. */
export const DASHBOARD_ROUTES: readonly DashboardRoute[] = [
  ...HOME_ROUTES,
  ...PROVIDER_ROUTES,
  ...PAYMENT_ROUTES,
  ...WHOLE_ROUTES,
  ...SEARCH_ROUTES,
  {
    path: '/dashboard/merchant',
    method: 'POST',
    permission: 'anyone',
    answer: async (visit) => {
      await switchMerchant(visit.ctx, visit.person, visit.request.form.get('merchant') ?? '')
      return goTo(visit, '/dashboard')
    },
  },
]

export const dashboardRoutes = (parts: DashboardParts): PageRoute[] => [
  ...signInRoutes(parts),
  ...DASHBOARD_ROUTES.map(guarded(parts)),
]
