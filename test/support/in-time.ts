/**
 * An attempt that hangs is given up after ten seconds of real time. What a test sees of it counts
 * only while the answer can still come well before that.
 */
const WELL_BEFORE_MS = 7_000
const ROUNDS = 5

class TooLate extends Error {}

export const isTooLate = (since: number): boolean => performance.now() - since > WELL_BEFORE_MS

/** Ends the round when what has hung since then may be given up any moment. */
export function assertInTime(since: number): void {
  if (isTooLate(since)) throw new TooLate('the machine was too slow for an attempt that hangs')
}

/**
 * Plays a scenario, and again from its beginning where it came too late to show anything. `settle`
 * sees to it that nothing of a round is left for the next.
 */
export async function untilInTime(
  scenario: () => Promise<void>,
  settle: () => Promise<void> = async () => {},
): Promise<void> {
  for (let round = 1; ; round += 1) {
    try {
      await scenario()
    } catch (error) {
      // Why the round ended must be reported, whatever else goes wrong.
      await settle().catch(() => undefined)
      if (!(error instanceof TooLate) || round === ROUNDS) throw error
      continue
    }
    return settle()
  }
}
