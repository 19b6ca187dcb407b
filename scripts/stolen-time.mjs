// How much of the processors the host gave to other machines. Where it says nothing, nothing counts
// as taken.
import { readFileSync } from 'node:fs'

/** Begins to measure; the answer tells the part that was taken since, between 0 and 1. */
export function measureStolen() {
  const before = ticks()
  return () => {
    const now = ticks()
    const all = now.all - before.all
    return all > 0 ? (now.stolen - before.stolen) / all : 0
  }
}

const STEAL_AT = 7

function ticks() {
  try {
    const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
    const counts = line.split(/\s+/).slice(1, 9).map(Number)
    return { all: counts.reduce((sum, one) => sum + one, 0), stolen: counts[STEAL_AT] ?? 0 }
  } catch {
    return { all: 0, stolen: 0 }
  }
}
