/**
 * Memory for large bodies, used again and again. Left to the garbage collector, the bodies of a
 * flood would take many times the room that they may have: it hardly counts memory outside its heap.
 */
type BodyBuffers = {
  /** Of at least this length. What it holds is left over from another body. */
  take(length: number): Buffer
  /** It must not be read any more: the next body is written into it. */
  give(buffer: Buffer): void
}

const SMALLEST = 32 * 1024

/** What a body of this length takes: sizes are few, so that one fits where another was. */
export const sizeFor = (length: number): number =>
  Math.max(SMALLEST, 2 ** Math.ceil(Math.log2(length)))

/** Keeps at most so many bytes for the next bodies. */
export function createBodyBuffers(keepMax: number): BodyBuffers {
  const free = new Map<number, Buffer[]>()
  let kept = 0
  return {
    take: (length) => {
      const size = sizeFor(length)
      const buffer = free.get(size)?.pop()
      if (buffer === undefined) return Buffer.allocUnsafeSlow(size)
      kept -= size
      return buffer
    },
    give: (buffer) => {
      const size = buffer.length
      if (kept + size > keepMax) return
      kept += size
      const same = free.get(size)
      if (same === undefined) free.set(size, [buffer])
      else same.push(buffer)
    },
  }
}
