import type { MethodTable } from './method-table.ts'
import type { FoundPage, PageRoute } from './pages.ts'

export const methodOf = ({ method = 'GET' }: PageRoute): string => method

/** HEAD is answered like GET. */
export const asGet = (method: string): string => (method === 'HEAD' ? 'GET' : method)

export type PageFinder = (method: string, path: string) => FoundPage | undefined

/** Finds pages in the table of all paths, so that a fixed path comes before one with a parameter. */
export function createPageFinder(table: MethodTable, pages: readonly PageRoute[]): PageFinder {
  const routes = new Map(pages.map((page) => [`${methodOf(page)} ${page.path}`, page]))
  const lost = table.contested.find(({ method, path }) => routes.has(`${method} ${path}`))
  if (lost !== undefined) throw new Error(`an operation takes the page ${lost.method} ${lost.path}`)
  return (method, path) => {
    const found = table.find(path)
    if (found === undefined) return undefined
    const route = routes.get(`${asGet(method)} ${found.path}`)
    return route && { route, params: found.params }
  }
}
