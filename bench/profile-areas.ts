/** Reads a CPU profile of V8: the self time of each area of the node. */
export type CpuProfile = {
  readonly nodes: readonly ProfileNode[]
  /** Microseconds of a clock that all processes of the machine share. */
  readonly startTime: number
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

export type ProfileNode = {
  readonly id: number
  readonly callFrame: {
    readonly functionName: string
    readonly url: string
    /** Counted from 0. */
    readonly lineNumber?: number
  }
  readonly children?: readonly number[]
}

/** The first match counts. Without a match, the caller's area does. */
const AREAS: readonly (readonly [area: string, url: RegExp])[] = [
  ['HTTP server of Node', /^node:(_http|internal\/http|https?$)/],
  ['driver of PostgreSQL', /\/node_modules\/(pg|pg-[\w-]+|postgres-[\w-]+)\//],
  ['HTTP client of callbacks', /\/node_modules\/undici\/|\/dist\/src\/(outbound|callbacks)\//],
  ['validation', /\/dist\/src\/wire\//],
  ['logging', /\/node_modules\/(pino|sonic-boom|thread-stream)[\w-]*\//],
  ['framework', /\/node_modules\//],
  ['routes and authentication', /\/dist\/src\/http\//],
  ['rules and use cases', /\/dist\/src\/(domain|usecases)\//],
  ['store', /\/dist\/src\/store\//],
  ['signing', /\/dist\/src\/signing\//],
  ['workers', /\/dist\/src\/workers\//],
  ['simulated operator', /\/dist\/src\/providers\//],
  ['start and composition', /\/dist\/src\//],
]

/** Nothing to do: waiting for requests, for the database, for receivers. */
export const IDLE = 'idle'

/** V8's names for time that belongs to no function. */
const BY_NAME: Readonly<Record<string, string>> = {
  '(idle)': IDLE,
  '(garbage collector)': 'garbage collection',
  '(program)': 'Node itself, outside of JavaScript',
}

const REST = 'Node itself: sockets, timers, promises'

export type Area = { readonly area: string; readonly ms: number }

/** Self time by area between two moments, the largest first. */
export function areasOf(profile: CpuProfile, fromUs: number, toUs: number): readonly Area[] {
  const areaById = areasById(profile.nodes)
  const total = new Map<string, number>()
  let now = profile.startTime
  profile.samples.forEach((id, index) => {
    const delta = profile.timeDeltas[index] ?? 0
    now += delta
    if (now < fromUs || now > toUs) return
    // A sample stands for the time until the next one.
    const lasts = Math.max(0, profile.timeDeltas[index + 1] ?? 0)
    const area = areaById.get(id) ?? REST
    total.set(area, (total.get(area) ?? 0) + lasts / 1000)
  })
  return [...total].map(([area, ms]) => ({ area, ms })).toSorted((a, b) => b.ms - a.ms)
}

function areasById(nodes: readonly ProfileNode[]): ReadonlyMap<number, string> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const areas = new Map<number, string>()
  const isChild = new Set(nodes.flatMap(({ children }) => children ?? []))
  const queue = nodes.filter(({ id }) => !isChild.has(id)).map((node) => ({ node, above: REST }))
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    const area = areaOf(next.node, next.above)
    areas.set(next.node.id, area)
    for (const id of next.node.children ?? []) {
      const child = byId.get(id)
      if (child !== undefined) queue.push({ node: child, above: area })
    }
  }
  return areas
}

function areaOf({ callFrame: { functionName, url } }: ProfileNode, above: string): string {
  if (url === '' && functionName in BY_NAME) return BY_NAME[functionName] ?? REST
  return AREAS.find(([, pattern]) => pattern.test(url))?.[0] ?? above
}
