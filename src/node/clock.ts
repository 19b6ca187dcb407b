import { randomFillSync } from 'node:crypto'
import { type PaymentKey, paymentKeyFrom } from '../domain/ids.ts'
import type { Clock } from '../usecases/context.ts'

/** Real time, moved by the offset of the sandbox's test clock. */
export function createClock(offsetAtStart: number): Clock {
  let offset = offsetAtStart
  let setBy = 0
  return {
    now: () => Date.now() + offset,
    realNow: () => Date.now(),
    offsetMs: () => offset,
    setOffset: (ms, configVersion) => {
      if (configVersion < setBy) return
      setBy = configVersion
      offset = ms
    },
  }
}

/** Random bytes are drawn in blocks: one call to the generator serves many keys. */
export function createKeys(clock: Clock): () => PaymentKey {
  const block = new Uint8Array(10 * 512)
  let used = block.length
  return () => {
    if (used === block.length) {
      randomFillSync(block)
      used = 0
    }
    used += 10
    return paymentKeyFrom(clock.now(), block.subarray(used - 10, used))
  }
}
