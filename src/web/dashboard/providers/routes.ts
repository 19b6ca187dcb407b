import type { DashboardRoute } from '../visit.ts'
import { providersPage } from './page.tsx'

export const PROVIDER_ROUTES: readonly DashboardRoute[] = [
  { path: '/dashboard/providers', permission: 'anyone', answer: providersPage },
]
