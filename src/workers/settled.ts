const WITHIN_MS = 3000
const LOOK_EVERY_MS = 10

/** Waits until something holds, or gives up: a shutdown does not wait for ever. */
export async function settled(isSettled: () => boolean): Promise<void> {
  const deadline = performance.now() + WITHIN_MS
  while (!isSettled() && performance.now() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}
