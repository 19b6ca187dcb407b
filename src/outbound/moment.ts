/** Of two clocks that all threads share: one stands still in a suspended machine, one can be set. */
export type Moment = { readonly steady: number; readonly wall: number }

export const moment = (): Moment => ({
  steady: Number(process.hrtime.bigint() / 1_000_000n),
  wall: Date.now(),
})

/** In milliseconds, by the clock on which more time has passed. */
export function ageOf(since: Moment): number {
  const now = moment()
  return Math.max(now.steady - since.steady, now.wall - since.wall)
}
