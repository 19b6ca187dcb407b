import { runSuites } from './suites.ts'

await runSuites({
  journeys: [
    () => import('./sandbox-sign-in.ts'),
    () => import('./sandbox-phone.ts'),
    () => import('./sandbox-controls.ts'),
  ],
  moreJourneys: [() => import('./documentation.ts')],
  looks: [() => import('./sandbox-pages.ts'), () => import('./documentation-pages.ts')],
})
