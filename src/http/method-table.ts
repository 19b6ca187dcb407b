/** What the paths of the service take, for requests that come with another method. */

type Routed = { readonly method: string; readonly path: string }

/** A path as routes write it, with the methods that it has, in their order. */
type KnownPath = { readonly path: string; readonly methods: readonly string[] }

type FoundPath = KnownPath & { readonly params: Readonly<Record<string, string>> }

export type MethodTable = {
  /** The path of the table that fits the one of a request, fixed parts before parameters. */
  find(path: string): FoundPath | undefined
  /** What a routed path with a parameter would take from fixed paths: `GET /a/bulk` by `/a/:id`. */
  readonly hidden: readonly Routed[]
  /** Methods that a path has, and a routed one with a parameter that fits it as well. */
  readonly contested: readonly Routed[]
}

type Entry = KnownPath & { readonly parts: readonly string[] }

/** `routed` are those that the router of the framework knows; the others are found by this table. */
export function createMethodTable(
  routes: readonly Routed[],
  routed: readonly Routed[] = routes,
): MethodTable {
  const byPath = new Map<string, string[]>()
  for (const { path, method } of routes) {
    const methods = byPath.get(path)
    if (methods === undefined) byPath.set(path, [method])
    else if (!methods.includes(method)) methods.push(method)
  }
  const entries = [...byPath]
    .map(([path, methods]): Entry => ({ path, methods, parts: partsOf(path) }))
    .toSorted((one, other) => order(one.parts, other.parts))
  const open = routed.flatMap(({ method, path }) => {
    const parts = partsOf(path)
    return parts.some(isParam) ? [{ method, path, parts }] : []
  })
  const taken = (isTaken: (entry: Entry, method: string) => boolean): readonly Routed[] =>
    entries.flatMap((entry) =>
      open
        .filter(({ path, parts }) => path !== entry.path && fits(parts, entry.parts))
        .map(({ method }) => method)
        .filter((method, at, all) => isTaken(entry, method) && all.indexOf(method) === at)
        .map((method) => ({ method, path: entry.path })),
    )
  return {
    find: (path) => {
      const parts = partsOf(path).map(decoded)
      const entry = entries.find((one) => fits(one.parts, parts))
      return entry && { path: entry.path, methods: entry.methods, params: paramsOf(entry, parts) }
    },
    hidden: taken(({ methods }, method) => !methods.includes(method)),
    contested: taken(({ methods }, method) => methods.includes(method)),
  }
}

/** As the router sees them: slashes at the end and twice in a row do not count. */
const partsOf = (path: string): readonly string[] => path.split('/').filter((part) => part !== '')

function decoded(part: string): string {
  try {
    return part.includes('%') ? decodeURIComponent(part) : part
  } catch {
    return part
  }
}

const isParam = (part: string): boolean => part.charCodeAt(0) === COLON
const COLON = 58

function fits(pattern: readonly string[], parts: readonly string[]): boolean {
  if (pattern.length !== parts.length) return false
  // From the end: the first parts of most paths are the same.
  for (let at = pattern.length - 1; at >= 0; at -= 1) {
    const part = pattern[at] ?? ''
    if (part !== parts[at] && !isParam(part)) return false
  }
  return true
}

function order(one: readonly string[], other: readonly string[]): number {
  const at = one.findIndex((part, index) => isParam(part) !== isParam(other[index] ?? ''))
  if (at === -1) return 0
  return isParam(one[at] ?? '') ? 1 : -1
}

function paramsOf({ parts: pattern }: Entry, parts: readonly string[]): Record<string, string> {
  const params = pattern.flatMap((part, at) =>
    isParam(part) ? [[part.slice(1), parts[at] ?? ''] as const] : [],
  )
  return Object.fromEntries(params)
}
