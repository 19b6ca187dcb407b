import type { PageRoute } from '../../http/pages.ts'
import { switchMerchant } from '../../usecases/people/sessions.ts'
import { ACCOUNT_ROUTES } from './account/routes.ts'
import { AUDIT_ROUTES } from './audit/routes.ts'
import { BRANDING_ROUTES } from './branding/routes.ts'
import { BULK_ROUTES } from './bulk/routes.ts'
import { CALLBACK_URL_ROUTES } from './callback-urls/routes.ts'
import { CALLBACK_ROUTES } from './callbacks/routes.ts'
import { CONFIRM_ROUTE } from './confirm.tsx'
import { goTo, guarded } from './guard.tsx'
import { HOME_ROUTES } from './home/routes.ts'
import { LINK_ROUTES } from './links/routes.ts'
import { MONEY_ROUTES } from './money/routes.ts'
import { PAYMENT_ROUTES } from './payments/routes.ts'
import { PROVIDER_ROUTES } from './providers/routes.ts'
import { unsubscribeRoutes } from './providers/unsubscribe.tsx'
import { REQUEST_ROUTES } from './requests/routes.ts'
import { SEARCH_ROUTES } from './search/routes.tsx'
import { signInRoutes } from './sign-in/routes.ts'
import { SIGNATURE_ROUTES } from './signatures/routes.ts'
import { TEAM_ROUTES } from './team/routes.ts'
import { TOKEN_ROUTES } from './tokens/routes.ts'
import type { DashboardParts, DashboardRoute } from './visit.ts'
import { WHOLE_ROUTES } from './wholes/routes.ts'

/** Every page and form of the dashboard, each with who may use it. */
export const DASHBOARD_ROUTES: readonly DashboardRoute[] = [
  ...HOME_ROUTES,
  ...BULK_ROUTES,
  ...LINK_ROUTES,
  ...PROVIDER_ROUTES,
  ...PAYMENT_ROUTES,
  ...WHOLE_ROUTES,
  ...SEARCH_ROUTES,
  ...MONEY_ROUTES,
  ...CALLBACK_ROUTES,
  ...BRANDING_ROUTES,
  ...TOKEN_ROUTES,
  ...CALLBACK_URL_ROUTES,
  ...SIGNATURE_ROUTES,
  ...REQUEST_ROUTES,
  ...TEAM_ROUTES,
  ...AUDIT_ROUTES,
  ...ACCOUNT_ROUTES,
  CONFIRM_ROUTE,
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
  ...unsubscribeRoutes(parts),
  ...DASHBOARD_ROUTES.map(guarded(parts, DASHBOARD_ROUTES)),
]
