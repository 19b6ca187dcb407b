import { LIMITS } from '../domain/timing.ts'

/** Waits until something holds, or gives up: a shutdown does not wait for ever. */
export async function settled(isSettled: () => boolean, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!isSettled() && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, LIMITS.settledLookEveryMs))
  }
}
