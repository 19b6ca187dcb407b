import type { DashboardRoute } from '../visit.ts'
import { providersPage } from './page.tsx'
import { endSubscription, takeSubscription } from './subscription.tsx'

const PATH = '/dashboard/providers'

const form = (path: string, answer: DashboardRoute['answer']): DashboardRoute => ({
  path: `${PATH}/${path}`,
  method: 'POST',
  permission: 'anyone',
  answer,
})

export const PROVIDER_ROUTES: readonly DashboardRoute[] = [
  { path: PATH, permission: 'anyone', answer: providersPage },
  form('subscribe', takeSubscription),
  form('unsubscribe', endSubscription),
]
