import { runSuites } from './suites.ts'

await runSuites([
  () => import('./sandbox-door.ts'),
  () => import('./sandbox-phone.ts'),
  () => import('./sandbox-controls.ts'),
  () => import('./sandbox-pages.ts'),
  () => import('./documentation.ts'),
])
