/**
 * How long to wait before asking an operator about a payment again, where its connector has no
 * pauses of its own. Pauses grow, the last one repeats: the question is asked until there is an
 * answer, never given up.
 */
const SECOND = 1000
const MINUTE = 60 * SECOND

const PAUSES_MS: readonly number[] = [
  1 * SECOND,
  2 * SECOND,
  5 * SECOND,
  10 * SECOND,
  20 * SECOND,
  30 * SECOND,
  1 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  60 * MINUTE,
]

/** How often a payment of that age has been asked about, where nobody remembers it. */
export function timesAskedAfter(ageMs: number, pausesMs: readonly number[] = PAUSES_MS): number {
  let sum = 0
  const open = pausesMs.findIndex((pause) => {
    sum += pause
    return sum > ageMs
  })
  return open < 0 ? pausesMs.length - 1 : open
}

export function lookUpPauseMs(timesAsked: number, pausesMs: readonly number[] = PAUSES_MS): number {
  return pausesMs[Math.min(timesAsked, pausesMs.length - 1)] ?? MINUTE
}
