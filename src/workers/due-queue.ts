/** Things that wait for a moment, earliest first: a binary heap. */
type DueQueue<T> = {
  add(item: T, at: number): void
  /** Takes the earliest item if its moment has come. */
  takeDue(now: number): T | undefined
  /** When the earliest item is due; undefined when nothing waits. */
  nextAt(): number | undefined
  size(): number
  /** Empties the queue. */
  drain(): readonly { readonly item: T; readonly at: number }[]
}

type Entry<T> = { readonly item: T; readonly at: number }

export function createDueQueue<T>(): DueQueue<T> {
  let heap: Entry<T>[] = []

  const swap = (a: number, b: number): void => {
    const [first, second] = [heap[a], heap[b]]
    if (first === undefined || second === undefined) return
    heap[a] = second
    heap[b] = first
  }
  const atOf = (index: number): number => heap[index]?.at ?? Number.POSITIVE_INFINITY

  const rise = (start: number): void => {
    for (let index = start; index > 0; ) {
      const parent = (index - 1) >> 1
      if (atOf(parent) <= atOf(index)) return
      swap(parent, index)
      index = parent
    }
  }
  const sink = (): void => {
    for (let index = 0; ; ) {
      const left = 2 * index + 1
      const least = atOf(left + 1) < atOf(left) ? left + 1 : left
      if (atOf(index) <= atOf(least)) return
      swap(index, least)
      index = least
    }
  }

  return {
    add: (item, at) => {
      heap.push({ item, at })
      rise(heap.length - 1)
    },
    takeDue: (now) => {
      const first = heap[0]
      if (first === undefined || first.at > now) return undefined
      const last = heap.pop()
      if (heap.length > 0 && last !== undefined) {
        heap[0] = last
        sink()
      }
      return first.item
    },
    nextAt: () => heap[0]?.at,
    size: () => heap.length,
    drain: () => {
      const entries = heap
      heap = []
      return entries
    },
  }
}
