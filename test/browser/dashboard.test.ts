import { runSuites } from './suites.ts'

await runSuites({
  journeys: [
    () => import('./dashboard-lists.ts'),
    () => import('./dashboard-ways.ts'),
    () => import('./dashboard-days.ts'),
  ],
  looks: [() => import('./dashboard-pages.ts'), () => import('./dashboard-sight.ts')],
})
