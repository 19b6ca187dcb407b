/** Earlier states are sent before the final one, and nothing else after it. */
const RANKS: Readonly<Record<string, number>> = {
  PROCESSING: 1,
  IN_RECONCILIATION: 2,
  COMPLETED: 3,
  FAILED: 3,
  PAYOUT_FAILED: 3,
}

/**
 * In the order in which they arrived, or else in that in which they were sent: a receiver that was
 * too busy to answer in time may read a request that was given up after a later one.
 */
export function isInOrder(states: readonly string[], signedAt: readonly number[]): boolean {
  const all = states.map((state, at) => ({
    rank: RANKS[state] ?? 0,
    sent: signedAt[at] ?? Infinity,
  }))
  return [all, all.toSorted((one, other) => one.sent - other.sent)].some((list) =>
    list.every(({ rank }, at) => at === 0 || rank >= (list[at - 1]?.rank ?? 0)),
  )
}
