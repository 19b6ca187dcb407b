import type { DashboardRoute } from '../visit.ts'
import { balancesPage } from './balances.tsx'
import { exportFile, exportsPage, makeExport, repeat } from './exports.tsx'
import { statementsCsv, statementsPage } from './statements.tsx'

const permission = 'money:view'
const hasPersonalData = true

export const MONEY_ROUTES: readonly DashboardRoute[] = [
  { path: '/dashboard/balances', permission, answer: balancesPage },
  { path: '/dashboard/statements', permission, answer: statementsPage },
  { path: '/dashboard/statements.csv', permission, hasPersonalData, answer: statementsCsv },
  { path: '/dashboard/exports', permission, answer: exportsPage },
  { path: '/dashboard/exports', method: 'POST', permission, hasPersonalData, answer: makeExport },
  {
    path: '/dashboard/exports/:id/repeat',
    method: 'POST',
    permission,
    hasPersonalData,
    answer: repeat,
  },
  { path: '/dashboard/exports/:id/file', permission, hasPersonalData, answer: exportFile },
]
