import { runSuites } from './suites.ts'

await runSuites([() => import('./dashboard-pages.ts')])
