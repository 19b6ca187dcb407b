import type { PageRoute } from '../../http/pages.ts'
import { switchMerchant } from '../../usecases/people/sessions.ts'
import { BRANDING_ROUTES } from './branding/routes.ts'
import { CALLBACK_ROUTES } from './callbacks/routes.ts'
import { goTo, guarded } from './guard.tsx'
import { HOME_ROUTES } from './home/routes.tsx'
import { signInRoutes } from './sign-in/routes.ts'
import type { DashboardParts, DashboardRoute } from './visit.ts'

/** Every page and form of the dashboard, each with who may use it. */
export const DASHBOARD_ROUTES: readonly DashboardRoute[] = [
  ...HOME_ROUTES,
  ...CALLBACK_ROUTES,
  ...BRANDING_ROUTES,
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
