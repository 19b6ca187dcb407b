import { isConnectionLoss, untilItPasses } from './database.ts'
import { createSaturation } from './saturation.ts'

/**
 * Group commit. Callers speak about one item; items that arrive while a write is under way form
 * the next write, so that one statement and one flush of the disk serve hundreds of callers. An
 * idle system never waits: the first item is written at once.
 */
export type Group<In, Out> = {
  add(item: In): Promise<Out>
  /** Items that wait for a write to end; what the overload guard looks at. */
  waiting(): number
  /** Those of one owner; looks at each of them. */
  waitingOf(owner: unknown): number
  /** True while many items come in, in large groups. */
  isBusy(): boolean
  /** Called with the items of each write as it begins; for traces. */
  observe(observer: (items: readonly In[]) => void): void
}

type GroupOptions<In, Out> = {
  /** Writes all items in one transaction; answers in the order of the items. */
  readonly write: (items: readonly In[]) => Promise<readonly Out[]>
  readonly maxItems: number
  readonly maxInFlight: number
  readonly onWritten?: (size: number) => void
  /** Where more wait than one write takes, owners take turns: none waits for all of another's. */
  readonly ownerOf?: (item: In) => unknown
}

type Waiting<In, Out> = {
  readonly item: In
  readonly resolve: (out: Out) => void
  readonly reject: (error: unknown) => void
}

export function createGroup<In, Out>(options: GroupOptions<In, Out>): Group<In, Out> {
  let queue: Waiting<In, Out>[] = []
  let inFlight = 0
  const saturation = createSaturation()
  let scheduled = false
  let observer: ((items: readonly In[]) => void) | undefined

  const flush = (): void => {
    scheduled = false
    while (queue.length > 0 && inFlight < options.maxInFlight) {
      const batch = queue.length <= options.maxItems ? queue : inTurns(queue, options)
      queue = batch === queue ? [] : without(queue, batch)
      inFlight += 1
      saturation.began(batch.length)
      observer?.(batch.map(({ item }) => item))
      void settle(options, batch).finally(() => {
        inFlight -= 1
        saturation.ended()
        flush()
      })
    }
  }

  return {
    add: (item) =>
      new Promise((resolve, reject) => {
        queue.push({ item, resolve, reject })
        // The flush waits for the end of this turn of the loop, so that requests read from
        // several sockets in one turn share a write.
        if (!scheduled && inFlight < options.maxInFlight) {
          scheduled = true
          setImmediate(flush)
        }
      }),
    waiting: () => queue.length,
    waitingOf: (owner) =>
      queue.reduce((count, { item }) => count + (options.ownerOf?.(item) === owner ? 1 : 0), 0),
    isBusy: () => saturation.isReached(),
    observe: (next) => {
      observer = next
    },
  }
}

/** The first of each owner, then the second of each, until the write is full. */
function inTurns<In, Out>(
  queue: readonly Waiting<In, Out>[],
  { maxItems, ownerOf }: GroupOptions<In, Out>,
): Waiting<In, Out>[] {
  const lines = new Map<unknown, Waiting<In, Out>[]>()
  for (const waiting of queue) {
    const owner = ownerOf?.(waiting.item)
    const line = lines.get(owner)
    if (line === undefined) lines.set(owner, [waiting])
    else line.push(waiting)
  }
  const batch: Waiting<In, Out>[] = []
  for (let turn = 0; batch.length < maxItems; turn += 1) {
    for (const line of lines.values()) {
      const next = line[turn]
      if (next !== undefined && batch.length < maxItems) batch.push(next)
    }
  }
  return batch
}

function without<T>(queue: readonly T[], batch: readonly T[]): T[] {
  const taken = new Set(batch)
  return queue.filter((waiting) => !taken.has(waiting))
}

async function settle<In, Out>(
  options: GroupOptions<In, Out>,
  batch: readonly Waiting<In, Out>[],
): Promise<void> {
  try {
    const items = batch.map((waiting) => waiting.item)
    const results = await untilItPasses(() => options.write(items))
    options.onWritten?.(batch.length)
    batch.forEach((waiting, index) => {
      waiting.resolve(results[index] as Out)
    })
  } catch (error) {
    // One bad item must not fail the rest of its group; a lost server fails all.
    if (batch.length > 1 && !isConnectionLoss(error)) {
      for (const waiting of batch) await settle(options, [waiting])
      return
    }
    for (const waiting of batch) waiting.reject(error)
  }
}
