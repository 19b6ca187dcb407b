import { dashboardPage } from '../frame.tsx'
import type { DashboardRoute } from '../visit.ts'
import { DASHBOARD_WORDS } from '../words.ts'

export const HOME_ROUTES: readonly DashboardRoute[] = [
  {
    path: '/dashboard',
    permission: 'anyone',
    answer: (visit) => {
      const { home } = DASHBOARD_WORDS[visit.lang]
      return dashboardPage(visit, { name: 'home', heading: home, children: <h1>{home}</h1> })
    },
  },
]
