import type { Service } from '../../harness/service.ts'

/** Where the node serves something: operations and pages. */
export function servedPaths({ node }: Service): readonly string[] {
  const paths = [...node.endpoints, ...node.pages].map(({ path }) => pathOf(path))
  return [...new Set(paths)]
}

/** As the reference writes it. */
export const pathOf = (route: string): string => route.replaceAll(/:(\w+)/g, '{$1}')
