import type { Service } from '../../harness/service.ts'

/** The paths of the server's own routing tree, in which a branch repeats nothing of its stem. */
export function servedPaths({ node }: Service): readonly string[] {
  const stems: string[] = []
  const paths = new Set<string>()
  for (const line of node.app.printRoutes({ commonPrefix: false }).split('\n')) {
    const [, indent = '', part = '', methods] = /^([│ ]*)[├└]── (\S+)( \()?/.exec(line) ?? []
    if (part === '') continue
    const depth = indent.length / 4
    stems[depth] = (stems[depth - 1] ?? '') + part
    if (methods !== undefined) paths.add(stems[depth] ?? '')
  }
  return [...paths].map(pathOf)
}

/** As the reference writes it. */
export const pathOf = (route: string): string => route.replaceAll(/:(\w+)/g, '{$1}')
