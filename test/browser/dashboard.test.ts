import { runSuites } from './suites.ts'

await runSuites({
  journeys: [() => import('./dashboard-lists.ts'), () => import('./dashboard-days.ts')],
  moreJourneys: [() => import('./dashboard-ways.ts')],
  looks: [() => import('./dashboard-pages.ts'), () => import('./dashboard-sight.ts')],
})
