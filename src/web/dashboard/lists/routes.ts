import type { Page } from '../../../http/pages.ts'
import type { DashboardRoute, Visit } from '../visit.ts'
import { chooseColumns } from './columns.tsx'
import { csvPage } from './csv.ts'
import type { ListShape } from './shape.ts'
import { removeViewAct, saveViewAct } from './views.tsx'

/** Every list is at its place, and as a file at the same address with `.csv`. */
export function listRoutes(
  shape: ListShape,
  answer: (visit: Visit) => Promise<Page>,
): readonly DashboardRoute[] {
  const path = `/dashboard/${shape.place}`
  const act = (
    name: string,
    change: (visit: Visit, shape: ListShape) => Promise<Page>,
  ): DashboardRoute => ({
    path: `${path}/${name}`,
    method: 'POST',
    permission: 'payments:view',
    answer: (visit) => change(visit, shape),
  })
  return [
    { path, permission: 'payments:view', answer },
    {
      path: `${path}.csv`,
      permission: 'money:view',
      hasPersonalData: true,
      answer: (visit) => csvPage(visit, shape),
    },
    act('columns', chooseColumns),
    act('views', saveViewAct),
    act('views/remove', removeViewAct),
  ]
}
