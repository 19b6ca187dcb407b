import { runSuites } from './suites.ts'

await runSuites([
  () => import('./paying.ts'),
  () => import('./returning.ts'),
  () => import('./weight.ts'),
])
