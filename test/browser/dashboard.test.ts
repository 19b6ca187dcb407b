import { runSuites } from './suites.ts'

await runSuites([
  () => import('./dashboard-pages.ts'),
  () => import('./dashboard-lists.ts'),
  () => import('./dashboard-days.ts'),
  () => import('./dashboard-sight.ts'),
])
