import { runSuites } from './suites.ts'

await runSuites([
  () => import('./paying.ts'),
  () => import('./returning.ts'),
  () => import('./waiting.ts'),
  () => import('./screens.ts'),
  () => import('./weight.ts'),
])
