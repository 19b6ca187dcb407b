import { runSuites } from './suites.ts'

await runSuites([
  () => import('./waiting.ts'),
  () => import('./screens.ts'),
  () => import('./documentation.ts'),
])
