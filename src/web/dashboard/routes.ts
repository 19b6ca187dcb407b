import type { PageRoute } from '../../http/pages.ts'
import { switchMerchant } from '../../usecases/people/sessions.ts'
import { ACCOUNT_ROUTES } from './account/routes.ts'
import { AUDIT_ROUTES } from './audit/routes.ts'
import { goTo, guarded } from './guard.tsx'
import { HOME_ROUTES } from './home/routes.tsx'
import { signInRoutes } from './sign-in/routes.ts'
import { TEAM_ROUTES } from './team/routes.ts'
import type { DashboardParts, DashboardRoute } from './visit.ts'

/** Every page and form of the dashboard, each with who may use it. */
export const DASHBOARD_ROUTES: readonly DashboardRoute[] = [
  ...HOME_ROUTES,
  ...TEAM_ROUTES,
  ...AUDIT_ROUTES,
  ...ACCOUNT_ROUTES,
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
