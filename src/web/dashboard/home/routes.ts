import type { DashboardRoute } from '../visit.ts'
import { homePage } from './page.tsx'

export const HOME_ROUTES: readonly DashboardRoute[] = [
  { path: '/dashboard', permission: 'anyone', answer: homePage },
]
