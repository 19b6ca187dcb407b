import { runSuites } from './suites.ts'

await runSuites({
  journeys: [
    () => import('./paying.ts'),
    () => import('./returning.ts'),
    () => import('./waiting.ts'),
  ],
  looks: [() => import('./screens.ts'), () => import('./weight.ts')],
})
